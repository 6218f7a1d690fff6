// The instructions themselves. Vectors are taken out of shared memory by ld.shared.v4, and a tile
// of the transpose leaves row by row, each a bulk copy.
#include <cuda_bf16.h>
#include <cuda_runtime.h>

#include <cstdint>

#include "tensor-map.cuh"

using bf16 = __nv_bfloat16;
typedef unsigned int u32;
typedef unsigned long long u64;

#define SHARED(p) ((u32)__cvta_generic_to_shared(p))

__device__ void load_tile(u32 to, u64 map, u32 x, u32 y, u32 bytes, u32 bar) {
  if (threadIdx.x == 0)
    asm volatile(
        "mbarrier.init.shared::cta.b64 [%0], 1;\n\t"
        "fence.proxy.async;\n\t"
        "mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;\n\t"
        "cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes"
        " [%2], [%3, {%4, %5}], [%0];" ::"r"(bar),
        "r"(bytes), "r"(to), "l"(map), "r"(x), "r"(y)
        : "memory");
  __syncthreads();
  asm volatile(
      "{\n\t"
      ".reg .pred over;\n\t"
      "again:\n\t"
      "mbarrier.try_wait.parity.shared::cta.b64 over, [%0], 0;\n\t"
      "@over bra done;\n\t"
      "bra again;\n\t"
      "done:\n\t"
      "}" ::"r"(bar)
      : "memory");
}

template <int SIZE, int SWIZZLE>
__global__ void unswizzle(const __grid_constant__ CUtensorMap map, uint8_t* out, u32 skipped) {
  __shared__ u64 bar;
  extern __shared__ __align__(128) char dynamic[];
  const u32 tile = SHARED(dynamic) + skipped;
  load_tile(tile, (u64)&map, 0, 0, SIZE, SHARED(&bar));
  for (u32 at = threadIdx.x * 16; at < SIZE; at += blockDim.x * 16) {
    u32 address = tile + at, key;
    asm("bfe.u32 %0, %1, 7, %2;" : "=r"(key) : "r"(address), "n"(SWIZZLE / 64 + 1));
    asm volatile(
        "{\n\t"
        ".reg .b32 a, b, c, d;\n\t"
        "ld.shared.v4.b32 {a, b, c, d}, [%0];\n\t"
        "st.global.v4.b32 [%1], {a, b, c, d};\n\t"
        "}" ::"r"(address ^ key * 16),
        "l"(out + at)
        : "memory");
  }
}

template <int TILE_M, int TILE_N, int OFFSET, int SWIZZLE_BYTES = 64>
void launch_tma_swizzle(uint8_t* src, uint8_t* dest) {
  TensorMapOptions o;
  o.swizzle = (CUtensorMapSwizzle)(SWIZZLE_BYTES / 64 + 1);  // 1, 2 and 3 in cuda.h
  unswizzle<TILE_M * TILE_N, SWIZZLE_BYTES><<<1, 96, OFFSET * 128 + TILE_M * TILE_N>>>(
      make_tensor_map<uint8_t, 2>(src, {TILE_N, TILE_M}, {TILE_N}, {TILE_N, TILE_M}, o), dest,
      OFFSET * 128u);
}

template <typename T>
__global__ void by_rows(const __grid_constant__ CUtensorMap map, T* out, u32 rows, u32 columns) {
  const u32 H = 64, W = 32;
  __shared__ alignas(128) T in[H * W];
  __shared__ alignas(16) T turned[W][H + 16 / sizeof(T)];
  __shared__ u64 bar;
  const u32 x = blockIdx.x * W, y = blockIdx.y * H;
  load_tile(SHARED(in), (u64)&map, x, y, H * W * sizeof(T), SHARED(&bar));
  for (u32 w = 0; w < W; ++w) turned[w][threadIdx.x] = in[threadIdx.x * W + w];
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  __syncthreads();
  // A row of out a thread.
  const u32 mine = x + threadIdx.x, left = rows - y < H ? rows - y : H;
  if (threadIdx.x < W && mine < columns)
    asm volatile(
        "cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;\n\t"
        "cp.async.bulk.commit_group;\n\t"
        "cp.async.bulk.wait_group 0;" ::"l"(out + (u64)mine * rows + y),
        "r"(SHARED(turned[threadIdx.x])), "r"(left * (u32)sizeof(T))
        : "memory");
}

template <typename T>
__global__ void patches(const T* in, T* out, u32 rows, u32 columns) {
  // 4 x 4 elements a thread, kept in registers.
  const u32 y = (blockIdx.y * blockDim.y + threadIdx.y) * 4;
  const u32 x = (blockIdx.x * blockDim.x + threadIdx.x) * 4;
  T patch[4][4];
  for (u32 i = 0; i < 4; ++i)
    for (u32 j = 0; j < 4; ++j)
      if (y + i < rows && x + j < columns) patch[j][i] = in[(u64)(y + i) * columns + x + j];
  for (u32 j = 0; j < 4; ++j)
    for (u32 i = 0; i < 4; ++i)
      if (y + i < rows && x + j < columns) out[(u64)(x + j) * rows + y + i] = patch[j][i];
}

template <typename T>
void launch_transpose(const T* src, T* dest, int rows, int columns) {
  const u32 r = rows, c = columns, vector = 16 / sizeof(T);
  if (r == 0 || c == 0) return;
  if (r % vector == 0 && c % vector == 0)
    by_rows<T><<<dim3((c + 31) / 32, (r + 63) / 64), 64>>>(
        make_tensor_map<T, 2>(src, {c, r}, {c * sizeof(T)}, {32, 64}), dest, r, c);
  else
    patches<T><<<dim3((c + 31) / 32, (r + 127) / 128), dim3(8, 32)>>>(src, dest, r, c);
}
