#include "emulator/ptx/variable.h"

#include <string>

#include "emulator/ptx/constant.h"

namespace tmaemu::ptx {
namespace {

constexpr std::size_t max_alignment = std::size_t{1} << 30;
// More than C++ programs have; bounds the recursion into nested braces.
constexpr std::size_t max_dimensions = 32;

std::size_t parse_alignment(TokenStream& tokens) {
  const std::size_t value = parse_unsigned(tokens, "an alignment", max_alignment);
  if (value == 0 || (value & (value - 1)) != 0) tokens.fail("an alignment must be a power of two");
  return value;
}

// .attribute(.managed, .unified(uuid1, uuid2)); `.unified` changes nothing for one device.
void parse_attributes(TokenStream& tokens, DeclarationHead& head) {
  tokens.expect('(');
  do {
    if (tokens.accept_directive(".managed")) {
      head.is_managed = true;
    } else if (tokens.accept_directive(".unified")) {
      tokens.expect('(');
      parse_integer(tokens, "the first half of an identifier");
      tokens.expect(',');
      parse_integer(tokens, "the second half of an identifier");
      tokens.expect(')');
    } else {
      tokens.fail_expecting(".managed or .unified");
    }
  } while (tokens.accept(','));
  tokens.expect(')');
}

// `.ptr .global .align 16` behind a parameter's type speaks of what the parameter points to, and is
// a hint to the optimizer.
void parse_pointer_hint(TokenStream& tokens) {
  if (!tokens.accept_directive(".ptr")) return;
  if (state_space_from_directive(tokens.current()) != StateSpace::none) tokens.take();
  if (tokens.accept_directive(".align")) parse_alignment(tokens);
}

std::size_t multiply_checked(TokenStream& tokens, std::size_t a, std::size_t b) {
  std::size_t product = 0;
  if (__builtin_mul_overflow(a, b, &product) || std::uint64_t{product} > max_object_bytes) {
    tokens.fail("this object is too large");
  }
  return product;
}

void parse_dimensions(TokenStream& tokens, Declarator& declarator) {
  Variable& variable = declarator.variable;
  // The size with lengths of zero left out: the strides of initializers must not overflow either.
  std::size_t bytes = size_of(variable.type) * variable.vector_width;
  while (tokens.accept('[')) {
    const bool is_first = declarator.dimensions.empty();
    std::size_t length = 0;
    if (is_first && tokens.current().is(']')) {
      variable.is_unsized_array = true;
    } else {
      length = parse_unsigned(tokens, "the length of an array", max_object_bytes);
    }
    tokens.expect(']');
    declarator.dimensions.push_back(length);
    if (declarator.dimensions.size() > max_dimensions) tokens.fail("too many dimensions");
    if (length != 0) bytes = multiply_checked(tokens, bytes, length);
    variable.element_count *= length;
  }
}

}  // namespace

StateSpace state_space_from_directive(const Token& token) {
  if (token.is_directive(".reg")) return StateSpace::reg;
  if (token.is_directive(".const")) return StateSpace::constant;
  if (token.is_directive(".global")) return StateSpace::global;
  if (token.is_directive(".local")) return StateSpace::local;
  if (token.is_directive(".param")) return StateSpace::param;
  if (token.is_directive(".shared")) return StateSpace::shared;
  return StateSpace::none;
}

DeclarationHead parse_declaration_head(TokenStream& tokens, StateSpace space) {
  DeclarationHead head;
  head.space = space;
  while (true) {
    const Token directive = tokens.current();
    if (tokens.accept_directive(".align")) {
      head.alignment = parse_alignment(tokens);
    } else if (tokens.accept_directive(".attribute")) {
      parse_attributes(tokens, head);
    } else if (tokens.accept_directive(".v2")) {
      head.vector_width = 2;
    } else if (tokens.accept_directive(".v4")) {
      head.vector_width = 4;
    } else if (directive.kind != Token::Kind::directive) {
      tokens.fail_expecting("a type");
    } else if (const auto type = type_from_name(directive.text.substr(1)); type) {
      head.type = *type;
      if (head.type == Type::pred && space != StateSpace::reg) {
        tokens.fail("a predicate can only be a register");
      }
      tokens.take();
      return head;
    } else {
      tokens.fail_expecting("a type");
    }
  }
}

Declarator parse_declarator(TokenStream& tokens, const DeclarationHead& head, const Token& name) {
  Declarator declarator;
  Variable& variable = declarator.variable;
  variable.name = name.text;
  variable.line = name.line;
  variable.space = head.space;
  variable.type = head.type;
  variable.vector_width = head.vector_width;
  variable.is_managed = head.is_managed;
  const std::size_t natural = size_of(head.type) * head.vector_width;
  variable.alignment = head.alignment != 0 ? head.alignment : (natural != 0 ? natural : 1);
  parse_dimensions(tokens, declarator);
  return declarator;
}

Variable parse_parameter(TokenStream& tokens) {
  const StateSpace space = state_space_from_directive(tokens.current());
  if (space != StateSpace::param && space != StateSpace::reg) {
    tokens.fail_expecting("a parameter (.param or .reg)");
  }
  tokens.take();
  const DeclarationHead head = parse_declaration_head(tokens, space);
  parse_pointer_hint(tokens);
  const Token name = tokens.take_identifier("the name of the parameter");
  return parse_declarator(tokens, head, name).variable;
}

std::vector<Variable> parse_parameter_list(TokenStream& tokens) {
  std::vector<Variable> parameters;
  tokens.expect('(');
  if (tokens.accept(')')) return parameters;
  do {
    parameters.push_back(parse_parameter(tokens));
  } while (tokens.accept(','));
  tokens.expect(')');
  return parameters;
}

}  // namespace tmaemu::ptx
