#include "tensors.h"

inline constexpr int STAGES = 2;
inline constexpr int TILES = 5;
inline constexpr int WORDS = 32;

__global__ void ring(const uint32_t* in, uint32_t* sums) {
  __shared__ alignas(128) uint32_t stage[STAGES][WORDS];
  __shared__ uint64_t full[STAGES];
  if (threadIdx.x == 0) {
    for (int i = 0; i < STAGES; ++i) {
      init_barrier(&full[i], 1);
    }
    async_proxy_fence();
    for (int i = 0; i < STAGES; ++i) {
      expect_bytes_and_arrive(&full[i], sizeof(stage[i]));
      cp_async_bulk_global_to_shared(stage[i], in + i * WORDS, sizeof(stage[i]), &full[i]);
    }
  }
  __syncthreads();
  uint32_t sum = 0;
  for (int tile = 0; tile < TILES; ++tile) {
    const int i = tile % STAGES;
    wait(&full[i], tile / STAGES % 2);  //: wait
    sum += stage[i][threadIdx.x % WORDS];
    async_proxy_fence();
    __syncthreads();  //: barrier
    if (threadIdx.x == 0 && tile + STAGES < TILES) {
      expect_bytes_and_arrive(&full[i], sizeof(stage[i]));  //: expect
      cp_async_bulk_global_to_shared(stage[i], in + (tile + STAGES) * WORDS, sizeof(stage[i]),
                                     &full[i]);
    }
  }
  sums[threadIdx.x] = sum;
}

int main() {
  ring<<<1, 64>>>(counted_words(TILES * WORDS), counted_words(64));
  return finish();
}
