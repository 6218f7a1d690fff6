#include "tests/conformance/matrix_values.h"

#include <algorithm>
#include <iterator>

namespace conformance {
namespace {

struct ElementType {
  std::string_view name;
  unsigned bits;
  // Of a floating-point type; 0 of others.
  unsigned exponent_bits = 0;
  unsigned fraction_bits = 0;
  unsigned unused_bits = 0;
};

constexpr ElementType element_types[] = {
    {"f16", 16, 5, 10},  {"bf16", 16, 8, 7}, {"tf32", 32, 8, 10, 13},
    {"e4m3", 8, 4, 3},   {"e5m2", 8, 5, 2},  {"f32", 32, 8, 23},
    {"f64", 64, 11, 52}, {"s8", 8},          {"u8", 8},
    {"s4", 4},           {"u4", 4},          {"b1", 1},
    {"s32", 32},
};

const ElementType& type_named(std::string_view name) {
  return *std::ranges::find(element_types, name, &ElementType::name);
}

class Element {
 public:
  Element(const ElementType& type, MatrixValues values, common::SplitMix64& random)
      : type_(type), values_(values), random_(random) {}

  std::uint64_t next() { return type_.exponent_bits != 0 ? floating() : integer(); }

 private:
  unsigned below(unsigned limit) { return static_cast<unsigned>((random_.next() >> 32) % limit); }
  std::uint64_t mask() const { return ~std::uint64_t{0} >> (64 - type_.bits); }

  std::uint64_t integer() {
    const std::uint64_t raw = random_.next() & mask();
    const std::uint64_t limit = mask() >> 1;  // the largest signed one
    switch (values_) {
      case MatrixValues::near:
      case MatrixValues::zeros:
        return type_.bits == 1 ? raw : raw & 7;
      case MatrixValues::canceling:
        return below(2) != 0 ? limit : mask() - limit + 1;
      case MatrixValues::one_large:
      case MatrixValues::special:  // accumulators near the ends of their range
        if (type_.bits != 32) return below(4) != 0 ? limit : raw;
        return (below(2) != 0 ? limit : limit + 1) ^ (raw & 0xffff);
      default:
        return raw;
    }
  }

  std::uint64_t floating() {
    const auto top = (1u << type_.exponent_bits) - 1;
    const unsigned bias = top / 2;
    std::uint64_t fraction = random_.next() >> (64 - type_.fraction_bits);
    const auto make = [&](unsigned exponent) {
      const std::uint64_t sign = below(2);
      return ((sign << type_.exponent_bits | exponent) << type_.fraction_bits | fraction)
             << type_.unused_bits;
    };
    switch (values_) {
      case MatrixValues::near:
        return make(bias - 2 + below(5));
      case MatrixValues::wide:
        return make(wide_exponent(top, bias));
      case MatrixValues::canceling:
        fraction = below(2) != 0 ? 0 : std::uint64_t{1} << (type_.fraction_bits - 1);
        return make(bias + below(2));
      case MatrixValues::subnormal:
        return make(below(4) / 2 * (1 + below(2)));
      case MatrixValues::special:
        if (below(24) == 0) return make(top);
        if (below(24) == 0) fraction = 0;
        if (below(24) == 0) return make(fraction == 0 ? top : 0);
        return make(bias - 1 + below(3));
      case MatrixValues::zeros:
        if (below(4) != 0) fraction = 0;
        return make(fraction == 0 ? 0 : bias);
      case MatrixValues::one_large:
        return make(below(8) == 0 ? bias + std::min(bias, 5 + below(9)) : bias - below(2));
      case MatrixValues::ties:
        fraction = 0;
        return make(bias - std::min(bias - 1, below(15)));
      case MatrixValues::raw:
        break;
    }
    return random_.next() & mask();
  }

  // Those of a wide type only up to where products of narrower ones may be.
  unsigned wide_exponent(unsigned top, unsigned bias) {
    if (type_.exponent_bits < 8 || below(2) == 0) return 1 + below(top - 2);
    return bias - 40 + below(80);
  }

  const ElementType& type_;
  MatrixValues values_;
  common::SplitMix64& random_;
};

}  // namespace

std::uint64_t matrix_word(std::string_view type, MatrixValues values, common::SplitMix64& random) {
  const ElementType& named = type_named(type);
  Element element(named, values, random);
  std::uint64_t word = 0;
  for (unsigned at = 0; at < 64; at += named.bits) word |= element.next() << at;
  return word;
}

unsigned matrix_element_bits(std::string_view type) {
  return type_named(type).bits;
}

}  // namespace conformance
