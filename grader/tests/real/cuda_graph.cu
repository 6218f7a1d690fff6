// Graphs of kernels that others wrote: a captured CUB sort and scan, and a cooperative kernel,
// replayed with other data.
#include <cooperative_groups.h>

#include <algorithm>
#include <cub/device/device_merge_sort.cuh>
#include <cub/device/device_scan.cuh>
#include <numeric>

#include "real_test.h"

namespace cg = cooperative_groups;
using namespace real_test;

__global__ void rotate(const int* in, int* out, int count) {
  const cg::grid_group grid = cg::this_grid();
  for (auto i = static_cast<int>(grid.thread_rank()); i < count;
       i += static_cast<int>(grid.num_threads())) {
    out[i] = in[i];
  }
  grid.sync();
  if (grid.thread_rank() == 0) {
    for (int i = 1; i < count; i += 2) cuda::std::swap(out[i - 1], out[i]);
  }
}

int main() {
  int count = 5003;
  const DeviceArray<int> data(count), sums(count), out(count);
  std::size_t sort_bytes = 0, scan_bytes = 0;
  CHECK_OK(cub::DeviceMergeSort::SortKeys(nullptr, sort_bytes, data.data(), count, Less{}));
  CHECK_OK(cub::DeviceScan::InclusiveSum(nullptr, scan_bytes, data.data(), sums.data(), count));
  const DeviceArray<char> sort_storage(sort_bytes), scan_storage(scan_bytes);

  cudaStream_t stream = nullptr;
  cudaGraph_t graph = nullptr;
  cudaGraphExec_t executable = nullptr;
  CHECK_OK(cudaStreamCreate(&stream));
  CHECK_OK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  CHECK_OK(cub::DeviceMergeSort::SortKeys(sort_storage.data(), sort_bytes, data.data(), count,
                                          Less{}, stream));
  CHECK_OK(cub::DeviceScan::InclusiveSum(scan_storage.data(), scan_bytes, data.data(), sums.data(),
                                         count, stream));
  int *in_argument = sums.data(), *out_argument = out.data();
  void* arguments[] = {&in_argument, &out_argument, &count};
  CHECK_OK(cudaLaunchCooperativeKernel(reinterpret_cast<void*>(&rotate), dim3(16), dim3(64),
                                       arguments, 0, stream));
  CHECK_OK(cudaStreamEndCapture(stream, &graph));
  CHECK_OK(cudaGraphInstantiate(&executable, graph, 0));

  for (unsigned replay = 0; replay < 3; ++replay) {
    std::vector<int> values = small_values<int>(count, replay, 1000);
    CHECK_OK(cudaMemcpy(data.data(), values.data(), count * sizeof(int), cudaMemcpyHostToDevice));
    CHECK_OK(cudaGraphLaunch(executable, stream));
    CHECK_OK(cudaStreamSynchronize(stream));
    std::sort(values.begin(), values.end());
    std::inclusive_scan(values.begin(), values.end(), values.begin());
    for (int i = 1; i < count; i += 2) std::swap(values[i - 1], values[i]);
    expect_equal("after a replay", out, values);
  }
  CHECK_OK(cudaGraphExecDestroy(executable));
  CHECK_OK(cudaGraphDestroy(graph));
  CHECK_OK(cudaStreamDestroy(stream));
  return runtime_test::result();
}
