// Elements as the fast code takes them: the exact value as an f32, and the exponent that the rules
// of block.h go by.
#pragma once

#include <vector>

#include "emulator/tensor/packed.h"

namespace tmaemu::tensor {

// Added to any other but a special one, it stays far below every real exponent.
inline constexpr s16 exponent_of_zero = -10'000;
// Of an infinity or a NaN: added to that of a zero, it stays above every real one. No sum of two
// leaves 16 bits.
inline constexpr s16 exponent_of_special = 16'000;

struct DecodedElement {
  f32 value;
  s16 exponent;
};

// `count` elements of each of the rows, row after row.
void decode_rows(Element type, bool is_widened, const PackedRows& source, unsigned rows,
                 unsigned count, f32* values, s16* exponents);

// Rows of B, transposed: element k of row n at [k * n_count + n].
struct DecodedColumns {
  Element type = Element::f16;
  bool is_widened = false;
  unsigned rows = 0;                  // n
  unsigned count = 0;                 // elements of each
  std::vector<std::byte> packed;      // as they came
  std::vector<std::byte> transposed;  // as they came, but for their order
  std::vector<f32> values;
  std::vector<s16> exponents;

  // Decodes the rows, unless they are those that it holds already: the four warps of a warpgroup
  // multiply by the same ones.
  void hold(Element of_type, bool widened, const PackedRows& source, unsigned row_count,
            unsigned element_count);
};

}  // namespace tmaemu::tensor
