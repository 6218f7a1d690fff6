// PTX ISA, "cvt.pack": two integers, saturated, next to each other in the low bits of a register.
#include <algorithm>

#include "emulator/isa/scalar/conversion.h"

namespace tmaemu {
namespace {

// An element of the result, and whether the rest of the result is taken from c.
struct IntegerPack {
  unsigned bits = 0;
  s64 smallest = 0;
  s64 largest = 0;
  bool source_is_signed = false;
  bool has_rest = false;

  u32 element(u32 source) const {
    const s64 value = source_is_signed ? s64{static_cast<s32>(source)} : s64{source};
    return static_cast<u32>(std::clamp(value, smallest, largest)) & ((u32{1} << bits) - 1);
  }
};

const Operation* pack_lanes(Warp& warp, const Operation& op, LaneMask lanes) {
  const auto& pack = *static_cast<const IntegerPack*>(op.detail);
  for (; lanes != 0; lanes &= lanes - 1) {
    const auto lane = static_cast<unsigned>(std::countr_zero(lanes));
    const u32 upper = pack.element(warp.lanes<u32>(op.a)[lane]);
    const u32 lower = pack.element(warp.lanes<u32>(op.b)[lane]);
    // c is shifted up by what the two elements take; with 16-bit elements nothing of it is left.
    const u32 rest = pack.has_rest ? warp.lanes<u32>(op.c)[lane] << (2 * pack.bits) : 0;
    warp.lanes<u32>(op.d)[lane] = rest | upper << pack.bits | lower;
  }
  return &op + 1;
}

// Elements of 16 bits fill the register; narrower ones leave room for c.
IntegerPack pack_of(std::string_view element, std::string_view source) {
  IntegerPack pack;
  if (element == "u16" || element == "s16") {
    pack.bits = 16;
  } else if (element == "u8" || element == "s8") {
    pack.bits = 8;
  } else if (element == "u4" || element == "s4") {
    pack.bits = 4;
  } else if (element == "u2" || element == "s2") {
    pack.bits = 2;
  } else {
    refuse("packs a type that is not modeled");
  }
  if (source != "s32" && source != "u32") refuse("packs from a type that is not modeled");
  const bool is_signed = element.front() == 's';
  pack.smallest = is_signed ? -(s64{1} << (pack.bits - 1)) : 0;
  pack.largest = (s64{1} << (pack.bits - (is_signed ? 1 : 0))) - 1;
  pack.source_is_signed = source == "s32";
  return pack;
}

}  // namespace

// cvt.pack.sat.<element>.<source> d, a, b and cvt.pack.sat.<element>.<source>.b32 d, a, b, c
void decode_integer_pack(Decoder& decoder, Instruction& instruction, Operation& op,
                         const Definition&) {
  const bool has_rest = instruction.take("b32");
  instruction.require("sat");
  const std::string_view source = instruction.take_last();
  IntegerPack pack = pack_of(instruction.take_last(), source);
  pack.has_rest = has_rest;
  if (has_rest == (pack.bits == 16)) refuse("has an odd number of operands");
  instruction.expect_operands(has_rest ? 4 : 3);
  op.d = decoder.destination(instruction.operand(0), 4);
  op.a = decoder.source(instruction.operand(1), 4);
  op.b = decoder.source(instruction.operand(2), 4);
  if (has_rest) op.c = decoder.source(instruction.operand(3), 4);
  op.detail = decoder.program().keep(pack);
  op.execute = pack_lanes;
}

}  // namespace tmaemu
