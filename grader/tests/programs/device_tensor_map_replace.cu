// Tensor maps that a kernel changes: each CTA points a copy of one map to its own row.
#include <cuda.h>
#include <cudaTypedefs.h>

#include <cuda/barrier>
#include <cuda/ptx>

#include "runtime_test.h"

namespace ptx = cuda::ptx;
constexpr int columns = 64;
constexpr int rows = 4;

__global__ void copy_rows(const __grid_constant__ CUtensorMap original, CUtensorMap* copies,
                          const int* in, int* out) {
  __shared__ alignas(128) int tile[columns];
  __shared__ alignas(128) CUtensorMap map;
  __shared__ alignas(8) uint64_t bar;
  const int t = static_cast<int>(threadIdx.x);
  CUtensorMap* global_map = copies + blockIdx.x;
  if (t == 0) {
    map = original;
    ptx::mbarrier_init(&bar, 1);
    ptx::fence_mbarrier_init(ptx::sem_release, ptx::scope_cluster);
    ptx::tensormap_replace_global_address(ptx::space_shared, &map, in + blockIdx.x * columns);
    ptx::tensormap_replace_global_dim(ptx::space_shared, &map, ptx::n32_t<0>{}, columns / 2);
  }
  __syncwarp();
  ptx::tensormap_cp_fenceproxy(ptx::sem_release, ptx::scope_gpu, global_map, &map,
                               ptx::n32_t<128>{});
  ptx::fence_proxy_tensormap_generic(ptx::sem_acquire, ptx::scope_gpu, global_map,
                                     ptx::n32_t<128>{});
  if (t == 0) {
    const int32_t coordinates[] = {0};
    ptx::cp_async_bulk_tensor(ptx::space_cluster, ptx::space_global, tile, global_map, coordinates,
                              &bar);
    ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, &bar,
                                   sizeof tile);
  }
  __syncwarp();
  while (!ptx::mbarrier_try_wait_parity(&bar, 0)) {
  }
  for (int i = t; i < columns; i += 32) out[blockIdx.x * columns + i] = tile[i];
}

int main() {
  int *in = nullptr, *out = nullptr;
  CUtensorMap* copies = nullptr;
  CHECK_OK(cudaMallocManaged(&in, rows * columns * sizeof(int)));
  CHECK_OK(cudaMallocManaged(&out, rows * columns * sizeof(int)));
  CHECK_OK(cudaMalloc(&copies, rows * sizeof *copies));
  for (int i = 0; i < rows * columns; ++i) in[i] = i;
  alignas(64) CUtensorMap map;
  const cuuint64_t size[] = {columns};
  const cuuint64_t no_strides[] = {0};  // the driver wants an array, even for rank 1
  const cuuint32_t box[] = {columns};
  const cuuint32_t step[] = {1};
  CHECK(cuTensorMapEncodeTiled(&map, CU_TENSOR_MAP_DATA_TYPE_INT32, 1, in, size, no_strides, box,
                               step, CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_SWIZZLE_NONE,
                               CU_TENSOR_MAP_L2_PROMOTION_NONE,
                               CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE) == CUDA_SUCCESS);
  copy_rows<<<rows, 32>>>(map, copies, in, out);
  CHECK_OK(cudaDeviceSynchronize());
  bool same = true;
  for (int i = 0; i < rows * columns; ++i)
    same = same && out[i] == (i % columns < columns / 2 ? i : 0);
  CHECK(same);
  return runtime_test::result();
}
