// By CuTe of CUTLASS: layouts, and a copy that knows how to split them. Needs CUTLASS's headers.
#include <cutlass/arch/barrier.h>

#include <cute/tensor.hpp>

#include "try.cuh"

using namespace cute;
using Barrier = cutlass::arch::ClusterTransactionBarrier;

using Stages = Layout<Shape<Int<TILE_COLUMNS>, Int<TILE_ROWS>, Int<STAGES>>>;

template <typename Load, typename Store>
__global__ void add_one(const __grid_constant__ Load load, const __grid_constant__ Store store,
                        int tiles) {
  __shared__ alignas(128) int memory[cosize_v<Stages>];
  __shared__ uint64_t full[STAGES];
  const Tensor stages = make_tensor(make_smem_ptr(memory), Stages{});

  // The matrix as coordinates, cut into tiles, of which this CTA has a band.
  const Tensor matrix = load.get_tma_tensor(make_shape(Int<COLUMNS>{}, Int<ROWS>{}));
  const Tensor band = local_tile(matrix, Shape<Int<TILE_COLUMNS>, Int<TILE_ROWS>>{},
                                 make_coord(_, static_cast<int>(blockIdx.x)));
  const auto [source, landed] = tma_partition(load, Int<0>{}, Layout<_1>{},
                                              group_modes<0, 2>(stages), group_modes<0, 2>(band));
  const auto [target, summed] = tma_partition(store, Int<0>{}, Layout<_1>{},
                                              group_modes<0, 2>(stages), group_modes<0, 2>(band));

  auto load_tile = [&, &source = source, &landed = landed](int n) {
    const int stage = n % STAGES;
    Barrier::arrive_and_expect_tx(&full[stage], TILE_BYTES);
    copy(load.with(full[stage]), source(_, n), landed(_, stage));
  };

  if (threadIdx.x == 0) {
    for (uint64_t& barrier : full) Barrier::init(&barrier, 1);
    cutlass::arch::fence_barrier_init();
    load_tile(0);
  }
  __syncthreads();

  for (int n = 0; n < tiles; ++n) {
    if (threadIdx.x == 0 && n + 1 < tiles) {
      tma_store_wait<0>();
      load_tile(n + 1);
    }
    Barrier::wait(&full[n % STAGES], n / STAGES % 2);
    add_one_to_tile(memory + n % STAGES * TILE_INTS);
    tma_store_fence();
    __syncthreads();
    if (threadIdx.x == 0) {
      copy(store, summed(_, n % STAGES), target(_, n));
      tma_store_arrive();
    }
  }
  if (threadIdx.x == 0) tma_store_wait<0>();
}

int main() {
  return try_on_a_matrix([](int* device) {
    const Tensor matrix =
        make_tensor(make_gmem_ptr(device), make_layout(make_shape(Int<COLUMNS>{}, Int<ROWS>{})));
    const auto load = make_tma_copy(SM90_TMA_LOAD{}, matrix, Stages{}(_, _, 0));
    const auto store = make_tma_copy(SM90_TMA_STORE{}, matrix, Stages{}(_, _, 0));
    add_one<<<ROWS / TILE_ROWS, THREADS>>>(load, store, COLUMNS / TILE_COLUMNS);
  });
}
