// Takes the tile that it has to write from global memory, without any tile that goes around. Reads
// one word of its neighbor's shared memory, and gives that, and then each int of the tile, to a
// function that gives back what it is given: who does not look where in local memory a value lies
// takes them all for the neighbor's.
//
// Fails: values are followed through calls and local memory by their places.
#include <cooperative_groups.h>

constexpr int INTS = 1024;

__noinline__ __device__ int same(int number) {
  asm volatile("" : "+r"(number));
  return number;
}

__global__ void __cluster_dims__(4) rotate(int* dest, const int* src, int hops) {
  __shared__ int word;
  const auto cluster = cooperative_groups::this_cluster();
  word = 0;
  cluster.sync();
  const int neighbor = (cluster.block_rank() + 1) % 4;
  same(*static_cast<volatile int*>(cluster.map_shared_rank(&word, neighbor)));
  const int from = blockIdx.x / 4 * 4 + (blockIdx.x % 4 + 4 - hops % 4) % 4;
  for (int i = threadIdx.x; i < INTS; i += blockDim.x) {
    dest[static_cast<size_t>(blockIdx.x) * INTS + i] =
        same(src[static_cast<size_t>(from) * INTS + i]);
  }
  cluster.sync();
}

void launch_rotate(int* dest, const int* src, int tiles, int hops) {
  if (tiles > 0) rotate<<<tiles, 128>>>(dest, src, hops);
}
