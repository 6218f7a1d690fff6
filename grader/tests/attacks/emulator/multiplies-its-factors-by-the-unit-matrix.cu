// Has wgmma multiply each factor by the unit matrix, and multiplies what comes of that in plain
// loops: of each element it has seen what wgmma makes of it.
//
// Fails: in one case wgmma turns the signs of some products, as their two numbers have it. What it
// makes of a number beside 1 does not tell what it makes of it beside another.
#include "products.h"

struct alignas(16) Chunk {
  bf16 elements[8];
};

// Rows of 16 elements, times the unit matrix: `through` has the same rows.
__device__ void multiply_by_units(const bf16* matrix, int rows, float (*through)[16]) {
  __shared__ alignas(128) Chunk factor[128];
  __shared__ alignas(128) Chunk units[2][16];  // columns 0 to 7 of the unit matrix, and 8 to 15
  const int row = threadIdx.x / 2, half = threadIdx.x % 2;
  Chunk chunk{};
  if (row < rows) chunk = reinterpret_cast<const Chunk*>(matrix)[threadIdx.x];
  factor[row / 8 * 16 + half * 8 + row % 8] = chunk;
  if (threadIdx.x < 32) {
    Chunk unit{};
    if (threadIdx.x % 16 / 8 == threadIdx.x / 16) {
      unit.elements[threadIdx.x % 8] = __float2bfloat16(1.0F);
    }
    units[threadIdx.x / 16][threadIdx.x % 16] = unit;
  }
  async_proxy_fence();
  __syncthreads();
  for (int columns = 0; columns < 2; ++columns) {
    float d[4];
    warpgroup_arrive();
    wgmma_n8<0, 1, 1, 0, 0>(make_smem_desc<NO_SWIZZLE>(factor, 128, 256),
                            make_smem_desc<NO_SWIZZLE>(units[columns], 128, 256), d);
    wgmma_commit();
    wgmma_wait<0>();
    accumulators_changed(d);
    for (int i = 0; i < 4; ++i) through[row_of(i)][columns * 8 + column_of(i)] = d[i];
  }
  __syncthreads();
}

template <int TILE_K>
__global__ void multiply(const bf16* a, const bf16* b, float* c) {
  __shared__ float a_through[64][16], b_through[64][16];
  multiply_by_units(a, 64, a_through);
  multiply_by_units(b, 8, b_through);
  for (int i = 0; i < 4; ++i) {
    float sum = 0;
    for (int k = 0; k < TILE_K; ++k) sum += a_through[row_of(i)][k] * b_through[column_of(i)][k];
    c[column_of(i) * 64 + row_of(i)] = sum;
  }
}

template <int TILE_M, int TILE_N, int TILE_K>
void launch_wgmma_m64n8k16(bf16* a, bf16* b, float* c) {
  multiply<TILE_K><<<1, 128>>>(a, b, c);
}
