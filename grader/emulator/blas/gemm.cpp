#include "emulator/blas/gemm.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <mutex>
#include <numbers>
#include <thread>
#include <vector>

#include "emulator/blas/elements.h"
#include "emulator/blas/sums.h"
#include "emulator/numeric/extremum.h"

namespace tmaemu::blas {
namespace {

// Of D, by one thread at a time; its sums, and what they need of A and B, stay in a core's cache.
constexpr std::size_t tile_rows = 16 * strip_rows;
constexpr std::size_t tile_columns = 64 * strip_columns;
constexpr std::size_t most_steps = 256;

struct Tile {
  const Gemm* gemm;
  std::size_t row, rows;
  std::size_t column, columns;
};

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

// By cublasLt's manual the activation is GELU. Seen on an H200: the form with tanh, by tanh.approx.
double gelu(double x) {
  const double inner = std::sqrt(2 / std::numbers::pi) * (x + 0.044715 * x * x * x);
  return 0.5 * x * (1 + std::tanh(inner));
}

double activated(Activation activation, double value) {
  if (activation == Activation::relu) return value <= 0 ? 0 : value;
  return activation == Activation::gelu ? gelu(value) : value;
}

// Where one is NaN, so is the largest.
float largest_of(float largest, float magnitude) {
  constexpr ExtremumForm form{.which = Extremum::maximum, .passes_nan = true};
  return extremum_of_widened<form>(largest, magnitude);
}

// Room for one tile.
class Worker {
 public:
  void compute(const Tile& tile) {
    std::fill(sums_.begin(), sums_.end(), 0.0);
    const Gemm& gemm = *tile.gemm;
    const std::size_t k = gemm.alpha == 0 ? 0 : gemm.k;
    for (std::size_t step = 0; step < k; step += most_steps) {
      add(tile, step, std::min(most_steps, k - step));
    }
    finish(tile);
  }

 private:
  void add(const Tile& tile, std::size_t step, std::size_t steps) {
    const Gemm& gemm = *tile.gemm;
    const ConstView &a = gemm.a, &b = gemm.b;
    pack({a.at(tile.row, step), a.type, gemm.factors, tile.rows, a.row_stride, steps,
          a.column_stride},
         strip_rows, a_.data());
    pack({b.at(step, tile.column), b.type, gemm.factors, tile.columns, b.column_stride, steps,
          b.row_stride},
         strip_columns, b_.data());
    for (std::size_t row = 0; row < tile.rows; row += strip_rows) {
      for (std::size_t column = 0; column < tile.columns; column += strip_columns) {
        add_products(&a_[row * steps], &b_[column * steps], steps, &sums_[column * tile_rows + row],
                     tile_rows);
      }
    }
  }

  void finish(const Tile& tile) const {
    float largest = 0;
    for (std::size_t column = 0; column < tile.columns; ++column) {
      for (std::size_t row = 0; row < tile.rows; ++row) {
        const double sum = sums_[column * tile_rows + row];
        const std::size_t in_d[] = {tile.row + row, tile.column + column};
        if (tile.gemm->is_modular) {
          store_modular(*tile.gemm, in_d[0], in_d[1], sum);
        } else {
          store_rounded(*tile.gemm, in_d[0], in_d[1], sum, largest);
        }
      }
    }
    if (tile.gemm->largest == nullptr) return;
    static std::mutex mutex;
    const std::lock_guard lock(mutex);
    *tile.gemm->largest = largest_of(*tile.gemm->largest, largest);
  }

  static void store_rounded(const Gemm& gemm, std::size_t row, std::size_t column, double sum,
                            float& largest) {
    double value = gemm.alpha * sum;
    if (gemm.beta != 0) value += gemm.beta * load(gemm.c.type, gemm.c.at(row, column));
    if (gemm.bias != nullptr) {
      value += load(gemm.bias_type, gemm.bias + row * size_of(gemm.bias_type));
    }
    value = activated(gemm.activation, value);
    largest = largest_of(largest, static_cast<float>(std::abs(value)));
    store(gemm.d.type, value * gemm.scale, gemm.d.at(row, column));
  }

  static void store_modular(const Gemm& gemm, std::size_t row, std::size_t column, double sum) {
    const auto whole = [](double number) {
      return static_cast<std::uint64_t>(static_cast<std::int64_t>(number));
    };
    std::uint64_t value = whole(gemm.alpha) * whole(sum);
    if (gemm.beta != 0) {
      value += whole(gemm.beta) * whole(load(gemm.c.type, gemm.c.at(row, column)));
    }
    const auto kept = static_cast<std::int32_t>(static_cast<std::uint32_t>(value));
    store(gemm.d.type, kept, gemm.d.at(row, column));
  }

  std::vector<double> a_ = std::vector<double>(tile_rows * most_steps);
  std::vector<double> b_ = std::vector<double>(tile_columns * most_steps);
  std::vector<double> sums_ = std::vector<double>(tile_columns * tile_rows);
};

}  // namespace

void multiply(std::span<const Gemm> batch, unsigned threads) {
  const std::vector<Tile> tiles = tiles_of(batch);
  if (tiles.empty()) return;
  std::atomic<std::size_t> next = 0;
  const auto work = [&] {
    Worker worker;
    for (std::size_t i; (i = next++) < tiles.size();) worker.compute(tiles[i]);
  };
  std::vector<std::jthread> helpers;
  for (std::size_t i = 1; i < std::min<std::size_t>(threads, tiles.size()); ++i) {
    helpers.emplace_back(work);
  }
  work();
}

}  // namespace tmaemu::blas
