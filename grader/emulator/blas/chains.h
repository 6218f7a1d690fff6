// A tile's sums where a GPU's ordinary units make them: one fused multiply-add after the other, in
// the order of k. Where k is long for an f32 D of few tiles, cuBLAS splits it among CTAs, and adds
// the parts one after the other.
#pragma once

#include <vector>

#include "emulator/blas/tile.h"

namespace tmaemu::blas {

// How many steps a part has. On an H200 with cuBLAS 13.1 it was so for 10 sizes of f32; 7 others of
// 256 steps and more were split, too, but into other parts, or by kernels that sum otherwise. Those
// of a batch, or with a bias, were not.
std::size_t steps_of_a_chain(const Gemm& gemm);

// Of f32 in f32; of f64 in f64, and of integers, where that is exact.
template <class Number>
class Chains {
 public:
  void clear();
  void add(const Tile& tile, std::size_t step, std::size_t steps);
  Number at(const Tile&, std::size_t row, std::size_t column) const {
    return total_[column * tile_rows + row] + sums_[column * tile_rows + row];
  }

 private:
  void add_to_chain(const Tile& tile, std::size_t step, std::size_t steps);
  void end_chain();

  std::vector<Number> a_ = std::vector<Number>(tile_rows * most_steps);
  std::vector<Number> b_ = std::vector<Number>(tile_columns * most_steps);
  std::vector<Number> sums_ = std::vector<Number>(tile_columns * tile_rows);
  std::vector<Number> total_ = std::vector<Number>(tile_columns * tile_rows);
};

}  // namespace tmaemu::blas
