// Memory as rows of 32 KiB; blockIdx.y is the row, blockIdx.x the tile in it. Elements of any size
// by one template.
#include <cuda_bf16.h>

#include <cstdint>

#include "cuda-check.cuh"
#include "tma-interface.cuh"

template <unsigned TILE, unsigned ACROSS>
struct Layout {
  static constexpr size_t row = size_t{TILE} * ACROSS;
  static dim3 grid(size_t bytes) {
    return dim3(ACROSS, static_cast<unsigned>((bytes + row - 1) / row));
  }
  __device__ static size_t begin() { return blockIdx.y * row + blockIdx.x * size_t{TILE}; }
};

using Rows = Layout<8192, 64>;

__global__ void row_tile(unsigned char* to, const unsigned char* from, size_t bytes) {
  extern __shared__ __align__(128) unsigned char staging[];
  __shared__ uint64_t landed;
  size_t begin = Rows::begin();
  if (begin >= bytes) return;
  const size_t end = begin + 8192 < bytes ? begin + 8192 : bytes;
  const int whole = static_cast<int>((end - begin) & ~size_t{15});
  for (size_t odd = begin + whole + threadIdx.x; odd < end; odd += blockDim.x) to[odd] = from[odd];
  if (whole == 0 || threadIdx.x + 1 != blockDim.x) return;
  init_barrier(&landed, 1);
  async_proxy_fence();
  // In four quarters, all on one barrier, so that the engine has more to do at once.
  expect_bytes_and_arrive(&landed, whole);
  for (int q = 0; q < whole; q += 2048)
    cp_async_bulk_global_to_shared(staging + q, from + begin + q, min(2048, whole - q), &landed);
  wait(&landed, 0);
  for (int q = 0; q < whole; q += 2048) {
    cp_async_bulk_shared_to_global(to + begin + q, staging + q, min(2048, whole - q));
    tma_store_commit_group();
  }
  tma_store_wait_until_pending_read<0>();
}

__global__ void scattered(unsigned char* to, const unsigned char* from, size_t bytes) {
  const size_t i = (size_t{blockIdx.y} * gridDim.x + blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < bytes) to[i] = from[i];
}

static void in_rows(void* to, const void* from, size_t bytes) {
  if (bytes != 0)
    row_tile<<<Rows::grid(bytes), 64, 8192>>>(static_cast<unsigned char*>(to),
                                              static_cast<const unsigned char*>(from), bytes);
}

static void scatter(void* to, const void* from, size_t bytes) {
  const dim3 grid(1024, static_cast<unsigned>((bytes + 256 * 1024 - 1) / (256 * 1024)));
  if (bytes != 0)
    scattered<<<grid, 256>>>(static_cast<unsigned char*>(to),
                             static_cast<const unsigned char*>(from), bytes);
}

void launch_tma_copy(__nv_bfloat16* dest, __nv_bfloat16* src, int N) {
  in_rows(dest, src, sizeof(__nv_bfloat16) * size_t(N));
  cuda_check(cudaGetLastError());
}

void launch_tma_memcpy(void* dest, const void* src, size_t bytes) {
  const unsigned skew_to = reinterpret_cast<uintptr_t>(dest) & 0xf,
                 skew_from = reinterpret_cast<uintptr_t>(src) & 0xf;
  if (skew_to != skew_from) {
    scatter(dest, src, bytes);
  } else {
    const size_t up_to = skew_to == 0 ? 0 : (16 - skew_to < bytes ? 16 - skew_to : bytes);
    scatter(dest, src, up_to);
    in_rows(static_cast<char*>(dest) + up_to, static_cast<const char*>(src) + up_to, bytes - up_to);
  }
  cuda_check(cudaGetLastError());
}
