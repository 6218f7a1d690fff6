// add_block() for a row of A and many rows of B, with the host's vector instructions.
#pragma once

#include "emulator/tensor/block.h"
#include "emulator/tensor/decoded.h"

namespace tmaemu::tensor {

// Columns that are added, or left, together.
inline constexpr unsigned block_columns = 8;

// One block of a row of D: `length` elements of A, and the places in B of those that they meet, in
// decoded rows of `n` elements. `sums`: n accumulators.
struct BlockRow {
  unsigned length = 0;
  const u16* places = nullptr;
  const f32* a = nullptr;
  const s16* a_exponents = nullptr;
  const f32* b = nullptr;
  const s16* b_exponents = nullptr;
  unsigned n = 0;
  u32* sums = nullptr;
};

// Adds the block to the accumulators, block_columns at a time, and leaves those as they were whose
// terms are not all ordinary numbers: bit i of the result stands for those from i * block_columns
// on. The host has to round toward zero.
u32 add_vector_blocks(const BlockRule& rule, const BlockRow& row);

// The same from `column` on, 16 columns at a time, on a processor with AVX-512; `column` is then
// the first that is left.
u32 add_sixteen_lanes(const BlockRule& rule, const BlockRow& row, unsigned& column);

}  // namespace tmaemu::tensor
