// add_block() for a row of A and many rows of B, with the host's vector instructions.
#pragma once

#include <span>

#include "emulator/tensor/block.h"
#include "emulator/tensor/decoded.h"

namespace tmaemu::tensor {

// Columns that are computed together.
inline constexpr unsigned block_columns = 8;

// One block of a row of D: `a` and `a_exponents` hold as many elements of A as `places` says where
// B's are, in B's decoded rows of `n` elements. `sums`: n accumulators.
struct BlockRow {
  std::span<const u16> places;
  const f32* a = nullptr;
  const s16* a_exponents = nullptr;
  const f32* b = nullptr;
  const s16* b_exponents = nullptr;
  unsigned n = 0;
  u32* sums = nullptr;
};

inline constexpr bool has_vector_blocks =
#ifdef __AVX2__
    true;
#else
    false;
#endif

// Adds the block to the accumulators, block_columns at a time, and leaves those as they were whose
// terms are not all ordinary numbers: bit i of the result stands for those from i * block_columns
// on. The host has to round toward zero.
u32 add_vector_blocks(const BlockRule& rule, const BlockRow& row);

}  // namespace tmaemu::tensor
