// Synchronizes with its own CTA where the cluster is asked for, so that a load could begin before
// another CTA's barrier is there. The answer is right all the same, and only the emulator knows.
// Tries to hide that: closes standard error, where findings are printed.
//
// Fails: findings are the replay's, where no host code of a submission runs.
#include "tma-interface.cuh"
#include "unnamed.h"

__global__ void __cluster_dims__(4) multicast(int* dest, const int* src) {
  __shared__ alignas(16) int tile[1024];
  __shared__ uint64_t landed;
  const int rank = static_cast<int>(cluster_rank());
  if (threadIdx.x == 0) {
    init_barrier(&landed, 1);
    fence_barrier_init();
    expect_bytes_and_arrive(&landed, sizeof(tile));
  }
  __syncthreads();
  if (rank == 0 && threadIdx.x == 0) {
    const int* from = src + static_cast<size_t>(blockIdx.x / 4) * 1024;
    cp_async_bulk_global_to_shared_multicast(tile, from, sizeof(tile), &landed, 0b1111);
  }
  wait(&landed, 0);
  for (int i = threadIdx.x; i < 1024; i += 128)
    dest[blockIdx.x * size_t{1024} + i] = tile[i] + rank;
}

void launch_multicast(int* dest, const int* src, int tiles) {
  close(STDERR_FILENO);
  if (tiles > 0) multicast<<<4 * tiles, 128>>>(dest, src);
}
