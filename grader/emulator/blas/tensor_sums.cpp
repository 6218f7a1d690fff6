#include "emulator/blas/tensor_sums.h"

#include <algorithm>
#include <bit>

#include "emulator/tensor/multiply.h"

namespace tmaemu::blas {
namespace {

using tensor::Element;

// The vector code takes so many columns at a time, and so many at once.
constexpr std::size_t lanes = 8;
static_assert(tile_columns <= 256 && tile_columns % lanes == 0);

Element element_of(Type type) {
  switch (type) {
    case Type::f16:
      return Element::f16;
    case Type::bf16:
      return Element::bf16;
    case Type::e4m3:
      return Element::e4m3;
    case Type::e5m2:
      return Element::e5m2;
    default:
      return Element::tf32;
  }
}

// The instruction: of 32 bytes of each line, as wgmma has them all, and mma.sync most.
tensor::Product instruction(const Gemm& gemm) {
  tensor::Product product;
  product.a = element_of(gemm.a.type);
  product.b = element_of(gemm.b.type);
  product.block = product.k = 256 / tensor::bits_of(product.a);
  product.is_coarse = tensor::is_fp8(product.a);
  if (gemm.sums_f16) product.accumulator = tensor::Accumulator::f16;
  return product;
}

// Seen on an H200: without CUBLASLT_MATMUL_DESC_FAST_ACCUM the sum of so many products of fp8
// leaves the matrix units, and an ordinary addition in f32 takes it up.
constexpr std::size_t promoted_steps = 128;
static_assert(most_steps % promoted_steps == 0);

bool is_promoted(const Gemm& gemm) {
  return is_fp8(gemm.a.type) && !gemm.adds_fast;
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

// Seen on an H200: CUTLASS's kernels, which cuBLAS takes for what TMA cannot load, and for TF32,
// begin with what their tiles along k leave over: of f16 tiles are 64 long, of TF32 16. With TF32
// that TMA cannot load it has others again, which end with it; so have f16 with a bias.
std::size_t first_steps(const Gemm& gemm) {
  const bool can_load = is_aligned(gemm.a) && is_aligned(gemm.b);
  if (gemm.a.type == Type::f16 && !can_load && gemm.bias == nullptr && !gemm.sums_f16) {
    return gemm.k % 64;
  }
  if (gemm.a.type == Type::f32 && can_load && gemm.k % 8 != 0) return gemm.k % 16;
  return 0;
}

void TensorSums::clear() {
  std::fill(sums_.begin(), sums_.end(), 0);
  std::fill(promoted_.begin(), promoted_.end(), 0.0f);
}

void TensorSums::add(const Tile& tile, std::size_t step, std::size_t steps) {
  tensor::Product product = instruction(*tile.gemm);
  product.m = static_cast<unsigned>(tile.rows);
  product.n = static_cast<unsigned>((tile.columns + lanes - 1) / lanes * lanes);
  const Part a = tile.of_a(step, steps), b = tile.of_b(step, steps);
  const std::size_t instructions = (steps + product.k - 1) / product.k;
  constexpr unsigned line_bytes = 32;
  lines_.resize(instructions * product.m * line_bytes);
  columns_.resize(instructions * product.n * line_bytes);
  pack_bits(a, product.m, product.k, lines_.data());
  pack_bits(b, product.n, product.k, columns_.data());
  for (std::size_t i = 0; i < instructions; ++i) {
    const tensor::PackedRows rows{&lines_[i * product.m * line_bytes], line_bytes};
    const tensor::PackedRows columns{&columns_[i * product.n * line_bytes], line_bytes};
    tensor::multiply(product, rows, columns, {}, sums_.data());
    const std::size_t done = (i + 1) * product.k;
    const bool is_whole = done % promoted_steps == 0 || i + 1 == instructions;
    if (is_whole && is_promoted(*tile.gemm)) promote();
  }
}

void TensorSums::promote() {
  for (std::size_t i = 0; i < sums_.size(); ++i) {
    promoted_[i] += std::bit_cast<float>(sums_[i]);
    sums_[i] = 0;
  }
}

float TensorSums::at(const Tile& tile, std::size_t row, std::size_t column) const {
  const std::size_t width = (tile.columns + lanes - 1) / lanes * lanes;
  const std::size_t place = row * width + column;
  return is_promoted(*tile.gemm) ? promoted_[place] : std::bit_cast<float>(sums_[place]);
}

}  // namespace tmaemu::blas
