// A warp that loads and a warp that stores, with two mbarriers a slot between them.
#include <cuda_bf16.h>

#include <algorithm>

#include "cuda-check.cuh"
#include "tma-interface.cuh"

template <int SLOTS, int BYTES>
class Belt {
 public:
  alignas(128) char cargo[SLOTS][BYTES];
  uint64_t loaded[SLOTS];
  uint64_t emptied[SLOTS];

  __device__ void lay() {
    for (int slot = 0; slot < SLOTS; ++slot) {
      init_barrier(loaded + slot, 1);
      init_barrier(emptied + slot, 1);
    }
    async_proxy_fence();
  }

  __device__ void load(const char* from, size_t begin, size_t end, size_t stride) {
    int n = 0;
    for (size_t at = begin; at < end; at += stride, ++n) {
      const int slot = n % SLOTS;
      if (n >= SLOTS) wait(emptied + slot, (n / SLOTS - 1) & 1);
      const int bytes = size_at(at, end);
      expect_bytes_and_arrive(loaded + slot, bytes);
      cp_async_bulk_global_to_shared(cargo[slot], from + at, bytes, loaded + slot);
    }
  }

  __device__ void unload(char* to, size_t begin, size_t end, size_t stride) {
    int n = 0;
    for (size_t at = begin; at < end; at += stride, ++n) {
      const int slot = n % SLOTS;
      wait(loaded + slot, (n / SLOTS) & 1);
      cp_async_bulk_shared_to_global(to + at, cargo[slot], size_at(at, end));
      tma_store_commit_group();
      tma_store_wait_until_pending_read<0>();
      arrive(emptied + slot, 1);
    }
    tma_store_wait_until_pending<0>();
  }

 private:
  __device__ static int size_at(size_t at, size_t end) {
    return end - at < BYTES ? int(end - at) : BYTES;
  }
};

using Conveyor = Belt<4, 3072>;

__global__ void convey(char* to, const char* from, size_t head, size_t middle, size_t all) {
  __shared__ Conveyor belt;
  if (threadIdx.x == 0) belt.lay();
  __syncthreads();
  const size_t begin = size_t{blockIdx.x} * 3072, stride = size_t{gridDim.x} * 3072;
  if (threadIdx.x == 0) belt.load(from + head, begin, middle, stride);
  if (threadIdx.x == 32) belt.unload(to + head, begin, middle, stride);
  // What the belt leaves is not more than 15 bytes at each end.
  const size_t behind = head + middle + threadIdx.x;
  if (blockIdx.x == 0 && threadIdx.x < head) to[threadIdx.x] = from[threadIdx.x];
  if (blockIdx.x == 0 && behind < all) to[behind] = from[behind];
}

__global__ void one_by_one(char* to, const char* from, size_t all) {
  const size_t at = size_t{blockIdx.x} * 512 + threadIdx.x;
  if (at < all) to[at] = from[at];
}

void launch_tma_memcpy(void* dest, const void* src, size_t bytes) {
  if (bytes == 0) return;
  char* to = static_cast<char*>(dest);
  const char* from = static_cast<const char*>(src);
  const size_t skew = reinterpret_cast<size_t>(to) & 15;
  if (skew != (reinterpret_cast<size_t>(from) & 15)) {
    one_by_one<<<unsigned((bytes + 511) / 512), 512>>>(to, from, bytes);
  } else {
    const size_t head = std::min(bytes, skew == 0 ? 0 : 16 - skew);
    const size_t middle = (bytes - head) & ~size_t{15};
    const size_t ctas = std::clamp<size_t>(middle / 3072, 1, 132 * 8);
    convey<<<unsigned(ctas), 64>>>(to, from, head, middle, bytes);
  }
  cuda_check(cudaGetLastError());
}

void launch_tma_copy(__nv_bfloat16* dest, __nv_bfloat16* src, int N) {
  launch_tma_memcpy(dest, src, size_t(N) << 1);
}
