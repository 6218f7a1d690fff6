#include "tests/conformance/product_cases.h"

#include <algorithm>
#include <array>

#include "common/split_mix.h"

namespace conformance {
namespace {

constexpr unsigned threads = 128;

class Random {
 public:
  explicit Random(std::uint64_t seed) : random_(seed) {}
  std::uint32_t bits() { return static_cast<std::uint32_t>(random_.next() >> 32); }
  std::uint32_t below(std::uint32_t count) {
    return static_cast<std::uint32_t>(std::uint64_t{bits()} * count >> 32);
  }
  bool one_in(std::uint32_t count) { return below(count) == 0; }

 private:
  common::SplitMix64 random_;
};

enum class Kind : std::uint8_t { near, wide, subnormal, special, full, zeros, raw, few };
constexpr std::uint32_t kind_count = static_cast<std::uint32_t>(Kind::few) + 1;

std::uint32_t random_code(const ProductType& type, Kind kind, Random& random) {
  const std::uint32_t bits = random.bits();
  if (type.exponent_bits == 0 || kind == Kind::raw) return bits;
  const std::uint32_t top = (1u << type.exponent_bits) - 1;
  std::uint32_t exponent = top / 2 - 2 + random.below(5);
  std::uint32_t fraction = bits & ((1u << type.fraction_bits) - 1);
  const std::uint32_t sign = bits >> 31;
  if (kind == Kind::wide) exponent = 1 + random.below(top - 1);
  if (kind == Kind::subnormal) exponent = random.below(3);
  if (kind == Kind::special && random.one_in(32)) exponent = random.one_in(2) ? top : 0;
  if (kind == Kind::special && random.one_in(16)) fraction = 0;
  if (kind == Kind::full) exponent = top / 2, fraction = (1u << type.fraction_bits) - 1;
  if (kind == Kind::zeros && !random.one_in(4)) exponent = fraction = 0;
  if (kind == Kind::few) fraction &= 1u << (type.fraction_bits - 1);  // sums that cancel
  // What the type does not use may hold anything.
  const std::uint32_t unused = random.bits() & ((1u << type.unused_bits) - 1);
  return ((sign << type.exponent_bits | exponent) << type.fraction_bits | fraction)
             << type.unused_bits |
         unused;
}

std::uint32_t random_word(const ProductType& type, Kind kind, Random& random) {
  if (type.bits == 1 || type.bits == 32) return random_code(type, kind, random);
  std::uint32_t word = 0;
  for (unsigned i = 0; i < 32; i += type.bits) {
    const std::uint32_t mask = (1u << type.bits) - 1;
    word |= (random_code(type, kind, random) & mask) << i;
  }
  return word;
}

// A matrix of so many lines of `bytes` bytes that lies in the image.
class RandomMatrix {
 public:
  RandomMatrix(unsigned lines, unsigned bytes, bool is_transposed, Random& random)
      : lines_(lines), bytes_(bytes), is_transposed_(is_transposed) {
    swizzle_ = random.below(4);
    // Columns of 64 bytes in atoms of 32: nothing says what that is.
    if (bytes > 32 && !is_transposed && swizzle_ == 3) swizzle_ = 1 + random.below(2);
    static constexpr std::array units{1u, 8u, 4u, 2u};
    units_ = units[swizzle_];
    const bool is_tidy = random.one_in(2);
    start_ = is_tidy ? random.below(8) * 64 : random.below(512);
    leading_ = is_tidy ? 8 * units_ * (1 + random.below(4)) : random.below(256);
    stride_ = is_tidy ? 8 * units_ * (1 + random.below(4)) : random.below(256);
    base_offset_ = random.one_in(2) ? 0 : random.below(8);
    while (end() > product_image_bytes / 16) {
      leading_ /= 2;
      stride_ /= 2;
    }
  }
  std::uint64_t descriptor() const {
    return std::uint64_t{start_} | std::uint64_t{leading_} << 16 | std::uint64_t{stride_} << 32 |
           std::uint64_t{base_offset_} << 49 | std::uint64_t{swizzle_} << 62;
  }

 private:
  // In units of 16 bytes, behind the last one and what a swizzle may exchange with it.
  std::uint32_t end() const {
    const std::uint32_t places = is_transposed_ ? bytes_ / 16 + 1 : bytes_ / 16;
    return start_ + (lines_ / 8 + places) * std::max(leading_, stride_) + 16 * units_ + 8;
  }

  unsigned lines_, bytes_;
  bool is_transposed_;
  std::uint32_t swizzle_ = 0, units_ = 1;
  std::uint32_t start_ = 0, leading_ = 0, stride_ = 0, base_offset_ = 0;
};

// Four bits a chunk: which of its elements a sparse A keeps. PTX ISA, "Sparse matrix storage".
std::uint32_t random_metadata(const ProductType& type, Random& random) {
  static constexpr std::array pairs{0x4u, 0x8u, 0x9u, 0xCu, 0xDu, 0xEu};
  static constexpr std::array single{0x4u, 0xEu};
  std::uint32_t word = 0;
  for (unsigned i = 0; i < 32; i += 4) {
    word |= (type.bits == 32 ? single[random.below(2)] : pairs[random.below(6)]) << i;
  }
  return word;
}

}  // namespace

ProductCase product_case(const ProductForm& form, std::uint64_t seed) {
  Random random(seed);
  const auto kind = static_cast<Kind>(random.below(kind_count));
  ProductCase one;
  one.image.resize(product_image_bytes / 4);
  // Where A's and B's types differ, both have eight bits, and each is read where it lies.
  for (std::uint32_t& word : one.image) {
    word = random_word(random.one_in(2) ? form.a : form.b, kind, random);
  }
  one.a.resize(threads * 5);
  for (unsigned i = 0; i < threads * 4; ++i) one.a[i] = random_word(form.a, kind, random);
  for (unsigned i = threads * 4; i < threads * 5; ++i) {
    one.a[i] = random_metadata(form.a, random);
  }
  static constexpr ProductType f32{"f32", 32, 8, 23}, f16{"f16", 16, 5, 10}, s32{"s32", 32, 0, 0};
  const std::string d = form.d;
  const ProductType& type = d == "f32" ? f32 : d == "f16" ? f16 : s32;
  const auto kind_of_d = random.one_in(2) ? kind : static_cast<Kind>(random.below(kind_count));
  one.d.resize(std::size_t{threads} * form.d_registers());
  for (std::uint32_t& word : one.d) word = random_word(type, kind_of_d, random);
  one.a_matrix = RandomMatrix(64, ProductForm::a_bytes, form.is_a_transposed, random).descriptor();
  one.b_matrix = RandomMatrix(form.n, form.b_bytes(), form.is_b_transposed, random).descriptor();
  one.accumulates = !random.one_in(6);
  return one;
}

}  // namespace conformance
