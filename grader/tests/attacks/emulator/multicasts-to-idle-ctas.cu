// Loads the tile into all CTAs of its cluster, but the CTA that loads it writes for all of them:
// the others wait, and never look at what came.
//
// Fails: a multicast counts where two CTAs have read what it brought.
#include "tma-interface.cuh"

__global__ void __cluster_dims__(4) multicast(int* dest, const int* src) {
  __shared__ alignas(16) int tile[1024];
  __shared__ uint64_t landed;
  const int rank = static_cast<int>(cluster_rank());
  if (threadIdx.x == 0) {
    init_barrier(&landed, 1);
    fence_barrier_init();
    expect_bytes_and_arrive(&landed, sizeof(tile));
  }
  cluster_arrive();
  cluster_wait();
  if (rank == 0 && threadIdx.x == 0) {
    const int* from = src + static_cast<size_t>(blockIdx.x / 4) * 1024;
    cp_async_bulk_global_to_shared_multicast(tile, from, sizeof(tile), &landed, 0b1111);
  }
  wait(&landed, 0);
  if (rank > 0) return;
  for (int to = 0; to < 4; ++to) {
    for (int i = threadIdx.x; i < 1024; i += 128)
      dest[(blockIdx.x + to) * size_t{1024} + i] = tile[i] + to;
  }
}

void launch_multicast(int* dest, const int* src, int tiles) {
  if (tiles > 0) multicast<<<4 * tiles, 128>>>(dest, src);
}
