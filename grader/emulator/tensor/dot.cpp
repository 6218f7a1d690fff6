#include "emulator/tensor/dot.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>

#include "emulator/numeric/sum.h"
#include "emulator/tensor/block.h"

namespace tmaemu::tensor {
namespace {

u32 dot_in_blocks(const Product& product, const std::byte* a, const std::byte* b, const u8* kept,
                  u32 c) {
  const bool halves = product.summation == Summation::halves_of_words;
  std::array<Factor, most_products> x, y;
  for (unsigned i = 0; i < product.k; ++i) {
    const unsigned place = place_of_product(product, i);
    x[i] = factor(product.a, code_at(product.a, a, place), halves);
    y[i] = factor(product.b, code_at(product.b, b, kept != nullptr ? kept[place] : place), halves);
  }
  const BlockRule rule = block_rule(product);
  u32 sum = halves ? 0 : c;
  for (unsigned i = 0; i < product.k; i += product.block) {
    sum = add_block(rule, std::span(x).subspan(i, product.block),
                    std::span(y).subspan(i, product.block), sum);
  }
  return halves ? ordinary_sum(product.accumulator, sum, c) : sum;
}

s64 product_at(const Product& product, const std::byte* a, unsigned i, const std::byte* b,
               unsigned j) {
  if (product.summation == Summation::integer) {
    return s64{integer_at(product.a, a, i)} * integer_at(product.b, b, j);
  }
  const u32 x = code_at(product.a, a, i), y = code_at(product.b, b, j);
  return product.summation == Summation::bits_and ? x & y : x ^ y;
}

}  // namespace

unsigned place_of_product(const Product& product, unsigned i) {
  if (product.summation != Summation::halves_of_words) return i;
  // First elements 0 and 1 of each word of four, then elements 2 and 3.
  const unsigned half = product.k / 2;
  const unsigned within = i % half;
  return within / 2 * 4 + within % 2 + (i < half ? 0 : 2);
}

u32 ordinary_sum(Accumulator type, u32 a, u32 b) {
  const f32 x = std::bit_cast<f32>(a), y = std::bit_cast<f32>(b);
  if (type == Accumulator::f32) return std::bit_cast<u32>(sum(x, y));
  return std::bit_cast<u32>(widen(sum(narrow<f16>(x), narrow<f16>(y))));
}

u32 integer_sum(const Product& product, s64 products, u32 c) {
  const s64 sum = products + static_cast<s32>(c);
  if (!product.saturates) return static_cast<u32>(sum);
  using Limits = std::numeric_limits<s32>;
  return static_cast<u32>(std::clamp<s64>(sum, Limits::min(), Limits::max()));
}

u32 dot(const Product& product, const std::byte* a, const std::byte* b, const u8* kept, u32 c) {
  if (product.summation == Summation::blocks || product.summation == Summation::halves_of_words) {
    return dot_in_blocks(product, a, b, kept, c);
  }
  s64 products = 0;
  for (unsigned i = 0; i < product.k; ++i) {
    products += product_at(product, a, i, b, kept != nullptr ? kept[i] : i);
  }
  return integer_sum(product, products, c);
}

// A NaN of B is passed on before the accumulator's, and that before A's.
f64 dot_f64(const Product& product, const std::byte* a, const std::byte* b, f64 c) {
  const RoundingScope scope(product.rounding);
  for (unsigned i = 0; i < product.k; ++i) {
    const f64 x = element_at<f64>(a, i), y = element_at<f64>(b, i);
    c = propagated(std::fma(x, y, c), y, c, x);
  }
  return c;
}

}  // namespace tmaemu::tensor
