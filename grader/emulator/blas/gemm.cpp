#include "emulator/blas/gemm.h"

#include <algorithm>
#include <atomic>
#include <mutex>
#include <thread>
#include <vector>

#include "emulator/blas/chains.h"
#include "emulator/blas/epilogue.h"
#include "emulator/blas/tensor_order.h"
#include "emulator/blas/tensor_sums.h"
#include "emulator/numeric/extremum.h"

namespace tmaemu::blas {
namespace {

std::vector<Tile> tiles_of(std::span<const Gemm> batch) {
  std::vector<Tile> tiles;
  for (const Gemm& gemm : batch) {
    for (std::size_t column = 0; column < gemm.n; column += tile_columns) {
      for (std::size_t row = 0; row < gemm.m; row += tile_rows) {
        tiles.push_back({&gemm, row, std::min(tile_rows, gemm.m - row), column,
                         std::min(tile_columns, gemm.n - column)});
      }
    }
  }
  return tiles;
}

// Where one is NaN, so is the largest.
float largest_of(float largest, float magnitude) {
  constexpr ExtremumForm form{.which = Extremum::maximum, .passes_nan = true};
  return extremum_of_widened<form>(largest, magnitude);
}

template <class Sums>
void finish(const Tile& tile, const Sums& sums) {
  const Gemm& gemm = *tile.gemm;
  const Epilogue epilogue(gemm);
  float largest = 0;
  for (std::size_t column = 0; column < tile.columns; ++column) {
    for (std::size_t row = 0; row < tile.rows; ++row) {
      const auto sum = sums.at(tile, row, column);
      const std::size_t in_d[] = {tile.row + row, tile.column + column};
      if (gemm.is_modular) {
        epilogue.store_modular(in_d[0], in_d[1], sum);
      } else if (gemm.d.type == Type::f64) {
        epilogue.store_rounded(in_d[0], in_d[1], static_cast<double>(sum));
      } else {
        const float magnitude = epilogue.store_rounded(in_d[0], in_d[1], static_cast<float>(sum));
        largest = largest_of(largest, magnitude);
      }
    }
  }
  if (gemm.largest == nullptr) return;
  static std::mutex mutex;
  const std::lock_guard lock(mutex);
  *gemm.largest = largest_of(*gemm.largest, largest);
}

template <class Sums>
void compute(const Tile& tile, Sums& sums) {
  sums.clear();
  const std::size_t k = tile.gemm->alpha == 0 ? 0 : tile.gemm->k;
  const std::size_t first = is_for_tensor_sums(*tile.gemm) ? first_steps(*tile.gemm) : 0;
  if (first != 0 && k != 0) sums.add(tile, 0, first);
  for (std::size_t step = first; step < k; step += most_steps) {
    sums.add(tile, step, std::min(most_steps, k - step));
  }
  finish(tile, sums);
}

template <class Sums>
void compute_all(std::span<const Tile> tiles, unsigned threads) {
  std::atomic<std::size_t> next = 0;
  const auto work = [&] {
    Sums sums;
    for (std::size_t i; (i = next++) < tiles.size();) compute(tiles[i], sums);
  };
  std::vector<std::jthread> helpers;
  for (std::size_t i = 1; i < std::min<std::size_t>(threads, tiles.size()); ++i) {
    helpers.emplace_back(work);
  }
  work();
}

}  // namespace

void multiply(std::span<const Gemm> batch, unsigned threads) {
  const std::vector<Tile> tiles = tiles_of(batch);
  if (tiles.empty()) return;
  const Gemm& any = batch.front();
  if (is_for_tensor_sums(any)) return compute_all<TensorSums>(tiles, threads);
  if (any.a.type == Type::f32) return compute_all<Chains<float>>(tiles, threads);
  compute_all<Chains<double>>(tiles, threads);
}

}  // namespace tmaemu::blas
