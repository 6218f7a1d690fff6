#include "emulator/isa/lanes.h"

#include <bit>

#include "contract/findings/sentences.h"

namespace tmaemu {

void decode_in_order(Decoder& decoder, Instruction& instruction, Operation& op,
                     const Definition& definition) {
  static constexpr Slot Operation::*slots[] = {&Operation::d, &Operation::a, &Operation::b,
                                               &Operation::c, &Operation::e};
  instruction.expect_operands(definition.operand_count);
  op.d = decoder.destination(instruction.operand(0), definition.bytes[0]);
  for (std::size_t i = 1; i < definition.operand_count; ++i) {
    const ptx::Operand& operand = instruction.operand(i);
    const bool is_predicate = definition.bytes[i] == 0;
    if (is_predicate && operand.negated) refuse("has a negated predicate operand");
    op.*slots[i] =
        is_predicate ? decoder.predicate(operand) : decoder.source(operand, definition.bytes[i]);
  }
  op.execute = definition.handler;
}

// Lanes that diverged may arrive one after another, as from a loop that some left earlier. Those
// that come together at last are one group again, so that this sees all of them; lanes that have
// ended, or that are at another such instruction, will never be among them.
bool is_whole_warp(Warp& warp, const Operation& op, LaneMask lanes, const Operation*& next) {
  if (lanes == all_lanes) return true;
  const Wait wait{Wait::Kind::whole_warp, 0, 0, all_lanes, op.execute};
  const bool all_have_come = !warp.converge(op, lanes, wait).empty();
  if (all_have_come) {
    warp.fault(op, static_cast<unsigned>(std::countr_zero(lanes)), Sentence::part_of_warp);
  }
  next = warp.block(op, lanes, wait, &op);
  return false;
}

}  // namespace tmaemu
