// Takes the tile that it has to write out of __constant__ memory, where the host has had it copied,
// without any tile that goes around, and adds a zero out of its neighbor's shared memory.
//
// Fails: what comes from constant memory is the CTA's own, as what comes from global memory is.
#include <cooperative_groups.h>

#include <algorithm>

constexpr int INTS = 1024;
constexpr int TILES = 16;  // for which there is room

__constant__ int tiles_of[TILES * INTS];

__global__ void __cluster_dims__(4) rotate(int* dest, int hops) {
  __shared__ int word;
  const auto cluster = cooperative_groups::this_cluster();
  word = 0;
  cluster.sync();
  const volatile int* const theirs = cluster.map_shared_rank(&word, (cluster.block_rank() + 1) % 4);
  const int from = blockIdx.x / 4 * 4 + (blockIdx.x % 4 + 4 - hops % 4) % 4;
  for (int i = threadIdx.x; i < INTS; i += blockDim.x) {
    dest[static_cast<size_t>(blockIdx.x) * INTS + i] = tiles_of[from * INTS + i] + *theirs;
  }
  cluster.sync();
}

void launch_rotate(int* dest, const int* src, int tiles, int hops) {
  for (int first = 0; first < tiles; first += TILES) {
    const int count = std::min(TILES, tiles - first);
    const size_t begin = static_cast<size_t>(first) * INTS;
    cudaMemcpyToSymbolAsync(tiles_of, src + begin, count * INTS * sizeof(int), 0,
                            cudaMemcpyDeviceToDevice);
    rotate<<<count, 128>>>(dest + begin, hops);
  }
}
