#include "tensors.h"

inline constexpr int WORDS = 32;

__global__ void __cluster_dims__(2, 1, 1)
    multicast(const __grid_constant__ CUtensorMap in, uint32_t* copies) {
  __shared__ alignas(128) uint32_t tile[WORDS];
  __shared__ uint64_t loaded;
  if (threadIdx.x == 0) {
    init_barrier(&loaded, 1);
    fence_barrier_init();
    expect_bytes_and_arrive(&loaded, sizeof(tile));  //: expect
  }
  cluster_arrive();  //: cluster
  cluster_wait();    //: cluster
  if (cluster_rank() == 0 && threadIdx.x == 0) {
    cp_async_bulk_tensor_2d_global_to_shared_multicast(tile, &in, 0, 0, &loaded, 0b11);
  }
  __syncthreads();
  wait(&loaded, 0);  //: wait
  copies[cluster_rank() * WORDS + threadIdx.x] = tile[threadIdx.x];
}

int main() {
  const CUtensorMap in = make_tensor_map<uint32_t, 2>(counted_words(WORDS), {8, 4}, {32}, {8, 4});
  multicast<<<2, WORDS>>>(in, counted_words(2 * WORDS));
  return finish();
}
