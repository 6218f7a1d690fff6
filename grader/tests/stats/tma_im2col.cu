// Loads of pixels: half a row of an image, and what begins at its last row.
#include "tensor-map.cuh"
#include "tma-interface.cuh"

constexpr int width = 8;
constexpr int height = 4;
constexpr int channels = 8;  // floats: a pixel is a sector
constexpr int pixels = 16;   // of an operation

__global__ void load_pixels(const __grid_constant__ CUtensorMap image, int row) {
  __shared__ alignas(128) float tile[pixels * channels];
  __shared__ uint64_t loaded;
  init_barrier(&loaded, 1);
  fence_barrier_init();
  expect_bytes_and_arrive(&loaded, sizeof tile);
  asm volatile(
      "cp.async.bulk.tensor.4d.shared::cluster.global.im2col.mbarrier::complete_tx::bytes"
      " [%0], [%1, {0, 0, %2, 0}], [%3], {0, 0};" ::"r"(
          static_cast<unsigned>(__cvta_generic_to_shared(tile))),
      "l"(&image), "r"(row), "r"(static_cast<unsigned>(__cvta_generic_to_shared(&loaded)))
      : "memory");
  wait(&loaded, 0);
}

CUtensorMap map_of(float* image) {
  void* function = nullptr;
  cudaDriverEntryPointQueryResult found{};
  cuda_check(cudaGetDriverEntryPointByVersion("cuTensorMapEncodeIm2col", &function, 12000,
                                              cudaEnableDefault, &found));
  const uint64_t sizes[] = {channels, width, height, 1};
  const uint64_t row_bytes = width * channels * sizeof(float);
  const uint64_t strides[] = {channels * sizeof(float), row_bytes, height * row_bytes};
  const int corners[] = {0, 0};
  const uint32_t steps[] = {1, 1, 1, 1};
  CUtensorMap map;
  const CUresult result = reinterpret_cast<decltype(&cuTensorMapEncodeIm2col)>(function)(
      &map, CU_TENSOR_MAP_DATA_TYPE_FLOAT32, 4, image, sizes, strides, corners, corners, channels,
      pixels, steps, CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_SWIZZLE_NONE,
      CU_TENSOR_MAP_L2_PROMOTION_NONE, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
  if (result != CUDA_SUCCESS) std::exit(EXIT_FAILURE);
  return map;
}

int main() {
  float* image;
  cuda_check(cudaMalloc(&image, width * height * channels * sizeof(float)));
  cuda_check(cudaMemset(image, 0, width * height * channels * sizeof(float)));
  const CUtensorMap map = map_of(image);
  load_pixels<<<1, 1>>>(map, 0);           // two rows
  load_pixels<<<1, 1>>>(map, height - 1);  // the last one, and what is behind it
  cuda_check(cudaDeviceSynchronize());
  cuda_check(cudaFree(image));
}
