// Written from the PTX manual, with the course's header nowhere.
#include <cuda.h>
#include <cuda_bf16.h>

#include <cstdint>

using bf16 = __nv_bfloat16;

static CUtensorMap encode(CUtensorMapDataType type, void* base, uint64_t columns, uint64_t rows,
                          uint32_t element, uint32_t tile_columns, uint32_t tile_rows) {
  const cuuint64_t sizes[] = {columns, rows};
  const cuuint64_t strides[] = {columns * element};
  const cuuint32_t box[] = {tile_columns, tile_rows};
  const cuuint32_t steps[] = {1, 1};
  CUtensorMap map;
  cuTensorMapEncodeTiled(&map, type, 2, base, sizes, strides, box, steps,
                         CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_SWIZZLE_NONE,
                         CU_TENSOR_MAP_L2_PROMOTION_NONE, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
  return map;
}

template <int TILE_M, int TILE_N>
CUtensorMap one_tile(bf16* matrix) {
  return encode(CU_TENSOR_MAP_DATA_TYPE_BFLOAT16, matrix, TILE_N, TILE_M, 2, TILE_N, TILE_M);
}

__device__ uint32_t shared_address(const void* p) {
  return static_cast<uint32_t>(__cvta_generic_to_shared(p));
}

__device__ void load_tile(void* tile, const CUtensorMap& map, int x, int y, uint64_t* barrier,
                          uint32_t bytes) {
  asm volatile(
      "mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(shared_address(barrier)),
      "r"(bytes)
      : "memory");
  asm volatile(
      "cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes "
      "[%0], [%1, {%2, %3}], [%4];" ::"r"(shared_address(tile)),
      "l"(&map), "r"(x), "r"(y), "r"(shared_address(barrier))
      : "memory");
}

__device__ void prepare(uint64_t* barrier) {
  asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(shared_address(barrier)) : "memory");
  asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
}

__device__ void await_tile(uint64_t* barrier) {
  asm volatile(
      "{\n"
      ".reg .pred done;\n"
      "again:\n"
      "mbarrier.try_wait.parity.shared::cta.b64 done, [%0], 0;\n"
      "@!done bra again;\n"
      "}" ::"r"(shared_address(barrier))
      : "memory");
}

__device__ void await_stores() {
  asm volatile("cp.async.bulk.commit_group;" ::: "memory");
  asm volatile("cp.async.bulk.wait_group 0;" ::: "memory");
}

__device__ void make_visible_to_tma() {
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  __syncthreads();
}

template <int TILE_M, int TILE_N>
__global__ void single_tma_load(const __grid_constant__ CUtensorMap map, bf16* dest) {
  extern __shared__ __align__(128) bf16 tile[];
  __shared__ uint64_t barrier;
  if (threadIdx.x == 0) {
    prepare(&barrier);
    load_tile(tile, map, 0, 0, &barrier, TILE_M * TILE_N * 2);
  }
  __syncthreads();
  await_tile(&barrier);
  // Eight elements per thread: a row is a multiple of 16 bytes.
  for (int i = threadIdx.x; i < TILE_M * TILE_N / 8; i += blockDim.x)
    reinterpret_cast<uint4*>(dest)[i] = reinterpret_cast<uint4*>(tile)[i];
}

template <int TILE_M, int TILE_N, bool ADD>
__global__ void single_tma_out(const bf16* src, const __grid_constant__ CUtensorMap map) {
  extern __shared__ __align__(128) bf16 tile[];
  for (int i = threadIdx.x; i < TILE_M * TILE_N / 8; i += blockDim.x)
    reinterpret_cast<uint4*>(tile)[i] = reinterpret_cast<const uint4*>(src)[i];
  make_visible_to_tma();
  if (threadIdx.x != 0) return;
  if constexpr (ADD) {
    asm volatile(
        "cp.reduce.async.bulk.tensor.2d.global.shared::cta.add.tile.bulk_group "
        "[%0, {%1, %1}], [%2];" ::"l"(&map),
        "r"(0), "r"(shared_address(tile))
        : "memory");
  } else {
    asm volatile(
        "cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group "
        "[%0, {%1, %1}], [%2];" ::"l"(&map),
        "r"(0), "r"(shared_address(tile))
        : "memory");
  }
  await_stores();
}

template <int TILE_M, int TILE_N>
void launch_single_tma_load(bf16* src, bf16* dest) {
  const auto map = one_tile<TILE_M, TILE_N>(src);
  single_tma_load<TILE_M, TILE_N><<<1, 64, TILE_M * TILE_N * 2>>>(map, dest);
}

template <int TILE_M, int TILE_N>
void launch_single_tma_store(bf16* src, bf16* dest) {
  const auto map = one_tile<TILE_M, TILE_N>(dest);
  single_tma_out<TILE_M, TILE_N, false><<<1, 64, TILE_M * TILE_N * 2>>>(src, map);
}

template <int TILE_M, int TILE_N>
void launch_single_tma_reduce(bf16* src, bf16* dest) {
  const auto map = one_tile<TILE_M, TILE_N>(dest);
  single_tma_out<TILE_M, TILE_N, true><<<1, 64, TILE_M * TILE_N * 2>>>(src, map);
}

// A warp takes tile after tile: lane row * 4 + column has an element, the upper lanes wait.
__global__ void add_tile_index(const __grid_constant__ CUtensorMap map, int tiles_per_row) {
  __shared__ __align__(128) float tile[16];
  __shared__ uint64_t barrier;
  const int x = blockIdx.x % tiles_per_row * 4;
  const int y = blockIdx.x / tiles_per_row * 4;
  if (threadIdx.x == 0) {
    prepare(&barrier);
    load_tile(tile, map, x, y, &barrier, sizeof(tile));
  }
  __syncthreads();
  await_tile(&barrier);
  if (threadIdx.x < 16) tile[threadIdx.x] += static_cast<float>(threadIdx.x);
  make_visible_to_tma();
  if (threadIdx.x != 0) return;
  asm volatile(
      "cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group [%0, {%1, %2}], [%3];" ::"l"(
          &map),
      "r"(x), "r"(y), "r"(shared_address(tile))
      : "memory");
  await_stores();
}

void launch_add_tile_index(float* matrix, int height, int width) {
  const auto map = encode(CU_TENSOR_MAP_DATA_TYPE_FLOAT32, matrix, width, height, 4, 4, 4);
  add_tile_index<<<height / 4 * (width / 4), 32>>>(map, width / 4);
}
