// A part of D: what one thread computes in one go.
#pragma once

#include "emulator/blas/elements.h"
#include "emulator/blas/gemm.h"

namespace tmaemu::blas {

// Its sums, and what they need of A and B at a time, stay in a core's cache.
inline constexpr std::size_t tile_rows = 192;
inline constexpr std::size_t tile_columns = 256;
inline constexpr std::size_t most_steps = 256;

struct Tile {
  const Gemm* gemm;
  std::size_t row, rows;
  std::size_t column, columns;

  // What the tile sums at these of the k steps: its rows of A, and its columns of B.
  Part of_a(std::size_t step, std::size_t steps) const {
    const ConstView& a = gemm->a;
    return {a.at(row, step), a.type, rows, a.row_stride, steps, a.column_stride};
  }
  Part of_b(std::size_t step, std::size_t steps) const {
    const ConstView& b = gemm->b;
    return {b.at(step, column), b.type, columns, b.column_stride, steps, b.row_stride};
  }
};

}  // namespace tmaemu::blas
