#include "emulator/ptx/operand.h"

#include <string>

#include "emulator/ptx/constant.h"

namespace tmaemu::ptx {
namespace {

class OperandParser {
 public:
  OperandParser(TokenStream& tokens, Scopes& scopes) : tokens_(tokens), scopes_(scopes) {}

  Operand parse(bool is_of_call) {
    const Token& token = tokens_.current();
    if (token.is('[')) return parse_memory();
    if (token.is('{')) return parse_list('{', '}', Operand::Kind::vector);
    if (is_of_call && token.is('(')) return parse_list('(', ')', Operand::Kind::call_list);
    return parse_simple();
  }

 private:
  // A register or a part of it, a symbol, `_`, `!p`, `-r`, `p|q` or a constant.
  Operand parse_simple() {
    if (tokens_.current().kind != Token::Kind::identifier) return parse_negation_or_constant();
    if (starts_constant(tokens_.current())) return parse_immediate();
    Operand operand = parse_name();
    if (tokens_.accept('|')) {
      const Token second = tokens_.take_identifier("the second destination");
      operand.second_name = second.text == "_" ? second.text : scopes_.resolve(second.text).name;
    } else if (operand.kind == Operand::Kind::symbol) {
      operand.offset = parse_offset();
    }
    return operand;
  }

  Operand parse_negation_or_constant() {
    if (!starts_constant(tokens_.current())) tokens_.fail_expecting("an operand");
    // What follows ! and - tells a register from a constant.
    const bool is_complement = tokens_.current().is('!');
    if (!is_complement && !tokens_.current().is('-')) return parse_immediate();
    const Token next = tokens_.following();
    if (next.kind == Token::Kind::identifier && !starts_constant(next)) {
      tokens_.take();
      Operand operand = parse_name();
      if (operand.kind != Operand::Kind::reg) {
        tokens_.fail(is_complement ? "only a predicate register can follow \"!\""
                                   : "only a register or a number can follow \"-\"");
      }
      operand.negated = true;
      return operand;
    }
    if (!is_complement) return parse_immediate();
    tokens_.take();
    Operand operand = parse_immediate();
    operand.bits = operand.bits == 0 ? 1 : 0;
    return operand;
  }

  // The length of ".b3210" and ".h1" at the end of a register's name: which bytes or halves of it
  // (PTX ISA, "Video Instructions"). 0 where there is none.
  static std::size_t length_of_part(std::string_view name) {
    const std::size_t dot = name.rfind('.');
    if (dot == std::string_view::npos || dot + 3 > name.size()) return 0;
    const std::string_view digits = name.substr(dot + 2);
    const bool is_part = (name[dot + 1] == 'b' || name[dot + 1] == 'h') &&
                         digits.find_first_not_of("01234567") == std::string_view::npos;
    return is_part ? name.size() - dot : 0;
  }

  Operand parse_name() {
    const Token token = tokens_.take();
    Operand operand;
    if (token.text == "_") return operand;
    const std::size_t part = length_of_part(token.text);
    const Scopes::Resolved resolved =
        scopes_.resolve(token.text.substr(0, token.text.size() - part));
    if (part != 0) operand.part = token.text.substr(token.text.size() - part + 1);
    operand.kind = resolved.is_register ? Operand::Kind::reg : Operand::Kind::symbol;
    operand.name = resolved.name;
    return operand;
  }

  Operand parse_immediate() {
    const Constant constant = parse_constant(tokens_);
    Operand operand;
    operand.bits = constant.bits;
    switch (constant.kind) {
      case Constant::Kind::float32:
        operand.kind = Operand::Kind::float32;
        break;
      case Constant::Kind::float64:
        operand.kind = Operand::Kind::float64;
        break;
      default:
        operand.kind = Operand::Kind::integer;
    }
    return operand;
  }

  std::int64_t parse_offset() {
    if (!tokens_.current().is('+') && !tokens_.current().is('-')) return 0;
    return parse_integer(tokens_, "an offset");
  }

  // {a, b} and (a, b); neither nests.
  Operand parse_list(char open, char close, Operand::Kind kind) {
    Operand operand;
    operand.kind = kind;
    tokens_.expect(open);
    if (tokens_.accept(close)) return operand;
    do {
      operand.elements.push_back(parse_simple());
    } while (tokens_.accept(','));
    tokens_.expect(close);
    return operand;
  }

  // [base + offset], [map, {coordinates}], or with .override::global_address
  // [map, global address, {coordinates}].
  Operand parse_memory() {
    tokens_.expect('[');
    Operand address = parse_address();
    if (tokens_.accept(',')) {
      Operand tensor;
      tensor.kind = Operand::Kind::tensor_address;
      tensor.elements.push_back(std::move(address));
      do {
        const bool is_vector = tokens_.current().is('{');
        tensor.elements.push_back(is_vector ? parse_list('{', '}', Operand::Kind::vector)
                                            : parse_simple());
      } while (tokens_.accept(','));
      address = std::move(tensor);
    }
    tokens_.expect(']');
    // `[a].unified` promises one value for all devices (PTX ISA ld); with one device it says
    // nothing.
    tokens_.accept_directive(".unified");
    return address;
  }

  Operand parse_address() {
    Operand operand;
    operand.kind = Operand::Kind::address;
    const Token& token = tokens_.current();
    if (token.kind == Token::Kind::identifier && !starts_constant(token)) {
      const Scopes::Resolved base = scopes_.resolve(tokens_.take().text);
      operand.name = base.name;
      operand.base_is_register = base.is_register;
      operand.offset = parse_offset();
    } else {
      operand.offset = parse_integer(tokens_, "an address");
    }
    return operand;
  }

  TokenStream& tokens_;
  Scopes& scopes_;
};

}  // namespace

Operand parse_operand(TokenStream& tokens, Scopes& scopes, bool is_of_call) {
  return OperandParser(tokens, scopes).parse(is_of_call);
}

}  // namespace tmaemu::ptx
