// cp.async: groups, zero fill, completion on an mbarrier; ldmatrix; stores to a neighbor's shared
// memory that complete on its mbarrier.
#include <cooperative_groups.h>
#include <cuda_pipeline.h>

#include <cuda/barrier>
#include <cuda/ptx>

#include "runtime_test.h"

constexpr int threads = 64;

__global__ void through_groups(const int* in, int* out, int tiles) {
  __shared__ alignas(16) int stages[2][threads * 4];
  const int t = static_cast<int>(threadIdx.x);
  const auto fetch = [&](int tile) {
    if (tile < tiles) {
      __pipeline_memcpy_async(&stages[tile % 2][t * 4], &in[(tile * threads + t) * 4], 16);
    }
    __pipeline_commit();
  };
  fetch(0);
  for (int tile = 0; tile < tiles; ++tile) {
    fetch(tile + 1);
    __pipeline_wait_prior(1);
    __syncthreads();
    const int* neighbor = &stages[tile % 2][(threads - 1 - t) * 4];
    for (int i = 0; i < 4; ++i) out[(tile * threads + t) * 4 + i] = neighbor[i];
    __syncthreads();
  }
}

__global__ void with_zero_fill(const int* in, int* out) {
  __shared__ alignas(16) int values[threads * 4];
  const int t = static_cast<int>(threadIdx.x);
  __pipeline_memcpy_async(&values[t * 4], &in[t * 4], 16, t % 5 * 4 > 12 ? 16 : t % 5 * 4);
  __pipeline_commit();
  __pipeline_wait_prior(0);
  for (int i = 0; i < 4; ++i) out[t * 4 + i] = values[t * 4 + i];
}

__global__ void on_mbarrier(const int* in, int* out) {
  __shared__ alignas(16) int values[threads];
  __shared__ cuda::barrier<cuda::thread_scope_block> done;
  const int t = static_cast<int>(threadIdx.x);
  if (t == 0) init(&done, threads);
  __syncthreads();
  cuda::memcpy_async(&values[t], &in[t], sizeof(int), done);
  done.arrive_and_wait();
  out[t] = values[threads - 1 - t];
}

__global__ void load_matrix(int* out) {
  __shared__ alignas(16) unsigned short elements[64];
  const int t = static_cast<int>(threadIdx.x);
  elements[2 * t] = static_cast<unsigned short>(2 * t);
  elements[2 * t + 1] = static_cast<unsigned short>(2 * t + 1);
  __syncwarp();
  const auto row = static_cast<unsigned>(__cvta_generic_to_shared(&elements[t % 8 * 8]));
  unsigned fragment;
  asm volatile("ldmatrix.sync.aligned.m8n8.x1.trans.shared.b16 {%0}, [%1];"
               : "=r"(fragment)
               : "r"(row)
               : "memory");
  out[t] = static_cast<int>(fragment);
}

__global__ void __cluster_dims__(2, 1, 1) to_neighbor(int* out) {
  namespace cg = cooperative_groups;
  __shared__ alignas(8) unsigned long long bar;
  __shared__ int inbox[32];
  const cg::cluster_group cluster = cg::this_cluster();
  const int t = static_cast<int>(threadIdx.x);
  const unsigned other = cluster.block_rank() ^ 1;
  if (t == 0) {
    cuda::ptx::mbarrier_init(reinterpret_cast<uint64_t*>(&bar), 1);
    cuda::ptx::mbarrier_arrive_expect_tx(cuda::ptx::sem_release, cuda::ptx::scope_cta,
                                         cuda::ptx::space_shared, reinterpret_cast<uint64_t*>(&bar),
                                         sizeof inbox);
  }
  cluster.sync();
  cuda::ptx::st_async(cluster.map_shared_rank(&inbox[t], other),
                      static_cast<int>(cluster.block_rank() * 100) + t,
                      cluster.map_shared_rank(reinterpret_cast<uint64_t*>(&bar), other));
  while (!cuda::ptx::mbarrier_try_wait_parity(reinterpret_cast<uint64_t*>(&bar), 0)) {
  }
  out[cluster.block_rank() * 32 + t] = inbox[t];
  cluster.sync();
}

int main() {
  constexpr int tiles = 5;
  constexpr int count = tiles * threads * 4;
  int *in = nullptr, *out = nullptr;
  CHECK_OK(cudaMallocManaged(&in, count * sizeof(int)));
  CHECK_OK(cudaMallocManaged(&out, count * sizeof(int)));
  for (int i = 0; i < count; ++i) in[i] = i + 1;

  through_groups<<<1, threads>>>(in, out, tiles);
  CHECK_OK(cudaDeviceSynchronize());
  bool same = true;
  for (int i = 0; i < count; ++i) {
    const int tile = i / (threads * 4);
    const int t = i / 4 % threads;
    same = same && out[i] == in[(tile * threads + threads - 1 - t) * 4 + i % 4];
  }
  CHECK(same);

  with_zero_fill<<<1, threads>>>(in, out);
  CHECK_OK(cudaDeviceSynchronize());
  same = true;
  for (int i = 0; i < threads * 4; ++i) {
    const int filled = i / 4 % 5;  // ints that are zero at the end
    same = same && out[i] == (i % 4 < 4 - filled ? in[i] : 0);
  }
  CHECK(same);

  on_mbarrier<<<1, threads>>>(in, out);
  CHECK_OK(cudaDeviceSynchronize());
  CHECK(out[0] == threads && out[threads - 1] == 1);

  load_matrix<<<1, 32>>>(out);
  CHECK_OK(cudaDeviceSynchronize());
  CHECK(out[0] == 8 << 16 && out[1] == (24 << 16 | 16) && out[31] == (63 << 16 | 55));

  to_neighbor<<<2, 32>>>(out);
  CHECK_OK(cudaDeviceSynchronize());
  CHECK(out[0] == 100 && out[31] == 131 && out[32] == 0 && out[63] == 31);
  return runtime_test::result();
}
