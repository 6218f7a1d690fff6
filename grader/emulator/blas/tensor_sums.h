// A tile's sums where a GPU's matrix units make them: one instruction after the other, in the order
// of k, each of which adds a block of products to the sum (emulator/tensor).
#pragma once

#include <vector>

#include "emulator/blas/tile.h"
#include "emulator/numeric/types.h"

namespace tmaemu::blas {

class TensorSums {
 public:
  void clear();
  void add(const Tile& tile, std::size_t step, std::size_t steps);
  float at(const Tile& tile, std::size_t row, std::size_t column) const;

 private:
  void end_sum(std::size_t count);

  std::vector<std::byte> lines_, columns_;  // of the matrices, packed
  std::vector<u32> sums_ = std::vector<u32>(tile_rows * tile_columns);
  std::vector<float> total_ = std::vector<float>(tile_rows * tile_columns);
};

}  // namespace tmaemu::blas
