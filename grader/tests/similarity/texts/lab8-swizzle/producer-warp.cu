// One warp only loads, the others only transpose: a ring of slots, each with a barrier for "full"
// and one for "empty".
#include <cuda_bf16.h>

#include "cuda-check.cuh"
#include "tensor-map.cuh"
#include "tma-interface.cuh"

using bf16 = __nv_bfloat16;

constexpr int SLOTS = 4;
constexpr int WORKERS = 128;

enum class Width : uint32_t { narrow = 32, middle = 64, wide = 128 };

__device__ __forceinline__ uint32_t chunk_of(Width width, uint32_t address) {
  const uint32_t chunk = (address >> 4) & 7, line = (address >> 7) & 7;
  switch (width) {
    case Width::narrow:
      return chunk ^ (line & 1);
    case Width::middle:
      return chunk ^ (line & 3);
    case Width::wide:
      return chunk ^ line;
  }
  return chunk;
}

template <int TILE_M, int TILE_N, int OFFSET, int SWIZZLE_BYTES>
__global__ void see_through(const __grid_constant__ CUtensorMap map, uint8_t* dest) {
  __shared__ alignas(128) uint8_t smem[128 * OFFSET + TILE_M * TILE_N];
  __shared__ uint64_t ready;
  const bool leads = threadIdx.x == 0;
  if (leads) {
    init_barrier(&ready, 1);
    async_proxy_fence();
  }
  __syncthreads();
  if (leads) {
    expect_bytes_and_arrive(&ready, TILE_M * TILE_N);
    cp_async_bulk_tensor_2d_global_to_shared(smem + 128 * OFFSET, &map, 0, 0, &ready);
  }
  wait(&ready, 0);
  const uint32_t start = shared_address(smem);
  for (uint32_t n = threadIdx.x; n < TILE_M * TILE_N; n += 128) {
    const uint32_t address = start + 128 * OFFSET + n;
    const uint32_t line = address & ~127u, byte = address & 15u;
    const uint32_t there = line + 16 * chunk_of(Width{SWIZZLE_BYTES}, address) + byte;
    dest[n] = smem[there - start];
  }
}

template <int TILE_M, int TILE_N, int OFFSET, int SWIZZLE_BYTES = 64>
void launch_tma_swizzle(uint8_t* src, uint8_t* dest) {
  const auto swizzle = Width{SWIZZLE_BYTES} == Width::narrow   ? CU_TENSOR_MAP_SWIZZLE_32B
                       : Width{SWIZZLE_BYTES} == Width::middle ? CU_TENSOR_MAP_SWIZZLE_64B
                                                               : CU_TENSOR_MAP_SWIZZLE_128B;
  CUtensorMap map = make_tensor_map<uint8_t, 2>(src, {TILE_N, TILE_M}, {TILE_N}, {TILE_N, TILE_M},
                                                {.swizzle = swizzle});
  see_through<TILE_M, TILE_N, OFFSET, SWIZZLE_BYTES><<<1, 128>>>(map, dest);
  cuda_check(cudaGetLastError());
}

template <typename T>
struct alignas(1024) Slot {
  static constexpr int EDGE = 128 / sizeof(T);
  uint8_t bytes[128 * EDGE];
  __device__ T at(int row, int column) const {
    const uint32_t offset = row * 128 + column * sizeof(T);
    const uint32_t chunk = chunk_of(Width::wide, offset);
    return *reinterpret_cast<const T*>(bytes + row * 128 + chunk * 16 + offset % 16);
  }
};

template <typename T>
__global__ void __launch_bounds__(WORKERS + 32)
    ring(const __grid_constant__ CUtensorMap map, T* dest, int rows, int columns, int total) {
  constexpr int EDGE = Slot<T>::EDGE;
  extern __shared__ __align__(1024) uint8_t raw[];
  Slot<T>* slots = reinterpret_cast<Slot<T>*>(raw);
  __shared__ uint64_t full[SLOTS], empty[SLOTS];
  const int per_row = (columns + EDGE - 1) / EDGE;
  if (threadIdx.x < SLOTS) {
    init_barrier(&full[threadIdx.x], 1);
    init_barrier(&empty[threadIdx.x], WORKERS);
    async_proxy_fence();
  }
  __syncthreads();

  int slot = 0, parity = 0;
  const auto advance = [&] {
    if (++slot == SLOTS) {
      slot = 0;
      parity ^= 1;
    }
  };
  if (threadIdx.x >= WORKERS) {
    if (threadIdx.x != WORKERS) return;
    for (int t = blockIdx.x; t < total; t += gridDim.x) {
      wait(&empty[slot], parity ^ 1);
      expect_bytes_and_arrive(&full[slot], sizeof(Slot<T>));
      cp_async_bulk_tensor_2d_global_to_shared(&slots[slot], &map, t % per_row * EDGE,
                                               t / per_row * EDGE, &full[slot],
                                               CACHE_POLICY_EVICT_FIRST);
      advance();
    }
    return;
  }
  for (int t = blockIdx.x; t < total; t += gridDim.x) {
    wait(&full[slot], parity);
    const int row = t / per_row * EDGE + threadIdx.x % EDGE;
    for (int j = threadIdx.x / EDGE; j < EDGE; j += WORKERS / EDGE) {
      const int column = t % per_row * EDGE + j;
      if (row < rows && column < columns)
        dest[int64_t{column} * rows + row] = slots[slot].at(threadIdx.x % EDGE, j);
    }
    async_proxy_fence();
    arrive(&empty[slot], 1);
    advance();
  }
}

// A warp reads 32 elements of a row of src, and 8 warps 8 rows, four times over.
template <typename T>
__global__ void coarse(const T* src, T* dest, int rows, int columns) {
  __shared__ T patch[32 * 33];
  const int64_t column = blockIdx.x * 32 + threadIdx.x, first = blockIdx.y * 32;
  for (int64_t k = threadIdx.y; k < 32; k += 8) {
    if (column >= columns || first + k >= rows) continue;
    patch[k * 33 + threadIdx.x] = src[(first + k) * columns + column];
  }
  __syncthreads();
  const int64_t row = first + threadIdx.x, second = blockIdx.x * 32;
  for (int64_t k = threadIdx.y; k < 32; k += 8) {
    if (row >= rows || second + k >= columns) continue;
    dest[(second + k) * rows + row] = patch[threadIdx.x * 33 + k];
  }
}

template <typename T>
void launch_ring(const T* src, T* dest, int rows, int columns) {
  constexpr int EDGE = Slot<T>::EDGE;
  constexpr int BYTES = SLOTS * sizeof(Slot<T>);
  const CUtensorMap map =
      make_tensor_map<T, 2>(src, {columns, rows}, {columns * sizeof(T)}, {EDGE, EDGE},
                            {.swizzle = CU_TENSOR_MAP_SWIZZLE_128B});
  const int total = ((columns + EDGE - 1) / EDGE) * ((rows + EDGE - 1) / EDGE);
  cuda_check(cudaFuncSetAttribute(ring<T>, cudaFuncAttributeMaxDynamicSharedMemorySize, BYTES));
  ring<T><<<min(total, 264), WORKERS + 32, BYTES>>>(map, dest, rows, columns, total);
}

template <typename T>
void launch_transpose(const T* src, T* dest, int rows, int columns) {
  if (rows == 0 || columns == 0) return;
  if ((rows | columns) & (16 / sizeof(T) - 1)) {
    coarse<<<dim3(columns / 32 + 1, rows / 32 + 1), dim3(32, 8)>>>(src, dest, rows, columns);
  } else {
    launch_ring(src, dest, rows, columns);
  }
  cuda_check(cudaGetLastError());
}
