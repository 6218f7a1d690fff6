// A tensor map that a kernel changes, used without the acquire fence: a finding, as the test that
// runs this knows. A later kernel needs no fence.
#include <cuda.h>

#include "runtime_test.h"
#include "tma-interface.cuh"

constexpr int columns = 64;

__device__ void copy_row(const CUtensorMap* map, int* out) {
  __shared__ alignas(128) int tile[columns];
  __shared__ std::uint64_t loaded;
  init_barrier(&loaded, 1);
  async_proxy_fence();
  expect_bytes_and_arrive(&loaded, sizeof tile);
  cp_async_bulk_tensor_1d_global_to_shared(tile, map, 0, &loaded);
  wait(&loaded, 0);
  for (int i = 0; i < columns; ++i) out[i] = tile[i];
}

__global__ void change_and_use(CUtensorMap* map, int* second_row, int* out) {
  tensor_map_set_global_address(map, second_row);
  tensor_map_fence_release();
  copy_row(map, out);
}

__global__ void use(const CUtensorMap* map, int* out) {
  copy_row(map, out);
}

int main() {
  int *in = nullptr, *out = nullptr;
  CUtensorMap* map = nullptr;
  CHECK_OK(cudaMallocManaged(&in, 2 * columns * sizeof(int)));
  CHECK_OK(cudaMallocManaged(&out, 2 * columns * sizeof(int)));
  CHECK_OK(cudaMallocManaged(&map, sizeof *map));
  for (int i = 0; i < 2 * columns; ++i) in[i] = i;
  const cuuint64_t size[] = {columns};
  const cuuint64_t no_strides[] = {0};
  const cuuint32_t box[] = {columns};
  const cuuint32_t step[] = {1};
  CHECK(cuTensorMapEncodeTiled(map, CU_TENSOR_MAP_DATA_TYPE_INT32, 1, in, size, no_strides, box,
                               step, CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_SWIZZLE_NONE,
                               CU_TENSOR_MAP_L2_PROMOTION_NONE,
                               CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE) == CUDA_SUCCESS);
  change_and_use<<<1, 1>>>(map, in + columns, out);
  use<<<1, 1>>>(map, out + columns);
  CHECK_OK(cudaDeviceSynchronize());
  CHECK(out[columns] == columns);
  return runtime_test::result();
}
