// Makes a tensor map of every element type and every number of dimensions, from numbers of several
// types: it only has to compile.
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include "cuda-check.cuh"
#include "tensor-map.cuh"

template <typename T>
void every_rank(T* global) {
  make_tensor_map<T, 1>(global, {64}, {}, {16});
  make_tensor_map<T, 2>(global, {64, 4}, {64 * sizeof(T)}, {16, 2});
  make_tensor_map<T, 3>(global, {64, 4, 2}, {512, 2048}, {16, 2, 2});
  make_tensor_map<T, 4>(global, {64, 4, 2, 2}, {512, 2048, 4096}, {16, 2, 2, 1});
  make_tensor_map<T, 5>(global, {64, 4, 2, 2, 3}, {512, 2048, 4096, 8192}, {16, 2, 2, 1, 1},
                        {.swizzle = CU_TENSOR_MAP_SWIZZLE_128B});
}

void every_type(void* global) {
  every_rank(static_cast<uint8_t*>(global));
  every_rank(static_cast<uint16_t*>(global));
  every_rank(static_cast<uint32_t*>(global));
  every_rank(static_cast<int32_t*>(global));
  every_rank(static_cast<uint64_t*>(global));
  every_rank(static_cast<int64_t*>(global));
  every_rank(static_cast<__half*>(global));
  every_rank(static_cast<__nv_bfloat16*>(global));
  every_rank(static_cast<float*>(global));
  every_rank(static_cast<double*>(global));
  cuda_check(cudaGetLastError());
}

// What a launcher is given: its sizes are int, whose conversion in braces would be refused.
CUtensorMap of_ints(float* matrix, int columns, int rows, int tile) {
  const int stride_bytes = columns * 4;
  return make_tensor_map<float, 2>(matrix, {columns, rows}, {stride_bytes}, {tile, tile});
}

// An input: only the kernel decides what is done through the map.
CUtensorMap of_arrays(const float* matrix, const std::array<uint64_t, 2>& sizes,
                      const std::array<uint64_t, 1>& strides_bytes,
                      const std::array<uint32_t, 2>& box) {
  return make_tensor_map<float, 2>(matrix, sizes, strides_bytes, box);
}
