#include <cuda_bf16.h>

#include "checks/lab12-matmul/bandwidth.h"
#include "judge/arrays/stream_hash.cuh"

namespace lab12 {
namespace {

// The sum of four random bytes, less its mean, by its standard deviation. (How much power tensor
// cores take, and so how fast they are, depends on the numbers: zeros or small whole ones would
// flatter everybody.)
__global__ void fill(__nv_bfloat16* data, std::size_t count, std::uint64_t seed) {
  const std::size_t i = judge::thread_number();
  if (i >= count) return;
  const std::uint32_t hash = judge::stream_hash(i, seed);
  const auto sum =
      static_cast<int>((hash & 0xff) + (hash >> 8 & 0xff) + (hash >> 16 & 0xff) + (hash >> 24));
  data[i] = __float2bfloat16(static_cast<float>(sum - 510) / 148.0F);
}

void fill(void* data, std::int64_t rows, std::int64_t columns, std::uint64_t seed) {
  const auto count = static_cast<std::size_t>(rows * columns);
  fill<<<judge::stream_blocks(count), judge::stream_threads>>>(static_cast<__nv_bfloat16*>(data),
                                                               count, seed);
}

}  // namespace

cudaError_t fill_factors(judge::BandwidthCase::Set set, const judge::ProductSizes& sizes,
                         std::uint64_t seed) {
  fill(set[0], sizes.m, sizes.k, seed);
  fill(set[1], sizes.n, sizes.k, ~seed);
  const auto of_c = static_cast<std::size_t>(sizes.m * sizes.n) * sizeof(__nv_bfloat16);
  const cudaError_t error = cudaMemsetAsync(set[2], 0xff, of_c);
  return error == cudaSuccess ? cudaGetLastError() : error;
}

}  // namespace lab12
