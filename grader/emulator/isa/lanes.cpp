#include "emulator/isa/lanes.h"

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

}  // namespace tmaemu
