#include "emulator/ptx/constant.h"

#include <array>
#include <bit>
#include <charconv>
#include <limits>
#include <optional>

namespace tmaemu::ptx {
namespace {

// Deeper nesting is nobody's program, and must not exhaust the stack.
constexpr int max_depth = 100;
constexpr std::string_view warp_size = "WARP_SZ";

Constant boolean(bool value) {
  return {Constant::Kind::signed_integer, value ? 1u : 0u};
}

bool has_prefix(std::string_view text, char letter) {
  return text.size() > 2 && text[0] == '0' && (text[1] | 0x20) == letter;
}

std::optional<std::uint64_t> digits_to_integer(std::string_view digits, int base) {
  std::uint64_t value = 0;
  const char* end = digits.data() + digits.size();
  const auto [stop, error] = std::from_chars(digits.data(), end, value, base);
  if (error != std::errc() || stop != end) return std::nullopt;
  return value;
}

std::optional<Constant> float_pattern(std::string_view text, Constant::Kind kind,
                                      std::size_t digits) {
  if (text.size() != digits + 2) return std::nullopt;
  const auto bits = digits_to_integer(text.substr(2), 16);
  if (!bits) return std::nullopt;
  return Constant{kind, *bits};
}

std::optional<Constant> decimal_float(std::string_view text) {
  double value = 0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc() || stop != end) return std::nullopt;
  return Constant{Constant::Kind::float64, std::bit_cast<std::uint64_t>(value)};
}

// PTX ISA, "Integer Constants": an integer literal is signed where it fits and has no U suffix,
// else unsigned.
std::optional<Constant> integer_literal(std::string_view text) {
  const bool has_suffix = text.back() == 'U';
  if (has_suffix) text.remove_suffix(1);
  std::optional<std::uint64_t> value;
  if (has_prefix(text, 'x')) {
    value = digits_to_integer(text.substr(2), 16);
  } else if (has_prefix(text, 'b')) {
    value = digits_to_integer(text.substr(2), 2);
  } else if (text.size() > 1 && text[0] == '0') {
    value = digits_to_integer(text.substr(1), 8);
  } else {
    value = digits_to_integer(text, 10);
  }
  if (!value) return std::nullopt;
  const bool fits_signed = *value <= std::uint64_t{std::numeric_limits<std::int64_t>::max()};
  const bool is_unsigned = has_suffix || !fits_signed;
  return Constant{is_unsigned ? Constant::Kind::unsigned_integer : Constant::Kind::signed_integer,
                  *value};
}

std::optional<Constant> literal(std::string_view text) {
  if (has_prefix(text, 'f')) return float_pattern(text, Constant::Kind::float32, 8);
  if (has_prefix(text, 'd')) return float_pattern(text, Constant::Kind::float64, 16);
  const bool is_prefixed = has_prefix(text, 'x') || has_prefix(text, 'b');
  if (!is_prefixed && text.find_first_of(".eE") != std::string_view::npos) {
    return decimal_float(text);
  }
  return integer_literal(text);
}

struct BinaryOperator {
  std::string_view text;
  int precedence;
};

// C's operators with C's precedence; a larger number binds tighter.
constexpr std::array binary_operators = {
    BinaryOperator{"||", 0}, BinaryOperator{"&&", 1}, BinaryOperator{"|", 2},
    BinaryOperator{"^", 3},  BinaryOperator{"&", 4},  BinaryOperator{"==", 5},
    BinaryOperator{"!=", 5}, BinaryOperator{"<", 6},  BinaryOperator{">", 6},
    BinaryOperator{"<=", 6}, BinaryOperator{">=", 6}, BinaryOperator{"<<", 7},
    BinaryOperator{">>", 7}, BinaryOperator{"+", 8},  BinaryOperator{"-", 8},
    BinaryOperator{"*", 9},  BinaryOperator{"/", 9},  BinaryOperator{"%", 9},
};

const BinaryOperator* find_operator(const Token& token) {
  // The lexer takes a lone % for the start of a name.
  if (token.kind != Token::Kind::punctuation && token.text != "%") return nullptr;
  for (const BinaryOperator& entry : binary_operators) {
    if (entry.text == token.text) return &entry;
  }
  return nullptr;
}

class ExpressionParser {
 public:
  explicit ExpressionParser(TokenStream& tokens) : tokens_(tokens) {}

  // condition ? a : b, the operator that binds least.
  Constant parse() {
    const Depth depth(*this);
    const Constant condition = binary(0);
    if (!tokens_.accept('?')) return condition;
    const Constant if_true = parse();
    tokens_.expect(':');
    const Constant if_false = parse();
    require_integers(condition, condition);
    require_integers(if_true, if_false);
    return {common_kind(if_true, if_false), condition.bits != 0 ? if_true.bits : if_false.bits};
  }

 private:
  // Counts how deep the recursion is while it lives.
  class Depth {
   public:
    explicit Depth(ExpressionParser& parser) : parser_(parser) {
      if (parser.depth_ >= max_depth) parser.tokens_.fail("this expression is nested too deeply");
      ++parser_.depth_;
    }
    ~Depth() { --parser_.depth_; }
    Depth(const Depth&) = delete;
    Depth& operator=(const Depth&) = delete;

   private:
    ExpressionParser& parser_;
  };

  static Constant::Kind common_kind(const Constant& a, const Constant& b) {
    const bool is_unsigned =
        a.kind == Constant::Kind::unsigned_integer || b.kind == Constant::Kind::unsigned_integer;
    return is_unsigned ? Constant::Kind::unsigned_integer : Constant::Kind::signed_integer;
  }

  void require_integers(const Constant& a, const Constant& b) const {
    if (!a.is_integer() || !b.is_integer()) {
      tokens_.fail("PTX has no arithmetic on floating-point constants");
    }
  }

  Constant binary(int minimum_precedence) {
    const Depth depth(*this);
    Constant left = unary();
    while (const BinaryOperator* entry = find_operator(tokens_.current())) {
      if (entry->precedence < minimum_precedence) break;
      tokens_.take();
      const Constant right = binary(entry->precedence + 1);
      require_integers(left, right);
      left = apply(entry->text, left, right);
    }
    return left;
  }

  Constant apply(std::string_view op, const Constant& left, const Constant& right) const {
    const std::uint64_t a = left.bits;
    const std::uint64_t b = right.bits;
    const Constant::Kind kind = common_kind(left, right);
    if (op == "+") return {kind, a + b};
    if (op == "-") return {kind, a - b};
    if (op == "*") return {kind, a * b};
    if (op == "&") return {kind, a & b};
    if (op == "|") return {kind, a | b};
    if (op == "^") return {kind, a ^ b};
    if (op == "/" || op == "%") return divide(op == "/", kind, a, b);
    if (op == "<<") return {left.kind, b > 63 ? 0 : a << b};
    if (op == ">>") return {left.kind, shift_right(left, b)};
    if (op == "&&") return boolean(a != 0 && b != 0);
    if (op == "||") return boolean(a != 0 || b != 0);
    if (op == "==") return boolean(a == b);
    if (op == "!=") return boolean(a != b);
    const bool is_less = less(kind, a, b);
    if (op == "<") return boolean(is_less);
    if (op == ">=") return boolean(!is_less);
    const bool is_greater = less(kind, b, a);
    return boolean(op == ">" ? is_greater : !is_greater);
  }

  static bool less(Constant::Kind kind, std::uint64_t a, std::uint64_t b) {
    if (kind == Constant::Kind::unsigned_integer) return a < b;
    return static_cast<std::int64_t>(a) < static_cast<std::int64_t>(b);
  }

  static std::uint64_t shift_right(const Constant& value, std::uint64_t count) {
    if (value.kind == Constant::Kind::unsigned_integer) return count > 63 ? 0 : value.bits >> count;
    const auto signed_value = static_cast<std::int64_t>(value.bits);
    return static_cast<std::uint64_t>(signed_value >> (count > 63 ? 63 : count));
  }

  Constant divide(bool wants_quotient, Constant::Kind kind, std::uint64_t a,
                  std::uint64_t b) const {
    if (b == 0) tokens_.fail("this constant expression divides by zero");
    if (kind == Constant::Kind::unsigned_integer) return {kind, wants_quotient ? a / b : a % b};
    // The most negative number has no positive counterpart: its division by -1 wraps.
    if (b == ~std::uint64_t{0}) return {kind, wants_quotient ? 0 - a : 0};
    const auto x = static_cast<std::int64_t>(a);
    const auto y = static_cast<std::int64_t>(b);
    return {kind, static_cast<std::uint64_t>(wants_quotient ? x / y : x % y)};
  }

  Constant unary() {
    const Depth depth(*this);
    if (tokens_.accept('-')) return negate(unary());
    if (tokens_.accept('+')) return unary();
    if (tokens_.accept('~')) {
      const Constant operand = unary();
      require_integers(operand, operand);
      return {operand.kind, ~operand.bits};
    }
    if (tokens_.accept('!')) {
      const Constant operand = unary();
      require_integers(operand, operand);
      return boolean(operand.bits == 0);
    }
    if (tokens_.accept('(')) return parenthesis();
    return primary();
  }

  static Constant negate(const Constant& operand) {
    if (operand.kind == Constant::Kind::float32) return {operand.kind, operand.bits ^ (1ull << 31)};
    if (operand.kind == Constant::Kind::float64) return {operand.kind, operand.bits ^ (1ull << 63)};
    return {operand.kind, 0 - operand.bits};
  }

  // What follows "(": a cast, (.s64) or (.u64), or an expression in parentheses.
  Constant parenthesis() {
    const bool to_signed = tokens_.accept_directive(".s64");
    if (to_signed || tokens_.accept_directive(".u64")) {
      tokens_.expect(')');
      const Constant operand = unary();
      require_integers(operand, operand);
      return {to_signed ? Constant::Kind::signed_integer : Constant::Kind::unsigned_integer,
              operand.bits};
    }
    const Constant inner = parse();
    tokens_.expect(')');
    return inner;
  }

  Constant primary() {
    const Token& token = tokens_.current();
    if (token.kind == Token::Kind::identifier && token.text == warp_size) {
      tokens_.take();
      return {Constant::Kind::signed_integer, 32};
    }
    if (token.kind != Token::Kind::number) tokens_.fail_expecting("a constant");
    const std::optional<Constant> value = literal(token.text);
    if (!value) tokens_.fail("\"" + std::string(token.text) + "\" is not a PTX number");
    tokens_.take();
    return *value;
  }

  TokenStream& tokens_;
  int depth_ = 0;
};

}  // namespace

bool starts_constant(const Token& token) {
  if (token.kind == Token::Kind::number) return true;
  if (token.kind == Token::Kind::identifier) return token.text == warp_size;
  return token.is('-') || token.is('+') || token.is('~') || token.is('!') || token.is('(');
}

Constant parse_constant(TokenStream& tokens) {
  return ExpressionParser(tokens).parse();
}

std::int64_t parse_integer(TokenStream& tokens, std::string_view what) {
  if (!starts_constant(tokens.current())) tokens.fail_expecting(what);
  const Constant value = parse_constant(tokens);
  if (!value.is_integer()) tokens.fail(std::string(what) + " must be an integer");
  return static_cast<std::int64_t>(value.bits);
}

std::uint64_t parse_unsigned(TokenStream& tokens, std::string_view what, std::uint64_t maximum) {
  const auto value = static_cast<std::uint64_t>(parse_integer(tokens, what));
  if (value > maximum) {
    tokens.fail(std::string(what) + " must be a number from 0 to " + std::to_string(maximum));
  }
  return value;
}

}  // namespace tmaemu::ptx
