// A tile's sums where a GPU's ordinary units make them: one fused multiply-add after the other, in
// the order of k.
#pragma once

#include <vector>

#include "emulator/blas/tile.h"

namespace tmaemu::blas {

// Of f32 in f32; of f64 in f64, and of integers, where that is exact.
template <class Number>
class Chains {
 public:
  void clear();
  void add(const Tile& tile, std::size_t step, std::size_t steps);
  Number at(const Tile&, std::size_t row, std::size_t column) const {
    return sums_[column * tile_rows + row];
  }

 private:
  std::vector<Number> a_ = std::vector<Number>(tile_rows * most_steps);
  std::vector<Number> b_ = std::vector<Number>(tile_columns * most_steps);
  std::vector<Number> sums_ = std::vector<Number>(tile_columns * tile_rows);
};

}  // namespace tmaemu::blas
