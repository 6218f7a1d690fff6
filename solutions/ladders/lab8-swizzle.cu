// The ladder of lab 8: from a plain transpose to one with swizzled tiles. The chapter shows what
// `tmaemu --stats` says of each; on a GPU the program prints bandwidths.
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "cuda-check.cuh"
#include "tensor-map.cuh"
#include "tma-interface.cuh"

inline constexpr int SIDE = 32;  // of a tile: rows of 128 bytes
inline constexpr int CHUNK = 4;  // floats
inline constexpr int THREADS = 256;
inline constexpr int TILE_BYTES = SIDE * SIDE * sizeof(float);

struct Matrices {
  const float* src;
  float* dest;
  int size;  // rows and columns, a multiple of SIDE
};

// Reads rows, writes columns.
__global__ void plain(Matrices m, const __grid_constant__ CUtensorMap,
                      const __grid_constant__ CUtensorMap) {
  const int column = blockIdx.x * SIDE + threadIdx.x % SIDE;
  for (int y = threadIdx.x / SIDE; y < SIDE; y += THREADS / SIDE) {
    const int row = blockIdx.y * SIDE + y;
    m.dest[static_cast<size_t>(column) * m.size + row] =
        m.src[static_cast<size_t>(row) * m.size + column];
  }
}

// Through shared memory; PITCH is the length of the tile's rows there.
template <int PITCH>
__global__ void tiled(Matrices m, const __grid_constant__ CUtensorMap,
                      const __grid_constant__ CUtensorMap) {
  __shared__ float tile[SIDE][PITCH];
  const int x = threadIdx.x % SIDE;
  for (int y = threadIdx.x / SIDE; y < SIDE; y += THREADS / SIDE) {
    tile[y][x] = m.src[static_cast<size_t>(blockIdx.y * SIDE + y) * m.size + blockIdx.x * SIDE + x];
  }
  __syncthreads();
  for (int y = threadIdx.x / SIDE; y < SIDE; y += THREADS / SIDE) {
    m.dest[static_cast<size_t>(blockIdx.x * SIDE + y) * m.size + blockIdx.y * SIDE + x] =
        tile[x][y];
  }
}

// By TMA: each lane takes a chunk of one row, and the lanes of a warp write a row of the
// transposed tile.
template <bool IS_SWIZZLED, bool HAS_POLICIES>
__global__ void by_tma(Matrices, const __grid_constant__ CUtensorMap src_map,
                       const __grid_constant__ CUtensorMap dest_map) {
  __shared__ alignas(1024) float tile[SIDE * SIDE];
  __shared__ alignas(128) float transposed[SIDE * SIDE];
  __shared__ uint64_t loaded;
  const int x = blockIdx.x * SIDE, y = blockIdx.y * SIDE;
  if (threadIdx.x == 0) {
    init_barrier(&loaded, 1);
    async_proxy_fence();
    expect_bytes_and_arrive(&loaded, TILE_BYTES);
    if constexpr (HAS_POLICIES) {
      cp_async_bulk_tensor_2d_global_to_shared(tile, &src_map, x, y, &loaded,
                                               CACHE_POLICY_EVICT_LAST);
    } else {
      cp_async_bulk_tensor_2d_global_to_shared(tile, &src_map, x, y, &loaded);
    }
  }
  __syncthreads();
  wait(&loaded, 0);
  const int row = threadIdx.x % SIDE;
  const int chunk = threadIdx.x / SIDE;
  const int place = IS_SWIZZLED ? chunk ^ row % 8 : chunk;
  const float4 mine = *reinterpret_cast<const float4*>(&tile[row * SIDE + place * CHUNK]);
  const float values[] = {mine.x, mine.y, mine.z, mine.w};
  for (int i = 0; i < CHUNK; ++i) transposed[(chunk * CHUNK + i) * SIDE + row] = values[i];
  async_proxy_fence();
  __syncthreads();
  if (threadIdx.x == 0) {
    if constexpr (HAS_POLICIES) {
      cp_async_bulk_tensor_2d_shared_to_global(&dest_map, y, x, transposed,
                                               CACHE_POLICY_EVICT_FIRST);
    } else {
      cp_async_bulk_tensor_2d_shared_to_global(&dest_map, y, x, transposed);
    }
    tma_store_commit_group();
    tma_store_wait_until_pending_read<0>();
  }
}

struct Step {
  const char* name;
  void (*kernel)(Matrices, CUtensorMap src_map, CUtensorMap dest_map);
  bool is_swizzled;
};
const Step STEPS[] = {
    {"plain", plain, false},
    {"tile", tiled<SIDE>, false},
    {"padded", tiled<SIDE + 1>, false},
    {"tma", by_tma<false, false>, false},
    {"swizzled", by_tma<true, false>, true},
    {"policies", by_tma<true, true>, true},
};

void launch(const Step& step, const Matrices& m) {
  const auto map_of = [&](const float* matrix, CUtensorMapSwizzle swizzle) {
    return make_tensor_map<float, 2>(matrix, {m.size, m.size}, {m.size * sizeof(float)},
                                     {SIDE, SIDE}, {.swizzle = swizzle});
  };
  const auto swizzle = step.is_swizzled ? CU_TENSOR_MAP_SWIZZLE_128B : CU_TENSOR_MAP_SWIZZLE_NONE;
  const dim3 tiles(m.size / SIDE, m.size / SIDE);
  step.kernel<<<tiles, THREADS>>>(m, map_of(m.src, swizzle),
                                  map_of(m.dest, CU_TENSOR_MAP_SWIZZLE_NONE));
  cuda_check(cudaGetLastError());
}

// Usage: program [rows [repetitions]]: of a square matrix, 512 unless told.
int main(int argc, char** argv) {
  const int size = argc > 1 ? std::atoi(argv[1]) : 512;
  const size_t count = static_cast<size_t>(size) * size;
  std::vector<float> host(count);
  for (size_t i = 0; i < count; ++i) host[i] = static_cast<float>(i % 16'777'213);
  float *src, *dest;
  cuda_check(cudaMalloc(&src, count * sizeof(float)));
  cuda_check(cudaMalloc(&dest, count * sizeof(float)));
  cuda_check(cudaMemcpy(src, host.data(), count * sizeof(float), cudaMemcpyHostToDevice));
  cudaEvent_t begin, end;
  cuda_check(cudaEventCreate(&begin));
  cuda_check(cudaEventCreate(&end));
  bool right = true;
  for (const Step& step : STEPS) {
    const Matrices matrices{src, dest, size};
    cuda_check(cudaMemset(dest, 0, count * sizeof(float)));
    launch(step, matrices);
    std::vector<float> result(count);
    cuda_check(cudaMemcpy(result.data(), dest, count * sizeof(float), cudaMemcpyDeviceToHost));
    bool is_right = true;
    for (size_t row = 0; row < static_cast<size_t>(size); ++row) {
      for (size_t column = 0; column < static_cast<size_t>(size); ++column) {
        is_right = is_right && result[column * size + row] == host[row * size + column];
      }
    }
    right = right && is_right;
    std::printf("%-16s %s", step.name, is_right ? "right" : "WRONG");
    if (argc > 2) {
      const int repetitions = std::atoi(argv[2]);
      cuda_check(cudaEventRecord(begin));
      for (int i = 0; i < repetitions; ++i) launch(step, matrices);
      cuda_check(cudaEventRecord(end));
      cuda_check(cudaEventSynchronize(end));
      float milliseconds = 0;
      cuda_check(cudaEventElapsedTime(&milliseconds, begin, end));
      std::printf("  %6.0f GB/s",
                  2e-6 * static_cast<double>(count * sizeof(float)) * repetitions / milliseconds);
    }
    std::printf("\n");
  }
  return right ? 0 : 1;
}
