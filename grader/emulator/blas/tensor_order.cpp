#include "emulator/blas/tensor_order.h"

#include <algorithm>

namespace tmaemu::blas {
namespace {

constexpr std::size_t ceiling(std::size_t number, std::size_t of) {
  return (number + of - 1) / of;
}

// Hopper's kernels take bytes of this number along k at a time.
constexpr std::size_t tile_bytes = 128;

// Where D has few tiles, k is split among CTAs that would have nothing to do, for no fewer than
// 8192 / 3 bytes of a line each. So it was for 12 of 15 sizes; for the others splits were one more
// or one less.
std::size_t splits(const Gemm& gemm) {
  constexpr std::size_t processors = 132, least_bytes = 8192;
  const std::size_t bytes = gemm.k * size_of(gemm.a.type);
  if (bytes < least_bytes) return 1;
  const std::size_t narrow = ceiling(gemm.m, 64) * ceiling(gemm.n, 32);
  const std::size_t square = ceiling(gemm.m, 64) * ceiling(gemm.n, 64);
  const std::size_t ctas = gemm.batch * (2 * narrow <= processors ? narrow : square);
  return std::clamp<std::size_t>(processors / ctas, 1, 3 * bytes / 8192);
}

}  // namespace

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
// their tiles along k leave over: of f16 tiles are 64 long, of TF32 16. With TF32 that TMA cannot
// load it has others again, which end with it; so have f16 with a bias.
std::size_t first_steps(const Gemm& gemm) {
  const bool can_load = is_aligned(gemm.a) && is_aligned(gemm.b);
  if (gemm.a.type == Type::f16 && !can_load && gemm.bias == nullptr && !gemm.sums_f16) {
    return gemm.k % 64;
  }
  if (gemm.a.type == Type::f32 && can_load && gemm.k % 8 != 0) return gemm.k % 16;
  return 0;
}

std::size_t steps_of_a_sum(const Gemm& gemm) {
  constexpr std::size_t promoted_steps = 128;
  const bool has_fp8 = is_fp8(gemm.a.type);
  if (has_fp8 && !gemm.adds_fast) return promoted_steps;
  const bool has_hopper_kernel =
      gemm.a.type != Type::f32 && !gemm.sums_f16 && is_aligned(gemm.a) && is_aligned(gemm.b);
  if (!has_hopper_kernel) return std::max<std::size_t>(gemm.k, 1);
  const std::size_t tile = tile_bytes / size_of(gemm.a.type);
  return std::max<std::size_t>(ceiling(ceiling(gemm.k, tile), splits(gemm)), 1) * tile;
}

}  // namespace tmaemu::blas
