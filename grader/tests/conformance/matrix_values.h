// Elements of matrices, of all types that matrix instructions have and of kinds at which their
// arithmetic may differ.
#pragma once

#include <cstdint>
#include <string_view>

#include "common/split_mix.h"

namespace conformance {

enum class MatrixValues : std::uint8_t {
  near,       // of about the same size
  wide,       // of all sizes
  canceling,  // few magnitudes, both signs
  subnormal,  // and the smallest normal numbers
  special,    // infinities, NaNs and zeros among others
  zeros,      // of both signs, among others
  one_large,  // few that are much larger than the others
  ties,       // powers of two: sums lie halfway between numbers
  raw,        // any bits
};
inline constexpr std::string_view matrix_value_names[] = {
    "near", "wide", "canceling", "subnormal", "special", "zeros", "one large", "ties", "raw"};

// 64 bits of elements of the type ("bf16"), the first in the lowest bits. Accumulators ("f32",
// "s32") are such that they matter beside products.
std::uint64_t matrix_word(std::string_view type, MatrixValues values, common::SplitMix64& random);

// Bits of an element.
unsigned matrix_element_bits(std::string_view type);

}  // namespace conformance
