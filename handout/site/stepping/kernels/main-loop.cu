#include "tensors.h"
#include "wgmma-interface.cuh"

inline constexpr int STAGES = 2;
inline constexpr int STEPS = 4;
inline constexpr int DEPTH = 16;  // of k: 32 bytes
inline constexpr int CONSUMERS = 128;

// Rows of STEPS * DEPTH elements: of row r, r % 8 + 1, and of B the number of the step on top.
CUtensorMap factor(int rows, bool is_b) {
  std::vector<__nv_bfloat16> elements;
  for (int i = 0; i < rows * STEPS * DEPTH; ++i) {
    const int row = i / (STEPS * DEPTH), step = i % (STEPS * DEPTH) / DEPTH;
    elements.push_back(__float2bfloat16(static_cast<float>(row % 8 + 1 + (is_b ? step : 0))));
  }
  const size_t bytes = elements.size() * sizeof(__nv_bfloat16);
  __nv_bfloat16* device = nullptr;
  cuda_check(cudaMalloc(&device, bytes));
  cuda_check(cudaMemcpy(device, elements.data(), bytes, cudaMemcpyHostToDevice));
  return make_tensor_map<__nv_bfloat16, 2>(device, {STEPS * DEPTH, rows}, {STEPS * DEPTH * 2},
                                           {DEPTH, rows}, {.swizzle = CU_TENSOR_MAP_SWIZZLE_32B});
}

__global__ void main_loop(const __grid_constant__ CUtensorMap a_map,
                          const __grid_constant__ CUtensorMap b_map, uint32_t* sums) {
  __shared__ alignas(256) __nv_bfloat16 a[STAGES][64 * DEPTH];
  __shared__ alignas(256) __nv_bfloat16 b[STAGES][8 * DEPTH];
  __shared__ uint64_t full[STAGES];
  __shared__ uint64_t empty[STAGES];
  if (threadIdx.x == 0) {
    for (int i = 0; i < STAGES; ++i) {
      init_barrier(&full[i], 1);
      init_barrier(&empty[i], CONSUMERS / 32);
    }
    async_proxy_fence();
  }
  __syncthreads();
  if (threadIdx.x >= CONSUMERS) {
    if (threadIdx.x > CONSUMERS) return;
    for (int step = 0; step < STEPS; ++step) {
      const int i = step % STAGES;
      wait(&empty[i], (step / STAGES + 1) % 2);  //: empty
      expect_bytes_and_arrive(&full[i], sizeof(a[i]) + sizeof(b[i]));
      cp_async_bulk_tensor_2d_global_to_shared(a[i], &a_map, step * DEPTH, 0, &full[i]);
      cp_async_bulk_tensor_2d_global_to_shared(b[i], &b_map, step * DEPTH, 0, &full[i]);
    }
    return;
  }
  float d[4] = {};
  for (int step = 0; step < STEPS; ++step) {
    const int i = step % STAGES;
    wait(&full[i], step / STAGES % 2);  //: full
    warpgroup_arrive();                 //: fence
    wgmma_n8<1, 1, 1, 0, 0>(make_smem_desc<SWIZZLE_32B>(a[i], 0, 256),
                            make_smem_desc<SWIZZLE_32B>(b[i], 0, 256), d);
    wgmma_commit();                                   //: commit
    wgmma_wait<0>();                                  //: wait
    if (threadIdx.x % 32 == 0) arrive(&empty[i], 1);  //: arrive
  }
  accumulators_changed(d);
  for (int i = 0; i < 4; ++i) sums[threadIdx.x * 4 + i] = static_cast<uint32_t>(d[i]);
}

int main() {
  main_loop<<<1, CONSUMERS + 32>>>(factor(64, false), factor(8, true), zeroed_words(512));
  return finish();
}
