// The comparisons that setp and set share.
#pragma once

#include "emulator/program/decoder.h"
#include "emulator/program/program.h"
#include "emulator/ptx/module.h"

namespace tmaemu {

// Compares the registers op.a and op.b in the lanes of the mask; the bits of other lanes are open.
using LaneComparison = LaneMask (*)(Warp&, const Operation&, LaneMask);

// How the outcome is combined with a predicate: .and .or .xor
enum class Combination : std::uint8_t { none, conjunction, disjunction, exclusive };

// A comparison as decoded; the outcome of lane i is bit i.
struct ComparisonForm {
  LaneComparison low = nullptr;
  LaneComparison high = nullptr;  // of the upper elements; packed types only
  // As a whole instruction: setp with one destination and no combination.
  Handler plain_setp = nullptr;
  Combination combination = Combination::none;
  bool negates_predicate = false;  // the one that is combined, in op.c

  LaneMask combined(LaneMask outcome, LaneMask predicate) const {
    if (negates_predicate) predicate = ~predicate;
    switch (combination) {
      case Combination::conjunction:
        return outcome & predicate;
      case Combination::disjunction:
        return outcome | predicate;
      case Combination::exclusive:
        return outcome ^ predicate;
      default:
        return outcome;
    }
  }
};

// Decodes .CmpOp, .BoolOp and .ftz and the operands a, b and c of a comparison of this type, which
// has been taken.
ComparisonForm decode_comparison(Decoder& decoder, Instruction& instruction, ptx::Type type,
                                 Operation& op);

}  // namespace tmaemu
