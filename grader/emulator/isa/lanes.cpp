#include "emulator/isa/lanes.h"

namespace tmaemu {

void decode_in_order(Decoder& decoder, const ptx::Instruction& instruction, Operation& op,
                     const Definition& definition) {
  if (instruction.operands.size() != definition.operand_count) {
    Decoder::refuse("has " + std::to_string(instruction.operands.size()) + " operands, and " +
                    std::to_string(definition.operand_count) + " are expected");
  }
  static constexpr Slot Operation::*slots[] = {&Operation::d, &Operation::a, &Operation::b,
                                               &Operation::c, &Operation::e};
  op.d = decoder.destination(instruction.operands[0], definition.bytes[0]);
  for (std::size_t i = 1; i < definition.operand_count; ++i) {
    const ptx::Operand& operand = instruction.operands[i];
    const bool is_predicate = definition.bytes[i] == 0;
    if (is_predicate && operand.negated) Decoder::refuse("has a negated predicate operand");
    op.*slots[i] =
        is_predicate ? decoder.predicate(operand) : decoder.source(operand, definition.bytes[i]);
  }
  op.execute = definition.handler;
}

}  // namespace tmaemu
