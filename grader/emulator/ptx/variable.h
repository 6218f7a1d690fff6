// Declarations of variables and parameters, and their initializers (PTX ISA, "Variables").
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "emulator/ptx/lexer.h"
#include "emulator/ptx/module.h"

namespace tmaemu::ptx {

// Larger objects than this (1 TiB) are no program's; the limit keeps sizes from overflowing.
inline constexpr std::uint64_t max_object_bytes = std::uint64_t{1} << 40;
// Initial values in one module: nested braces can ask for many zeros with little text.
inline constexpr std::size_t max_initializer_bytes = std::size_t{256} << 20;

// What the declarators of one declaration share: `.const .align 8 .v2 .f32`, attributes included.
struct DeclarationHead {
  StateSpace space = StateSpace::none;
  Type type = Type::none;
  std::size_t alignment = 0;  // 0: the type's own
  std::size_t vector_width = 1;
  bool is_managed = false;
};

// The state space a directive names (".shared"), or none.
StateSpace state_space_from_directive(const Token& token);

// The rest of a head, up to the type, where the state space has been consumed.
DeclarationHead parse_declaration_head(TokenStream& tokens, StateSpace space);

// The dimensions behind the name, which has been consumed; fills what follows from the head.
struct Declarator {
  Variable variable;
  std::vector<std::size_t> dimensions;  // a first one of 0 means []
};
Declarator parse_declarator(TokenStream& tokens, const DeclarationHead& head, const Token& name);

// `= value` or `= {...}`, where "=" has been consumed. Fixes the length of an array declared with
// []. `budget` is what is left of max_initializer_bytes, and is reduced.
void parse_initializer(TokenStream& tokens, Declarator& declarator, std::size_t& budget);

// One parameter of a function: `.param .u64 .ptr .global .align 8 name[4]`, `.reg .b32 %a`. The
// name `_` of a prototype is kept as it is.
Variable parse_parameter(TokenStream& tokens);
// The same in parentheses, separated by commas; perhaps none.
std::vector<Variable> parse_parameter_list(TokenStream& tokens);

}  // namespace tmaemu::ptx
