#include "tensors.h"

inline constexpr int STAGES = 2;
inline constexpr int TILES = 4;
inline constexpr int WORDS = 32;

__global__ void warp_scheduler(const uint32_t* in, uint32_t* sums) {
  __shared__ alignas(128) uint32_t stage[STAGES][WORDS];
  __shared__ uint64_t full[STAGES];
  __shared__ uint64_t empty[STAGES];
  if (threadIdx.x == 0) {
    for (int i = 0; i < STAGES; ++i) {
      init_barrier(&full[i], 1);
      init_barrier(&empty[i], 32);
    }
    async_proxy_fence();
  }
  __syncthreads();
  const bool is_producer = threadIdx.x < 32;
  if (is_producer && threadIdx.x == 0) {
    for (int tile = 0; tile < TILES; ++tile) {
      const int i = tile % STAGES;
      wait(&empty[i], (tile / STAGES + 1) % 2);  //: empty
      expect_bytes_and_arrive(&full[i], sizeof(stage[i]));
      cp_async_bulk_global_to_shared(stage[i], in + tile * WORDS, sizeof(stage[i]), &full[i]);
    }
  }
  if (!is_producer) {
    uint32_t sum = 0;
    for (int tile = 0; tile < TILES; ++tile) {
      const int i = tile % STAGES;
      wait(&full[i], tile / STAGES % 2);  //: full
      sum += stage[i][threadIdx.x - 32];
      async_proxy_fence();
      arrive(&empty[i], 1);  //: arrive
    }
    sums[threadIdx.x - 32] = sum;
  }
}

int main() {
  warp_scheduler<<<1, 64>>>(counted_words(TILES * WORDS), counted_words(32));
  return finish();
}
