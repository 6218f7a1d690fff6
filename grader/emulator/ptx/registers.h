// The registers that an operand of PTX names.
#pragma once

#include "emulator/ptx/module.h"

namespace tmaemu::ptx {

// Calls visit(name) for each register in the operand.
template <class Visit>
void for_each_register(const Operand& operand, Visit visit) {
  using Kind = Operand::Kind;
  if (operand.kind == Kind::reg || operand.kind == Kind::address) {
    if (!operand.name.empty()) visit(operand.name);
    if (!operand.second_name.empty()) visit(operand.second_name);
  }
  for (const Operand& element : operand.elements) for_each_register(element, visit);
}

}  // namespace tmaemu::ptx
