// Instruction operands (PTX ISA, "Instruction Operands").
#pragma once

#include "emulator/ptx/lexer.h"
#include "emulator/ptx/module.h"
#include "emulator/ptx/scopes.h"

namespace tmaemu::ptx {

// `is_of_call`: parentheses hold the parameters of a call instead of a constant expression.
Operand parse_operand(TokenStream& tokens, Scopes& scopes, bool is_of_call);

}  // namespace tmaemu::ptx
