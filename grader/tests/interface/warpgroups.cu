// Calls every function of the wgmma interface: it only has to compile.
#include "wgmma-interface.cuh"

__global__ void order_and_descriptors(uint64_t* results) {
  __shared__ alignas(1024) __nv_bfloat16 tile[64 * 64];
  warpgroup_arrive();
  wgmma_fence();
  wgmma_commit();
  wgmma_commit_group();
  wgmma_wait<7>();
  wgmma_wait_group<0>();
  warpgroup_sync(1);
  named_barrier_arrive(2, 256);
  named_barrier_sync(3, 256);
  store_matrices_transposed(tile, 1, 2, 3, 4);
  results[0] = descriptor_field(128);
  results[1] = make_smem_desc<NO_SWIZZLE>(tile, 128, 256);
  results[2] =
      make_smem_desc<SWIZZLE_32B>(tile, 0, 256) + make_smem_desc<SWIZZLE_64B>(tile, 0, 512);
  results[3] = matrix_descriptor<SWIZZLE_128B>(tile, 0, 1024);
}

__global__ __launch_bounds__(256, 1) void registers() {
  if (threadIdx.x < 128) {
    warpgroup_reg_dealloc<64>();
    decrease_registers<24>();
  } else {
    warpgroup_reg_alloc<160>();
    increase_registers<240>();
  }
}

// Few registers are left beside the accumulators of one width: each has a kernel of its own.
template <int COLUMNS>
__global__ __launch_bounds__(128) void products(float* result, uint64_t a, uint64_t b, int adds) {
  if constexpr (COLUMNS == 8) {
    float d[4] = {};
    const uint32_t words[4] = {1, 2, 3, 4};
    warpgroup_arrive();
    wgmma_n8<1, 1, 1, 0, 0>(a, b, d);
    wgmma_n8<1, 1, 0, 0>(a, b, d, adds);
    wgmma_n8_registers<1, 1, 1, 0>(words, b, d);
    wgmma_commit();
    wgmma_wait<0>();
    accumulators_changed(d);
    result[threadIdx.x] = d[0] + d[3];
  } else {
    float d[COLUMNS / 16][8];
    const uint32_t words[4] = {1, 2, 3, 4};
    warpgroup_arrive();
    if constexpr (COLUMNS == 64) wgmma_n64<0, 1, 1, 1, 1>(a, b, d);
    if constexpr (COLUMNS == 64) wgmma_n64<1, 1, 1, 1>(a, b, d, adds);
    if constexpr (COLUMNS == 64) wgmma_n64_registers<1, 1, 1, 0>(words, b, d);
    if constexpr (COLUMNS == 128) wgmma_n128<0, 1, 1, 0, 0>(a, b, d);
    if constexpr (COLUMNS == 128) wgmma_n128<1, 1, 0, 0>(a, b, d, adds);
    if constexpr (COLUMNS == 192) wgmma_n192<0, 1, 1, 0, 0>(a, b, d);
    if constexpr (COLUMNS == 192) wgmma_n192<1, 1, 0, 0>(a, b, d, adds);
    if constexpr (COLUMNS == 256) wgmma_n256<0, 1, 1, 0, 0>(a, b, d);
    if constexpr (COLUMNS == 256) wgmma_n256<1, 1, 0, 0>(a, b, d, adds);
    wgmma_commit();
    wgmma_wait<0>();
    accumulators_changed(d);
    result[threadIdx.x] = d[0][0] + d[COLUMNS / 16 - 1][7];
  }
}
template __global__ void products<8>(float*, uint64_t, uint64_t, int);
template __global__ void products<64>(float*, uint64_t, uint64_t, int);
template __global__ void products<128>(float*, uint64_t, uint64_t, int);
template __global__ void products<192>(float*, uint64_t, uint64_t, int);
template __global__ void products<256>(float*, uint64_t, uint64_t, int);
