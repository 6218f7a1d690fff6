// The multi-term addition of Hopper's matrix units, one result at a time and exact: the slow and
// plain model that the fast code is compared with, and falls back to.
#pragma once

#include <span>

#include "emulator/numeric/float_format.h"
#include "emulator/tensor/product.h"

namespace tmaemu::tensor {

// An element of A or B. The leading digit of its significand has the weight 2^exponent, and is 0
// for a subnormal number, which is not normalized.
struct Factor {
  ExactNumber number;
  int exponent = 0;

  bool is_zero() const {
    return number.kind == ExactNumber::Kind::finite && number.significand == 0;
  }
};

// `is_widened`: as f16, where a subnormal e4m3 is a normal number.
Factor factor(Element type, u32 code, bool is_widened = false);

enum class SumFormat : std::uint8_t {
  f32,         // rounded toward zero
  coarse_f32,  // cut to 13 fraction bits
  f16,         // rounded to nearest even
};

// What is kept of a sum's terms: those bits that weigh at least 2^(E - kept_bits), where E is the
// largest exponent of a term, and at least `least_exponent`.
struct BlockRule {
  int kept_bits = 25;
  int least_exponent = -133;
  SumFormat sum = SumFormat::f32;
};

BlockRule block_rule(const Product& product);

// c + a[0] * b[0] + a[1] * b[1] + ... as one addition. c and the result are the bits of an f32 that
// holds a number of the sum's format.
u32 add_block(const BlockRule& rule, std::span<const Factor> a, std::span<const Factor> b, u32 c);

}  // namespace tmaemu::tensor
