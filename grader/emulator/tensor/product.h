// What one matrix instruction of sm_90a computes: a matrix D = A * B + C, element by element.
//
// PTX says little of the arithmetic; what is written here was measured on an H100. Some PTX
// instructions are sequences in machine code, and then the sequence defines the answer: that is
// what Summation tells apart.
#pragma once

#include <cstdint>

#include "emulator/numeric/rounding.h"
#include "emulator/numeric/types.h"

namespace tmaemu::tensor {

// Types of the elements of A and B. PTX ISA, "Matrix Data-types".
enum class Element : std::uint8_t { f16, bf16, tf32, e4m3, e5m2, f64, s8, u8, s4, u4, b1 };

constexpr unsigned bits_of(Element type) {
  switch (type) {
    case Element::f64:
      return 64;
    case Element::tf32:
      return 32;
    case Element::f16:
    case Element::bf16:
      return 16;
    case Element::s4:
    case Element::u4:
      return 4;
    case Element::b1:
      return 1;
    default:
      return 8;
  }
}

constexpr bool is_fp8(Element type) {
  return type == Element::e4m3 || type == Element::e5m2;
}
constexpr bool is_integer(Element type) {
  return type == Element::s8 || type == Element::u8 || type == Element::s4 || type == Element::u4;
}

// Types of the elements of C and D while they are computed.
enum class Accumulator : std::uint8_t { f16, f32, s32, f64 };

// How the products that belong to an element of D become their sum.
enum class Summation : std::uint8_t {
  // Blocks of products, one after the other, each added to the accumulator as a whole.
  blocks,
  // fp8 in mma.sync. There is no fp8 unit for it: ptxas widens to f16 and issues two blocks, of the
  // lower and the upper halves of the registers' words; then an ordinary addition of C.
  halves_of_words,
  // One fused multiply-add after the other.
  chain,
  // Exact; modulo 2^32, or clamped at the end.
  integer,
  bits_and,
  bits_xor,
};

// That an element of D sums, but for those of single bits.
inline constexpr unsigned most_products = 64;

struct Product {
  unsigned m = 0;
  unsigned n = 0;
  unsigned k = 0;  // products that an element of D sums; of a sparse form half of the shape's
  Element a = Element::f16;
  Element b = Element::f16;
  Accumulator accumulator = Accumulator::f32;
  Summation summation = Summation::blocks;
  unsigned block = 0;                          // products in a block
  bool is_coarse = false;                      // fp8 in wgmma: sums have 13 fraction bits
  bool saturates = false;                      // .satfinite of integers
  bool is_sparse = false;                      // A holds half of its elements, and B has 2 * k rows
  Rounding rounding = Rounding::nearest_even;  // of f64

  unsigned rows_of_b() const { return is_sparse ? 2 * k : k; }
};

}  // namespace tmaemu::tensor
