// Initial values of variables (PTX ISA, "Initializers").
#include <algorithm>
#include <bit>
#include <cstring>
#include <string>

#include "emulator/ptx/constant.h"
#include "emulator/ptx/variable.h"

namespace tmaemu::ptx {
namespace {

bool is_float_type(Type type) {
  return type == Type::f32 || type == Type::f64;
}

// The constant as the bits of a value of the type; its low bytes are what memory holds.
std::uint64_t bits_for_type(const Constant& constant, Type type) {
  if (constant.kind == Constant::Kind::float64 && size_of(type) == 4) {
    const auto narrowed = static_cast<float>(std::bit_cast<double>(constant.bits));
    return std::bit_cast<std::uint32_t>(narrowed);
  }
  if (constant.kind == Constant::Kind::float32 && type == Type::f64) {
    const auto value = std::bit_cast<float>(static_cast<std::uint32_t>(constant.bits));
    return std::bit_cast<std::uint64_t>(static_cast<double>(value));
  }
  if (!constant.is_integer() || !is_float_type(type)) return constant.bits;
  const double value = constant.kind == Constant::Kind::signed_integer
                           ? static_cast<double>(static_cast<std::int64_t>(constant.bits))
                           : static_cast<double>(constant.bits);
  if (type == Type::f64) return std::bit_cast<std::uint64_t>(value);
  return std::bit_cast<std::uint32_t>(static_cast<float>(value));
}

class InitializerParser {
 public:
  InitializerParser(TokenStream& tokens, Declarator& declarator, std::size_t& budget)
      : tokens_(tokens),
        declarator_(declarator),
        variable_(declarator.variable),
        budget_(budget),
        dimensions_(declarator.dimensions) {
    if (variable_.vector_width > 1) dimensions_.push_back(variable_.vector_width);
  }

  void parse() {
    const std::size_t bytes = size_of(variable_.type);
    if (bytes == 0 || bytes > sizeof(std::uint64_t))
      tokens_.fail("this type cannot be initialized");
    if (!variable_.is_unsized_array) {
      limit_ = variable_.element_count * variable_.vector_width;
    }
    if (dimensions_.empty()) {
      parse_value(0);
      return;
    }
    const std::size_t end = parse_braces(0, 0);
    if (variable_.is_unsized_array) fix_length(end);
  }

 private:
  static constexpr std::size_t unlimited = max_initializer_bytes;

  // Elements between two neighbors at a depth of the braces.
  std::size_t stride(std::size_t depth) const {
    std::size_t result = 1;
    for (std::size_t i = depth + 1; i < dimensions_.size(); ++i) result *= dimensions_[i];
    return result;
  }

  // { value or { ... }, ... } for the elements from `first` on. Values without braces of their own
  // fill the inner dimensions one after the other, as in C. Returns the element behind the last.
  std::size_t parse_braces(std::size_t depth, std::size_t first) {
    tokens_.expect('{');
    std::size_t next = first;
    if (tokens_.accept('}')) return next;
    do {
      if (tokens_.current().is('{')) {
        const std::size_t step = stride(depth);
        if (depth + 1 >= dimensions_.size() ||
            (next - first) % std::max<std::size_t>(step, 1) != 0) {
          tokens_.fail("these braces do not match the array's dimensions");
        }
        const std::size_t inner_end = parse_braces(depth + 1, next);
        if (inner_end > next + step) tokens_.fail("too many initial values");
        next += step;
        if (next > limit_) tokens_.fail("too many initial values");
      } else {
        parse_value(next++);
      }
    } while (tokens_.accept(','));
    tokens_.expect('}');
    return next;
  }

  // Makes room for the element and returns where its bytes are.
  std::size_t offset_of(std::size_t element) {
    if (element >= limit_) tokens_.fail("too many initial values");
    const std::size_t bytes = size_of(variable_.type);
    const std::size_t end = (element + 1) * bytes;
    const std::size_t growth = end > variable_.bytes.size() ? end - variable_.bytes.size() : 0;
    if (growth > budget_) tokens_.fail("the initial values of this module are too large");
    budget_ -= growth;
    if (growth != 0) variable_.bytes.resize(end);
    return element * bytes;
  }

  void parse_value(std::size_t element) {
    const std::size_t offset = offset_of(element);
    if (!starts_constant(tokens_.current())) {
      parse_symbol(offset, 0);
      return;
    }
    const Constant constant = parse_constant(tokens_);
    if (tokens_.current().is('(')) {
      parse_masked_symbol(offset, constant);
      return;
    }
    const std::uint64_t bits = bits_for_type(constant, variable_.type);
    std::memcpy(variable_.bytes.data() + offset, &bits, size_of(variable_.type));
  }

  // 0xFF00(symbol): one byte of an address.
  void parse_masked_symbol(std::size_t offset, const Constant& mask) {
    const int shift = std::countr_zero(mask.bits);
    const bool is_one_byte =
        mask.is_integer() && mask.bits != 0 && shift % 8 == 0 && mask.bits >> shift == 0xff;
    if (!is_one_byte || size_of(variable_.type) != 1) {
      tokens_.fail("a mask takes one byte of an address, for an element of one byte");
    }
    tokens_.expect('(');
    parse_symbol(offset, static_cast<std::uint8_t>(shift));
    variable_.relocations.back().size = 1;
    tokens_.expect(')');
  }

  // symbol, generic(symbol), generic(symbol + 4), each with + or - an offset.
  void parse_symbol(std::size_t offset, std::uint8_t shift) {
    Variable::Relocation relocation;
    relocation.offset = offset;
    relocation.byte_shift = shift;
    relocation.size = static_cast<std::uint8_t>(size_of(variable_.type));
    Token name = tokens_.take_identifier("an initial value");
    if (name.text == "generic" && tokens_.accept('(')) {
      relocation.is_generic = true;
      name = tokens_.take_identifier("a variable or a function");
      relocation.addend = parse_addend();
      tokens_.expect(')');
    }
    relocation.symbol = name.text;
    // Addresses wrap; so does what is added to them.
    relocation.addend = static_cast<std::int64_t>(static_cast<std::uint64_t>(relocation.addend) +
                                                  static_cast<std::uint64_t>(parse_addend()));
    const bool holds_address = relocation.size == 4 || relocation.size == 8;
    if (!holds_address && !(relocation.size == 1 && tokens_.current().is(')'))) {
      tokens_.fail("an address needs an element of 4 or 8 bytes");
    }
    variable_.relocations.push_back(std::move(relocation));
  }

  std::int64_t parse_addend() {
    if (!tokens_.current().is('+') && !tokens_.current().is('-')) return 0;
    return parse_integer(tokens_, "an offset");
  }

  void fix_length(std::size_t elements) {
    const std::size_t row = std::max<std::size_t>(stride(0), 1);
    const std::size_t rows = (elements + row - 1) / row;
    variable_.is_unsized_array = false;
    variable_.element_count = rows * row / variable_.vector_width;
    declarator_.dimensions.front() = rows;
  }

  TokenStream& tokens_;
  Declarator& declarator_;
  Variable& variable_;
  std::size_t& budget_;
  std::vector<std::size_t> dimensions_;  // a vector type counts as one more
  std::size_t limit_ = unlimited;
};

}  // namespace

void parse_initializer(TokenStream& tokens, Declarator& declarator, std::size_t& budget) {
  InitializerParser(tokens, declarator, budget).parse();
}

}  // namespace tmaemu::ptx
