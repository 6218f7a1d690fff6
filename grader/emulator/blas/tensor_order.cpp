#include "emulator/blas/tensor_order.h"

#include <algorithm>

#include "common/round_up.h"
#include "emulator/blas/chains.h"

namespace tmaemu::blas {
namespace {

constexpr std::size_t ceiling(std::size_t number, std::size_t of) {
  return common::round_up(number, of) / of;
}

// Hopper's kernels take bytes of this number along k at a time.
constexpr std::size_t tile_bytes = 128;

constexpr std::size_t processors = 132, clustered_processors = 108;

// Among how many CTAs k is split for each tile of D. Tiles are of 64x32 elements where that makes
// parts of less than 64 steps along k (of 128 bytes each), else of twice as many, and so on; as
// many parts as there is room for, but none of less than 21 steps, and no more than 48. That cuBLAS
// comes to it like this is a guess, but a good one: of 279 sizes it holds for 263.
std::size_t splits(const Gemm& gemm) {
  const std::size_t steps = ceiling(gemm.k * size_of(gemm.a.type), tile_bytes);
  const std::size_t most = std::min<std::size_t>((std::max<std::size_t>(steps, 1) - 1) / 20, 48);
  std::size_t rows = 64, columns = 32, parts = 1;
  for (std::size_t area = 1; area <= 16 && most > 1; area *= 2) {
    const std::size_t upright = ceiling(gemm.m, rows) * ceiling(gemm.n, columns);
    const std::size_t lying = ceiling(gemm.m, columns) * ceiling(gemm.n, rows);
    const std::size_t tiles = gemm.batch * std::min(upright, lying);
    // Small tiles have clusters of 4 and 8 CTAs, which leave processors over.
    const bool are_clustered = area <= 2 && 2 * tiles <= clustered_processors;
    parts = std::max<std::size_t>((are_clustered ? clustered_processors : processors) / tiles, 1);
    if (steps < parts * std::min<std::size_t>(64 * area, 129)) break;
    (rows == columns ? rows : columns) *= 2;
  }
  return std::clamp<std::size_t>(parts, 1, std::max<std::size_t>(most, 1));
}

}  // namespace

bool has_hopper_kernel(const Gemm& gemm) {
  return size_of(gemm.a.type) <= 2 && !gemm.sums_f16 && is_aligned(gemm.a) && is_aligned(gemm.b);
}

bool is_for_tensor_sums(const Gemm& gemm) {
  switch (gemm.a.type) {
    case Type::f16:
    case Type::bf16:
    case Type::e4m3:
    case Type::e5m2:
      return true;
    case Type::f32:
      return gemm.factors == Factors::tf32;
    default:
      return false;
  }
}

// CUTLASS's kernels, which cuBLAS takes for what TMA cannot load, and for TF32, begin with what
// their tiles along k leave over: of bf16 tiles are 128 long, of f16 64 or 128 by k, of TF32 16.
// With TF32 that TMA cannot load it has others again, which end with it; so have f16 with a bias.
std::size_t first_steps(const Gemm& gemm) {
  const bool can_load = is_aligned(gemm.a) && is_aligned(gemm.b);
  if (size_of(gemm.a.type) == 2 && !can_load && gemm.bias == nullptr && !gemm.sums_f16) {
    return gemm.k % (gemm.a.type == Type::f16 && gemm.k <= 128 ? 64 : 128);
  }
  if (gemm.a.type == Type::f32 && can_load && gemm.k % 8 != 0) return gemm.k % 16;
  return 0;
}

bool has_split_sums(const Gemm& gemm) {
  if (!is_for_tensor_sums(gemm)) return steps_of_a_chain(gemm) < gemm.k;
  return has_hopper_kernel(gemm) && splits(gemm) > 1;
}

std::size_t steps_of_a_sum(const Gemm& gemm) {
  constexpr std::size_t promoted_steps = 128;
  const bool has_fp8 = is_fp8(gemm.a.type);
  if (has_fp8 && !gemm.adds_fast) return promoted_steps;
  if (!has_hopper_kernel(gemm)) return std::max<std::size_t>(gemm.k, 1);
  const std::size_t tile = tile_bytes / size_of(gemm.a.type);
  return std::max<std::size_t>(ceiling(ceiling(gemm.k, tile), splits(gemm)), 1) * tile;
}

}  // namespace tmaemu::blas
