// First says what there is to do, then does it: a plan on the host, a kernel that knows only whole
// vectors.
#include <cuda_bf16.h>

#include <algorithm>
#include <cstdint>

#include "cuda-check.cuh"
#include "tma-interface.cuh"

namespace {

struct Span {
  unsigned char* to;
  const unsigned char* from;
  size_t length;
};

struct Plan {
  Span head, middle, tail;
};

Plan plan_of(Span all) {
  const size_t off = reinterpret_cast<uintptr_t>(all.to) % 16;
  if (off != reinterpret_cast<uintptr_t>(all.from) % 16) return {all, {}, {}};
  const size_t head = std::min(all.length, (16 - off) % 16);
  const size_t middle = (all.length - head) / 16 * 16;
  const auto part = [&](size_t begin, size_t length) {
    return Span{all.to + begin, all.from + begin, length};
  };
  return {part(0, head), part(head, middle), part(head + middle, all.length - head - middle)};
}

__device__ void by_byte(Span s) {
  const size_t stride = size_t{blockDim.x} * gridDim.x;
  for (size_t i = size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < s.length; i += stride)
    s.to[i] = s.from[i];
}

constexpr int LANES = 4;  // threads that speak to the engine, each with a tile of its own
constexpr int LANE_BYTES = 2048;

__global__ void carry_out(Plan plan) {
  by_byte(plan.head);
  by_byte(plan.tail);
  __shared__ alignas(16) unsigned char tiles[LANES][LANE_BYTES];
  __shared__ uint64_t loaded[LANES];
  if (threadIdx.x % 32 != 0) return;
  const unsigned lane = threadIdx.x / 32;
  const size_t begin = (size_t{blockIdx.x} * LANES + lane) * LANE_BYTES;
  if (begin >= plan.middle.length) return;
  const int bytes = static_cast<int>(min(plan.middle.length - begin, size_t{LANE_BYTES}));
  init_barrier(&loaded[lane], 1);
  async_proxy_fence();
  expect_bytes_and_arrive(&loaded[lane], bytes);
  cp_async_bulk_global_to_shared(tiles[lane], plan.middle.from + begin, bytes, &loaded[lane]);
  wait(&loaded[lane], 0);
  cp_async_bulk_shared_to_global(plan.middle.to + begin, tiles[lane], bytes);
  tma_store_commit_group();
  tma_store_wait_until_pending_read<0>();
}

}  // namespace

void launch_tma_memcpy(void* dest, const void* src, size_t bytes) {
  if (bytes == 0) return;
  const Plan plan =
      plan_of({static_cast<unsigned char*>(dest), static_cast<const unsigned char*>(src), bytes});
  const size_t ctas = std::max<size_t>(
      1, (std::max(plan.middle.length, plan.head.length) + LANES * LANE_BYTES - 1) /
             (LANES * LANE_BYTES));
  carry_out<<<static_cast<unsigned>(ctas), 32 * LANES>>>(plan);
  cuda_check(cudaGetLastError());
}

void launch_tma_copy(__nv_bfloat16* dest, __nv_bfloat16* src, int N) {
  launch_tma_memcpy(dest, src, static_cast<size_t>(N) * sizeof *src);
}
