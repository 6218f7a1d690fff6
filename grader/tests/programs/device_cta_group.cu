// Tensor loads of a pair of CTAs (.cta_group::2): whose mbarrier counts the bytes. They exist from
// sm_100a on, so this program is built for compute_100a alone; the emulator takes that PTX where a
// program has no other. PTX ISA, "cp.async.bulk.tensor", modifier .cta_group.
#include <cuda_runtime.h>

#include "runtime_test.h"
#include "tensor-map.cuh"
#include "tma-interface.cuh"

constexpr int cluster = 4, rows = 4, columns = 32, threads = 32;
constexpr int tile_bytes = rows * columns * int(sizeof(int));

struct Smem {
  alignas(128) int tile[rows][columns];
  uint64_t bar;
};

// The last bit of the rank lies in bit 24 of a shared::cluster address: without it, an address in
// either CTA of a pair is one in the CTA of even rank. CUTLASS masks barriers in this way.
__device__ uint32_t in_even_cta(uint32_t address) {
  return address & 0xFEFFFFFFu;
}

__device__ void start(Smem& smem, int arrivals) {
  if (threadIdx.x == 0) {
    init_barrier(&smem.bar, arrivals);
    fence_barrier_init();
    async_proxy_fence();
  }
  cluster_arrive();
  cluster_wait();
}

__device__ bool holds(const Smem& smem, int c0, int c1) {
  bool right = true;
  for (int row = 0; row < rows; ++row) {
    right = right && smem.tile[row][threadIdx.x] == 1000 * (c1 + row) + c0 + int(threadIdx.x);
  }
  return __all_sync(~0u, right);
}

// Each CTA loads a tile of its own; the even CTA of each pair counts the bytes of both.
__global__ void __cluster_dims__(cluster)
    even_cta_counts(const __grid_constant__ CUtensorMap map, int* good) {
  __shared__ Smem smem;
  const uint32_t rank = cluster_rank();
  start(smem, 1);
  if (threadIdx.x == 0) {
    if (rank % 2 == 0) expect_bytes_and_arrive(&smem.bar, 2 * tile_bytes);
    const uint32_t bar = in_even_cta(map_to_cta(&smem.bar, rank));
    cp_async_bulk_tensor_2d_global_to_shared_cta_group<2>(&smem.tile, &map, 0, rows * int(rank),
                                                          bar);
  }
  __syncwarp();
  if (rank % 2 == 0) wait(&smem.bar, 0);
  cluster_arrive();  // hands what the even CTA has seen to the odd one
  cluster_wait();
  if (holds(smem, 0, rows * int(rank)) && threadIdx.x == 0) good[rank] = 1;
  cluster_arrive();
  cluster_wait();
}

// One CTA loads a tile into all four. The barrier that is given lies in CTA `barrier_rank`: the
// barriers of all CTAs with the last bit of that rank count, each for both CTAs of its pair.
__global__ void __cluster_dims__(cluster)
    multicast_signals_one_parity(const __grid_constant__ CUtensorMap map, int barrier_rank,
                                 int* good) {
  __shared__ Smem smem;
  const uint32_t rank = cluster_rank();
  start(smem, 1);
  const bool counts = rank % 2 == barrier_rank % 2;
  if (threadIdx.x == 0 && counts) expect_bytes_and_arrive(&smem.bar, 2 * tile_bytes);
  cluster_arrive();
  cluster_wait();
  if (rank == 1 && threadIdx.x == 0) {
    cp_async_bulk_tensor_2d_global_to_shared_multicast_cta_group<2>(
        &smem.tile, &map, 0, 3, map_to_cta(&smem.bar, barrier_rank), 0b1111);
  }
  __syncwarp();
  if (counts) wait(&smem.bar, 0);
  cluster_arrive();
  cluster_wait();
  if (holds(smem, 0, 3) && threadIdx.x == 0) good[rank] = 1;
  cluster_arrive();
  cluster_wait();
}

// With .cta_group::1 each CTA's own barrier counts, as without the modifier.
__global__ void __cluster_dims__(cluster)
    group_of_one_signals_the_destinations(const __grid_constant__ CUtensorMap map, int* good) {
  __shared__ Smem smem;
  const uint32_t rank = cluster_rank();
  start(smem, 1);
  const bool receives = rank == 1 || rank == 2;
  if (threadIdx.x == 0 && receives) expect_bytes_and_arrive(&smem.bar, tile_bytes);
  cluster_arrive();
  cluster_wait();
  if (rank == 0 && threadIdx.x == 0) {
    cp_async_bulk_tensor_2d_global_to_shared_multicast_cta_group<1>(
        &smem.tile, &map, 0, 5, map_to_cta(&smem.bar, 0), 0b0110);
  }
  __syncwarp();
  if (receives) wait(&smem.bar, 0);
  if ((!receives || holds(smem, 0, 5)) && threadIdx.x == 0) good[rank] = 1;
  cluster_arrive();
  cluster_wait();
}

int* good = nullptr;

void check_all(const char* what) {
  CHECK_OK(cudaDeviceSynchronize());
  for (int rank = 0; rank < cluster; ++rank) {
    if (good[rank] != 1) std::printf("%s: CTA %d has another tile\n", what, rank);
    CHECK(good[rank] == 1);
    good[rank] = 0;
  }
}

int main() {
  constexpr int height = 16;
  int* matrix = nullptr;
  CHECK_OK(cudaMallocManaged(&matrix, height * columns * sizeof(int)));
  CHECK_OK(cudaMallocManaged(&good, cluster * sizeof(int)));
  for (int i = 0; i < height * columns; ++i) matrix[i] = 1000 * (i / columns) + i % columns;
  for (int rank = 0; rank < cluster; ++rank) good[rank] = 0;
  const CUtensorMap map =
      make_tensor_map<int, 2>(matrix, {columns, height}, {columns * sizeof(int)}, {columns, rows});
  even_cta_counts<<<cluster, threads>>>(map, good);
  check_all("even_cta_counts");
  for (int rank = 0; rank < 2; ++rank) {
    multicast_signals_one_parity<<<cluster, threads>>>(map, rank, good);
    check_all("multicast_signals_one_parity");
  }
  group_of_one_signals_the_destinations<<<cluster, threads>>>(map, good);
  check_all("group_of_one_signals_the_destinations");
  return runtime_test::result();
}
