// cooperative_groups::this_cluster(): ranks, barriers whole and in halves, and distributed shared
// memory read, written and counted in by the other CTAs.
#include <cooperative_groups.h>

#include "real_test.h"

namespace cg = cooperative_groups;
using namespace real_test;

constexpr int threads = 64;

// A histogram whose bins are spread over the shared memory of the cluster.
__global__ void histogram(const int* in, int count, int* out, int bins_per_cta) {
  extern __shared__ int bins[];
  const cg::cluster_group cluster = cg::this_cluster();
  for (int i = threadIdx.x; i < bins_per_cta; i += blockDim.x) bins[i] = 0;
  cluster.sync();
  for (auto i = static_cast<int>(cluster.thread_rank()); i < count;
       i += static_cast<int>(cluster.num_threads())) {
    int* const theirs = cluster.map_shared_rank(bins, in[i] / bins_per_cta);
    atomicAdd(&theirs[in[i] % bins_per_cta], 1);
  }
  cluster.sync();
  for (int i = threadIdx.x; i < bins_per_cta; i += blockDim.x) {
    out[cluster.block_rank() * bins_per_cta + i] = bins[i];
  }
}

// Values go round the ring of CTAs; the barrier is split around work of one's own.
__global__ void ring(int* out) {
  __shared__ int box[2][threads];
  cg::cluster_group cluster = cg::this_cluster();
  const unsigned next = (cluster.block_rank() + 1) % cluster.num_blocks();
  box[0][threadIdx.x] = static_cast<int>(100 * cluster.block_rank() + threadIdx.x);
  cluster.sync();
  int sum = 0;
  for (unsigned step = 0; step < cluster.num_blocks(); ++step) {
    int(*const theirs)[threads] = cluster.map_shared_rank(box, next);
    const int mine = box[step % 2][threadIdx.x];
    theirs[(step + 1) % 2][threadIdx.x] = mine;
    auto token = cluster.barrier_arrive();
    sum = 3 * sum + mine;
    cluster.barrier_wait(std::move(token));
  }
  out[cluster.block_rank() * threads + threadIdx.x] = sum;
}

__global__ void __cluster_dims__(2, 2, 1) ranks(unsigned* out) {
  const cg::cluster_group cluster = cg::this_cluster();
  __shared__ int here;
  const unsigned block = blockIdx.x + gridDim.x * blockIdx.y;
  const bool good = cluster.dim_blocks().x == 2 && cluster.num_threads() == 4 * threads &&
                    cluster.block_index().y == blockIdx.y % 2 &&
                    cluster.query_shared_rank(cluster.map_shared_rank(&here, 3)) == 3;
  if (threadIdx.x == 0) out[block] = good ? cluster.block_rank() : ~0u;
  cluster.sync();
}

template <class... Parameters, class... Arguments>
void launch_cluster(void (*kernel)(Parameters...), int ctas, int shared_bytes,
                    Arguments... arguments) {
  cudaLaunchAttribute attribute{};
  attribute.id = cudaLaunchAttributeClusterDimension;
  attribute.val.clusterDim = {static_cast<unsigned>(ctas), 1, 1};
  cudaLaunchConfig_t config{};
  config.gridDim = dim3(ctas);
  config.blockDim = dim3(threads);
  config.dynamicSmemBytes = shared_bytes;
  config.attrs = &attribute;
  config.numAttrs = 1;
  CHECK_OK(cudaLaunchKernelEx(&config, kernel, arguments...));
}

int main() {
  for (const int ctas : {1, 2, 3, 8}) {
    constexpr int bins_per_cta = 37;
    const int bins = ctas * bins_per_cta;
    const std::vector<int> values = small_values<int>(10'007, 1, bins);
    std::vector<int> expected(bins);
    for (const int value : values) ++expected[value];
    const DeviceArray<int> in(values), out(bins);
    launch_cluster(histogram, ctas, bins_per_cta * sizeof(int), in.data(),
                   static_cast<int>(values.size()), out.data(), bins_per_cta);
    expect_equal("histogram", out, expected);

    const DeviceArray<int> sums(ctas * threads);
    launch_cluster(ring, ctas, 0, sums.data());
    expected.assign(ctas * threads, 0);
    for (int i = 0; i < ctas * threads; ++i) {
      for (int step = 0; step < ctas; ++step) {
        const int from = (i / threads - step + ctas) % ctas;
        expected[i] = 3 * expected[i] + 100 * from + i % threads;
      }
    }
    expect_equal("sums round the ring", sums, expected);
  }

  const DeviceArray<unsigned> out(4 * 6);
  ranks<<<dim3(4, 6), threads>>>(out.data());
  std::vector<unsigned> expected;
  for (unsigned y = 0; y < 6; ++y) {
    for (unsigned x = 0; x < 4; ++x) expected.push_back(x % 2 + 2 * (y % 2));
  }
  expect_equal("ranks", out, expected);
  return runtime_test::result();
}
