// A producer and two consumers: the shape of a main loop that ptxas takes as it is.
#include "try.cuh"

inline constexpr int CONSUMERS = 2;                          // warpgroups, of 64 rows each
inline constexpr int THREADS = (CONSUMERS + 1) * WARPGROUP;  // the last warpgroup is the producer
inline constexpr int ROWS = CONSUMERS * 64;                  // of a tile of the product
inline constexpr int COLUMNS = 64;
inline constexpr int STAGES = 4;

struct Ring {
  struct Stage {
    alignas(1024) bf16 a[ROWS * DEPTH];
    alignas(1024) bf16 b[COLUMNS * DEPTH];
  };
  Stage stages[STAGES];
  uint64_t full[STAGES];   // one arrival, and the bytes
  uint64_t empty[STAGES];  // an arrival of each warp that multiplies
};

extern __shared__ __align__(1024) unsigned char memory[];

// BEGIN KERNEL
// Rounds a thread's sums, two neighbors of a row at a time, and writes them.
__device__ void write_sums(bf16* c, int n, const float (&sums)[4][8]) {
  const int group = threadIdx.x / WARPGROUP, warp = threadIdx.x % WARPGROUP / WARP;
  const int lane = threadIdx.x % WARP;
  const int first_row = blockIdx.x * ROWS + group * 64 + 16 * warp + lane / 4;
  const int first_column = blockIdx.y * COLUMNS + 2 * (lane % 4);
#pragma unroll
  for (int i = 0; i < 32; i += 2) {
    const int row = first_row + 8 * (i / 2 % 2), column = first_column + 8 * (i / 4);
    const __nv_bfloat162 both = __floats2bfloat162_rn(sums[i / 8][i % 8], sums[i / 8][i % 8 + 1]);
    *reinterpret_cast<__nv_bfloat162*>(&c[row * n + column]) = both;
  }
}

__global__ __launch_bounds__(THREADS, 1) void multiply(const __grid_constant__ CUtensorMap a_map,
                                                       const __grid_constant__ CUtensorMap b_map,
                                                       bf16* c, int n, int steps) {
  Ring& ring = *reinterpret_cast<Ring*>(memory);
  if (threadIdx.x == 0) {
    for (int stage = 0; stage < STAGES; ++stage) {
      init_barrier(&ring.full[stage], 1);
      init_barrier(&ring.empty[stage], CONSUMERS * WARPGROUP / WARP);
    }
    async_proxy_fence();
  }
  __syncthreads();  // the last one: from here on the warpgroups go their own ways

  const int group = threadIdx.x / WARPGROUP;
  if (group == CONSUMERS) {
    warpgroup_reg_dealloc<40>();               // all four warps
    if (threadIdx.x % WARPGROUP != 0) return;  // one thread loads
    for (int step = 0; step < steps; ++step) {
      const int s = step % STAGES, lap = step / STAGES;
      Ring::Stage& stage = ring.stages[s];
      wait(&ring.empty[s], (lap + 1) % 2);  // passes at once on the first lap
      expect_bytes_and_arrive(&ring.full[s], sizeof(stage));
      cp_async_bulk_tensor_2d_global_to_shared(stage.a, &a_map, step * DEPTH, blockIdx.x * ROWS,
                                               &ring.full[s]);
      cp_async_bulk_tensor_2d_global_to_shared(stage.b, &b_map, step * DEPTH, blockIdx.y * COLUMNS,
                                               &ring.full[s]);
    }
    return;
  }

  warpgroup_reg_alloc<232>();
  float sums[4][8];  // not set: the first product does that
  for (int step = 0; step < steps; ++step) {
    const int s = step % STAGES, lap = step / STAGES;
    const Ring::Stage& stage = ring.stages[s];
    wait(&ring.full[s], lap % 2);
    warpgroup_arrive();
    for (int k = 0; k < DEPTH; k += 16) {
      const int adds = step + k > 0;
      wgmma_n64<1, 1, 0, 0>(columns_of(stage.a, group * 64, k), columns_of(stage.b, 0, k), sums,
                            adds);
    }
    wgmma_commit();
    wgmma_wait<1>();  // this step's products go on; those of the step before are done
    if (step > 0 && threadIdx.x % WARP == 0) arrive(&ring.empty[(step - 1) % STAGES], 1);
  }
  wgmma_wait<0>();
  accumulators_changed(sums);
  write_sums(c, n, sums);
}
// END KERNEL

int main() {
  const int m = 2 * ROWS, n = 2 * COLUMNS, k = 10 * DEPTH;
  const Matrix a(m, k, ROWS, 1), b(n, k, COLUMNS, 2);
  cuda_check(
      cudaFuncSetAttribute(multiply, cudaFuncAttributeMaxDynamicSharedMemorySize, sizeof(Ring)));
  const auto got = launched<bf16>(m * n, [&](bf16* c) {
    multiply<<<dim3(m / ROWS, n / COLUMNS), THREADS, sizeof(Ring)>>>(a.map, b.map, c, n, k / DEPTH);
  });
  std::vector<float> expected = product(a, b);
  for (float& sum : expected) sum = bf16(sum);
  return compared(got, expected);
}
