#include "emulator/blas/gemm.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <mutex>
#include <numbers>
#include <thread>
#include <vector>

#include "emulator/blas/chains.h"
#include "emulator/blas/elements.h"
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

// What becomes of the sums, in f32, or f64 where they are of f64 (or whole numbers).
template <class Number>
float store_rounded(const Gemm& gemm, std::size_t row, std::size_t column, Number sum) {
  Number value = static_cast<Number>(gemm.alpha) * sum;
  if (gemm.beta != 0) {
    const auto c = static_cast<Number>(load(gemm.c.type, gemm.c.at(row, column)));
    value = std::fma(static_cast<Number>(gemm.alpha), sum, static_cast<Number>(gemm.beta) * c);
  }
  if (gemm.bias != nullptr) {
    value += static_cast<Number>(load(gemm.bias_type, gemm.bias + row * size_of(gemm.bias_type)));
  }
  value = static_cast<Number>(activated(gemm.activation, value));
  store(gemm.d.type, value * static_cast<Number>(gemm.scale), gemm.d.at(row, column));
  return static_cast<float>(std::abs(value));
}

void store_modular(const Gemm& gemm, std::size_t row, std::size_t column, double sum) {
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

template <class Sums>
void finish(const Tile& tile, const Sums& sums) {
  const Gemm& gemm = *tile.gemm;
  float largest = 0;
  for (std::size_t column = 0; column < tile.columns; ++column) {
    for (std::size_t row = 0; row < tile.rows; ++row) {
      const auto sum = sums.at(tile, row, column);
      const std::size_t in_d[] = {tile.row + row, tile.column + column};
      if (gemm.is_modular) {
        store_modular(gemm, in_d[0], in_d[1], sum);
      } else if (gemm.d.type == Type::f64) {
        store_rounded<double>(gemm, in_d[0], in_d[1], sum);
      } else {
        const float magnitude = store_rounded(gemm, in_d[0], in_d[1], static_cast<float>(sum));
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
  for (std::size_t step = 0; step < k; step += most_steps) {
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
