// cuda::ptx: the special registers of threads, CTAs, clusters and the grid.
#include <cuda/ptx>

#include "real_test.h"

namespace ptx = cuda::ptx;
using namespace real_test;

__global__ void __cluster_dims__(2, 1, 1) compare(int* wrong_registers) {
  extern __shared__ char shared[];
  const unsigned linear = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
  const unsigned lane = linear % 32;
  int wrong = 0;
  const auto expect = [&](unsigned long long got, unsigned long long expected) {
    wrong += got == expected ? 0 : 1;
  };
  expect(ptx::get_sreg_tid_x(), threadIdx.x);
  expect(ptx::get_sreg_tid_y(), threadIdx.y);
  expect(ptx::get_sreg_tid_z(), threadIdx.z);
  expect(ptx::get_sreg_ntid_x(), blockDim.x);
  expect(ptx::get_sreg_ntid_y(), blockDim.y);
  expect(ptx::get_sreg_ntid_z(), blockDim.z);
  expect(ptx::get_sreg_ctaid_x(), blockIdx.x);
  expect(ptx::get_sreg_ctaid_y(), blockIdx.y);
  expect(ptx::get_sreg_ctaid_z(), blockIdx.z);
  expect(ptx::get_sreg_nctaid_x(), gridDim.x);
  expect(ptx::get_sreg_nctaid_y(), gridDim.y);
  expect(ptx::get_sreg_nctaid_z(), gridDim.z);
  expect(ptx::get_sreg_laneid(), lane);
  expect(ptx::get_sreg_lanemask_eq(), 1u << lane);
  expect(ptx::get_sreg_lanemask_lt(), (1u << lane) - 1);
  expect(ptx::get_sreg_lanemask_le(), (2u << lane) - 1);
  expect(ptx::get_sreg_lanemask_gt(), ~((2u << lane) - 1));
  expect(ptx::get_sreg_lanemask_ge(), ~((1u << lane) - 1));
  expect(ptx::get_sreg_nsmid() > ptx::get_sreg_smid(), true);
  expect(ptx::get_sreg_nwarpid() > ptx::get_sreg_warpid(), true);
  expect(ptx::get_sreg_is_explicit_cluster(), true);
  expect(ptx::get_sreg_clusterid_x(), blockIdx.x / 2);
  expect(ptx::get_sreg_clusterid_y(), blockIdx.y);
  expect(ptx::get_sreg_clusterid_z(), blockIdx.z);
  expect(ptx::get_sreg_nclusterid_x(), gridDim.x / 2);
  expect(ptx::get_sreg_nclusterid_y(), gridDim.y);
  expect(ptx::get_sreg_nclusterid_z(), gridDim.z);
  expect(ptx::get_sreg_cluster_ctaid_x(), blockIdx.x % 2);
  expect(ptx::get_sreg_cluster_ctaid_y(), 0);
  expect(ptx::get_sreg_cluster_ctaid_z(), 0);
  expect(ptx::get_sreg_cluster_nctaid_x(), 2);
  expect(ptx::get_sreg_cluster_nctaid_y(), 1);
  expect(ptx::get_sreg_cluster_nctaid_z(), 1);
  expect(ptx::get_sreg_cluster_ctarank(), blockIdx.x % 2);
  expect(ptx::get_sreg_cluster_nctarank(), 2);
  expect(ptx::get_sreg_dynamic_smem_size(), 640);
  expect(ptx::get_sreg_total_smem_size() >= 640, true);
  expect(ptx::get_sreg_aggr_smem_size() >= ptx::get_sreg_total_smem_size(), true);
  expect(ptx::getctarank(ptx::space_cluster, &shared[8]), blockIdx.x % 2);

  const auto clock = ptx::get_sreg_clock64();
  const auto time = ptx::get_sreg_globaltimer();
  __nanosleep(1000);
  expect(ptx::get_sreg_clock64() > clock, true);
  expect(ptx::get_sreg_globaltimer() >= time, true);
  expect(ptx::get_sreg_clock() != 0 || ptx::get_sreg_clock_hi() != 0, true);
  expect(ptx::get_sreg_globaltimer_hi(), static_cast<unsigned>(time >> 32));

  const unsigned cta = blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);
  wrong_registers[cta * blockDim.x * blockDim.y * blockDim.z + linear] = wrong;
}

int main() {
  const DeviceArray<int> wrong(4 * 3 * 2 * 96);
  compare<<<dim3(4, 3, 2), dim3(8, 4, 3), 640>>>(wrong.data());
  CHECK_OK(cudaGetLastError());
  expect_equal("wrong registers", wrong, std::vector<int>(wrong.size()));
  return runtime_test::result();
}
