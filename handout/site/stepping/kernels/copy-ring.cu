#include "tensors.h"

inline constexpr int STAGES = 2;
inline constexpr int TILES = 5;
inline constexpr int WORDS = 16;

__global__ void copy_ring(const uint32_t* in, uint32_t* out) {
  __shared__ alignas(128) uint32_t stage[STAGES][WORDS];
  __shared__ uint64_t full[STAGES];
  for (int i = 0; i < STAGES; ++i) {
    init_barrier(&full[i], 1);
  }
  async_proxy_fence();
  for (int i = 0; i < STAGES; ++i) {
    expect_bytes_and_arrive(&full[i], sizeof(stage[i]));
    cp_async_bulk_global_to_shared(stage[i], in + i * WORDS, sizeof(stage[i]), &full[i]);
  }
  for (int tile = 0; tile < TILES; ++tile) {
    const int i = tile % STAGES;
    wait(&full[i], tile / STAGES % 2);  //: wait
    cp_async_bulk_shared_to_global(out + tile * WORDS, stage[i], sizeof(stage[i]));
    tma_store_commit_group();
    if (tile + STAGES < TILES) {
      tma_store_wait_until_pending_read<0>();               //: read
      expect_bytes_and_arrive(&full[i], sizeof(stage[i]));  //: expect
      cp_async_bulk_global_to_shared(stage[i], in + (tile + STAGES) * WORDS, sizeof(stage[i]),
                                     &full[i]);
    }
  }
  tma_store_wait_until_pending<0>();  //: end
}

int main() {
  copy_ring<<<1, 1>>>(counted_words(TILES * WORDS), zeroed_words(TILES * WORDS));
  return finish();
}
