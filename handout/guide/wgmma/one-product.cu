// The smallest whole kernel: one warpgroup, one tile of each factor, four products.
#include <algorithm>

#include "try.cuh"

__global__ void one_product(const __grid_constant__ CUtensorMap a_map,
                            const __grid_constant__ CUtensorMap b_map, float* sums) {
  __shared__ alignas(1024) bf16 a[64 * DEPTH];
  __shared__ alignas(1024) bf16 b[64 * DEPTH];
  __shared__ uint64_t loaded;
  if (threadIdx.x == 0) {
    init_barrier(&loaded, 1);
    async_proxy_fence();
    expect_bytes_and_arrive(&loaded, sizeof(a) + sizeof(b));
    cp_async_bulk_tensor_2d_global_to_shared(a, &a_map, 0, 0, &loaded);
    cp_async_bulk_tensor_2d_global_to_shared(b, &b_map, 0, 0, &loaded);
  }
  __syncthreads();
  wait(&loaded, 0);

  float d[4][8];
  warpgroup_arrive();
  for (int k = 0; k < DEPTH; k += 16) {
    const int adds = k > 0;  // the first product sets d
    wgmma_n64<1, 1, 0, 0>(columns_of(a, 0, k), columns_of(b, 0, k), d, adds);
  }
  wgmma_commit();
  wgmma_wait<0>();
  accumulators_changed(d);
  for (int i = 0; i < 32; ++i) sums[threadIdx.x * 32 + i] = d[i / 8][i % 8];
}

// The sums come as the threads hold them: in another order.
int main() {
  const Matrix a(64, DEPTH, 64, 1), b(64, DEPTH, 64, 2);
  std::vector<float> expected = product(a, b);
  std::vector<float> got = launched<float>(
      expected.size(), [&](float* sums) { one_product<<<1, WARPGROUP>>>(a.map, b.map, sums); });
  std::sort(expected.begin(), expected.end());
  std::sort(got.begin(), got.end());
  return compared(got, expected);
}
