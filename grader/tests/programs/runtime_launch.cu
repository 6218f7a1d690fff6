// Launches: arguments of every size, attributes, and what CUDA refuses to launch.
#include "runtime_test.h"

struct Wide {
  char letters[13];
  double number;
};

__global__ void gather(char a, double b, Wide wide, short c, double* out) {
  out[0] = a;
  out[1] = b;
  out[2] = wide.letters[12];
  out[3] = wide.number;
  out[4] = c;
}

__global__ void use_dynamic_shared(int* out) {
  extern __shared__ int dynamic[];
  dynamic[threadIdx.x] = static_cast<int>(threadIdx.x);
  __syncthreads();
  out[threadIdx.x] = dynamic[blockDim.x - 1 - threadIdx.x];
}

__global__ void __launch_bounds__(64) small_blocks_only() {}

__global__ void has_static_shared(int* out) {
  __shared__ int fixed[1024];
  fixed[threadIdx.x] = static_cast<int>(threadIdx.x);
  __syncthreads();
  out[0] = fixed[0];
}

__global__ void cluster_rank(unsigned* ranks) {
  unsigned rank;
  asm volatile("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
  if (threadIdx.x == 0) ranks[blockIdx.x] = rank;
}

__global__ void nothing() {}

static void not_a_kernel() {}

static void arguments_keep_size_and_alignment() {
  double* out = nullptr;
  double values[5] = {};
  CHECK_OK(cudaMalloc(&out, sizeof values));
  Wide wide{};
  wide.letters[12] = 'x';
  wide.number = -1.25;
  gather<<<1, 1>>>('a', 3.5, wide, -7, out);
  CHECK_OK(cudaMemcpy(values, out, sizeof values, cudaMemcpyDeviceToHost));
  CHECK(values[0] == 'a' && values[1] == 3.5 && values[2] == 'x');
  CHECK(values[3] == -1.25 && values[4] == -7);
  CHECK_OK(cudaFree(out));
}

static void wrong_shapes_are_refused() {
  nothing<<<0, 1>>>();
  CHECK_ERROR(cudaErrorInvalidValue, cudaGetLastError());
  nothing<<<1, 0>>>();
  CHECK_ERROR(cudaErrorInvalidValue, cudaGetLastError());
  nothing<<<1, 1025>>>();
  CHECK_ERROR(cudaErrorInvalidValue, cudaGetLastError());
  nothing<<<1, dim3(1, 1, 65)>>>();
  CHECK_ERROR(cudaErrorInvalidValue, cudaGetLastError());
  nothing<<<dim3(1, 65536, 1), 1>>>();
  CHECK_ERROR(cudaErrorInvalidValue, cudaGetLastError());
  CHECK_OK(cudaGetLastError());
}

static void launch_bounds_are_enforced() {
  small_blocks_only<<<1, 64>>>();
  CHECK_OK(cudaGetLastError());
  small_blocks_only<<<1, 65>>>();
  CHECK(cudaGetLastError() != cudaSuccess);
  CHECK_OK(cudaDeviceSynchronize());
}

static void dynamic_shared_memory_has_to_be_allowed() {
  constexpr int most = 232448;  // 227 KiB
  int* out = nullptr;
  int values[32] = {};
  CHECK_OK(cudaMalloc(&out, sizeof values));
  use_dynamic_shared<<<1, 32, 49152>>>(out);
  CHECK_OK(cudaGetLastError());
  use_dynamic_shared<<<1, 32, 49153>>>(out);
  CHECK_ERROR(cudaErrorInvalidValue, cudaGetLastError());
  CHECK_OK(
      cudaFuncSetAttribute(use_dynamic_shared, cudaFuncAttributeMaxDynamicSharedMemorySize, most));
  use_dynamic_shared<<<1, 32, most>>>(out);
  CHECK_OK(cudaGetLastError());
  CHECK_OK(cudaMemcpy(values, out, sizeof values, cudaMemcpyDeviceToHost));
  CHECK(values[0] == 31 && values[31] == 0);
  CHECK_ERROR(cudaErrorInvalidValue,
              cudaFuncSetAttribute(use_dynamic_shared, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                   most + 1));
  CHECK_ERROR(cudaErrorInvalidValue,
              cudaFuncSetAttribute(has_static_shared, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                   most - 4095));
  CHECK_OK(cudaFuncSetAttribute(has_static_shared, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                most - 4096));
  cudaGetLastError();
  CHECK_OK(cudaFree(out));
}

static void attributes_describe_the_kernel() {
  cudaFuncAttributes attributes{};
  CHECK_OK(cudaFuncGetAttributes(&attributes, has_static_shared));
  CHECK(attributes.sharedSizeBytes == 4096);
  CHECK(attributes.maxThreadsPerBlock == 1024);
  CHECK_OK(cudaFuncGetAttributes(&attributes, small_blocks_only));
  CHECK(attributes.maxThreadsPerBlock == 64);
  CHECK_ERROR(cudaErrorInvalidResourceHandle,
              cudaFuncGetAttributes(&attributes, reinterpret_cast<const void*>(&not_a_kernel)));
  CHECK_ERROR(cudaErrorInvalidResourceHandle, cudaGetLastError());
}

static void clusters_come_from_launch_attributes() {
  constexpr int blocks = 8;
  unsigned* ranks = nullptr;
  unsigned values[blocks] = {};
  CHECK_OK(cudaMalloc(&ranks, sizeof values));
  cudaLaunchAttribute attribute{};
  attribute.id = cudaLaunchAttributeClusterDimension;
  attribute.val.clusterDim.x = 4;
  attribute.val.clusterDim.y = 1;
  attribute.val.clusterDim.z = 1;
  cudaLaunchConfig_t config{};
  config.gridDim = dim3(blocks);
  config.blockDim = dim3(32);
  config.attrs = &attribute;
  config.numAttrs = 1;
  CHECK_OK(cudaLaunchKernelEx(&config, cluster_rank, ranks));
  CHECK_OK(cudaMemcpy(values, ranks, sizeof values, cudaMemcpyDeviceToHost));
  for (unsigned i = 0; i < blocks; ++i) CHECK(values[i] == i % 4);
  attribute.val.clusterDim.x = 16;
  config.gridDim = dim3(16);
  CHECK_ERROR(cudaErrorInvalidClusterSize, cudaLaunchKernelEx(&config, cluster_rank, ranks));
  cudaGetLastError();
  CHECK_OK(cudaFree(ranks));
}

static void cooperative_grids_have_to_fit() {
  CHECK_OK(cudaLaunchCooperativeKernel(reinterpret_cast<const void*>(&nothing), dim3(132),
                                       dim3(1024), nullptr, 0, nullptr));
  CHECK_ERROR(cudaErrorCooperativeLaunchTooLarge,
              cudaLaunchCooperativeKernel(reinterpret_cast<const void*>(&nothing), dim3(132 * 33),
                                          dim3(1024), nullptr, 0, nullptr));
  cudaGetLastError();
  CHECK_OK(cudaDeviceSynchronize());
}

static void last_error_is_kept_until_it_is_taken() {
  CHECK_ERROR(cudaErrorInvalidDevice, cudaSetDevice(99));
  CHECK_OK(cudaSetDevice(0));
  CHECK_ERROR(cudaErrorInvalidDevice, cudaPeekAtLastError());
  CHECK_ERROR(cudaErrorInvalidDevice, cudaGetLastError());
  CHECK_OK(cudaGetLastError());
}

int main() {
  arguments_keep_size_and_alignment();
  wrong_shapes_are_refused();
  launch_bounds_are_enforced();
  dynamic_shared_memory_has_to_be_allowed();
  attributes_describe_the_kernel();
  clusters_come_from_launch_attributes();
  cooperative_grids_have_to_fit();
  last_error_is_kept_until_it_is_taken();
  return runtime_test::result();
}
