// A persistent CTA with a buffer of two halves: while one is stored, the other is loaded.
#include <cuda_bf16.h>

#include <algorithm>
#include <cstdint>

#include "cuda-check.cuh"
#include "tma-interface.cuh"

using std::size_t;

namespace {

constexpr size_t kHalf = 16384;

struct Source {
  const uint8_t* begin;
  size_t size;
  __device__ int piece(size_t at) const { return int(size - at < kHalf ? size - at : kHalf); }
};

__global__ void swap_halves(uint8_t* to, Source from) {
  __shared__ alignas(128) uint8_t half[2][kHalf];
  __shared__ uint64_t here[2];
  if (threadIdx.x != 0) return;
  init_barrier(&here[0], 1);
  init_barrier(&here[1], 1);
  async_proxy_fence();
  const auto fetch = [&](size_t at, int which) {
    expect_bytes_and_arrive(&here[which], from.piece(at));
    cp_async_bulk_global_to_shared(half[which], from.begin + at, from.piece(at), &here[which]);
  };
  const size_t pace = gridDim.x * kHalf;
  size_t at = blockIdx.x * kHalf;
  if (at >= from.size) return;
  fetch(at, 0);
  int which = 0;
  int parities[2] = {0, 0};
  do {
    if (at + pace < from.size) {
      tma_store_wait_until_pending_read<0>();
      fetch(at + pace, !which);
    }
    wait(&here[which], parities[which]);
    parities[which] ^= 1;
    cp_async_bulk_shared_to_global(to + at, half[which], from.piece(at));
    tma_store_commit_group();
    which = !which;
    at += pace;
  } while (at < from.size);
  tma_store_wait_until_pending_read<0>();
}

template <typename Unit>
__global__ void unit_by_unit(Unit* to, const Unit* from, size_t n) {
  const size_t i = blockIdx.x * size_t{blockDim.x} + threadIdx.x;
  if (i < n) to[i] = from[i];
}

template <typename Unit>
void plainly(void* to, const void* from, size_t n) {
  if (n > 0) {
    unit_by_unit<<<unsigned((n + 63) / 64), 64>>>(static_cast<Unit*>(to),
                                                  static_cast<const Unit*>(from), n);
  }
}

void whole_vectors(void* to, const void* from, size_t bytes) {
  if (bytes == 0) return;
  const size_t ctas = std::min<size_t>(132 * 4, (bytes + kHalf - 1) / kHalf);
  swap_halves<<<unsigned(ctas), 32>>>(static_cast<uint8_t*>(to),
                                      {static_cast<const uint8_t*>(from), bytes});
}

}  // namespace

void launch_tma_copy(__nv_bfloat16* dest, __nv_bfloat16* src, int N) {
  const int whole = N / 8 * 8;
  whole_vectors(dest, src, size_t(whole) * 2);
  plainly<uint16_t>(dest + whole, src + whole, size_t(N - whole));
  cuda_check(cudaGetLastError());
}

void launch_tma_memcpy(void* dest, const void* src, size_t bytes) {
  auto* to = static_cast<uint8_t*>(dest);
  auto* from = static_cast<const uint8_t*>(src);
  if ((reinterpret_cast<uintptr_t>(to) ^ reinterpret_cast<uintptr_t>(from)) & 15) {
    plainly<uint8_t>(to, from, bytes);
  } else {
    const size_t front = std::min<size_t>(-reinterpret_cast<uintptr_t>(to) & 15, bytes);
    const size_t inner = (bytes - front) & ~size_t{15};
    plainly<uint8_t>(to, from, front);
    whole_vectors(to + front, from + front, inner);
    plainly<uint8_t>(to + front + inner, from + front + inner, bytes - front - inner);
  }
  cuda_check(cudaGetLastError());
}
