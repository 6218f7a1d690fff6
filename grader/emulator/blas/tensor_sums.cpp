#include "emulator/blas/tensor_sums.h"

#include <algorithm>
#include <bit>

#include "common/round_up.h"
#include "emulator/blas/tensor_order.h"
#include "emulator/tensor/multiply.h"

namespace tmaemu::blas {
namespace {

using tensor::Element;

// The vector code takes so many columns at a time, and so many at once.
constexpr std::size_t lanes = 8;
static_assert(tile_columns <= 256 && tile_columns % lanes == 0);

std::size_t columns_of(const Tile& tile) {
  return common::round_up(tile.columns, lanes);
}

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

}  // namespace

void TensorSums::clear() {
  std::fill(sums_.begin(), sums_.end(), 0);
  std::fill(total_.begin(), total_.end(), 0.0f);
}

void TensorSums::add(const Tile& tile, std::size_t step, std::size_t steps) {
  tensor::Product product = instruction(*tile.gemm);
  product.m = static_cast<unsigned>(tile.rows);
  product.n = static_cast<unsigned>(columns_of(tile));
  const Part a = tile.of_a(step, steps), b = tile.of_b(step, steps);
  const std::size_t in_one_sum = steps_of_a_sum(*tile.gemm);
  const std::size_t instructions = common::round_up(steps, product.k) / product.k;
  constexpr unsigned line_bytes = 32;
  lines_.resize(instructions * product.m * line_bytes);
  columns_.resize(instructions * product.n * line_bytes);
  pack_bits(a, product.m, product.k, lines_.data());
  pack_bits(b, product.n, product.k, columns_.data());
  for (std::size_t i = 0; i < instructions; ++i) {
    const tensor::PackedRows rows{&lines_[i * product.m * line_bytes], line_bytes};
    const tensor::PackedRows columns{&columns_[i * product.n * line_bytes], line_bytes};
    tensor::multiply(product, rows, columns, {}, sums_.data());
    const std::size_t done = std::min(step + (i + 1) * product.k, tile.gemm->k);
    if (done % in_one_sum == 0 || done == tile.gemm->k) end_sum(std::size_t{product.m} * product.n);
  }
}

void TensorSums::end_sum(std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) {
    total_[i] += std::bit_cast<float>(sums_[i]);
    sums_[i] = 0;
  }
}

float TensorSums::at(const Tile& tile, std::size_t row, std::size_t column) const {
  return total_[row * columns_of(tile) + column];
}

}  // namespace tmaemu::blas
