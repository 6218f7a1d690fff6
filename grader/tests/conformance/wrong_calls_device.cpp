// Wrong calls of the runtime: devices, functions and launches.
#include <array>

#include "tests/conformance/wrong_calls.h"

namespace conformance {
namespace {

int launch_with(const void* kernel, unsigned grid, unsigned cluster) {
  cudaLaunchAttribute attribute{};
  attribute.id = cudaLaunchAttributeClusterDimension;
  attribute.val.clusterDim.x = cluster;
  attribute.val.clusterDim.y = attribute.val.clusterDim.z = 1;
  cudaLaunchConfig_t configuration{};
  configuration.gridDim = dim3(grid);
  configuration.blockDim = dim3(32);
  configuration.attrs = &attribute;
  configuration.numAttrs = 1;
  return cudaLaunchKernelExC(&configuration, kernel, nullptr);
}

int launch_with_attribute(int id) {
  cudaLaunchAttribute attribute{};
  attribute.id = static_cast<cudaLaunchAttributeID>(id);
  cudaLaunchConfig_t configuration{};
  configuration.gridDim = configuration.blockDim = dim3(1);
  configuration.attrs = &attribute;
  configuration.numAttrs = 1;
  return cudaLaunchKernelExC(&configuration, kernels.shared, nullptr);
}

template <class Value>
int run_with(const void* kernel, Value value) {
  void* arguments[] = {&value};
  return run_kernel(kernel, 1, 1, arguments);
}

}  // namespace

std::vector<WrongCall> wrong_device_calls() {
  return {
      WRONG_CALL(cudaGetDevice(nullptr)),
      WRONG_CALL(cudaGetDeviceCount(nullptr)),
      WRONG_CALL(cudaSetDevice(-1)),
      WRONG_CALL(cudaSetDevice(99)),
      WRONG_CALL(cudaGetDeviceProperties(nullptr, 0)),
      WRONG_CALL(cudaGetDeviceProperties(&t.properties, -1)),
      WRONG_CALL(cudaGetDeviceProperties(&t.properties, 99)),
      WRONG_CALL(cudaDeviceGetAttribute(nullptr, cudaDevAttrWarpSize, 0)),
      WRONG_CALL(cudaDeviceGetAttribute(&t.n, static_cast<cudaDeviceAttr>(0), 0)),
      WRONG_CALL(cudaDeviceGetAttribute(&t.n, static_cast<cudaDeviceAttr>(9999), 0)),
      WRONG_CALL(cudaDeviceGetAttribute(&t.n, cudaDevAttrWarpSize, -1)),
      WRONG_CALL(cudaDeviceGetAttribute(&t.n, cudaDevAttrWarpSize, 99)),
      WRONG_CALL(cudaDeviceGetLimit(nullptr, cudaLimitStackSize)),
      WRONG_CALL(cudaDeviceGetLimit(&t.z, static_cast<cudaLimit>(99))),
      WRONG_CALL(cudaDeviceSetLimit(static_cast<cudaLimit>(99), 1)),
      WRONG_CALL(cudaDeviceSetLimit(cudaLimitStackSize, 1ULL << 40)),
      WRONG_CALL(cudaDeviceGetCacheConfig(nullptr)),
      WRONG_CALL(cudaDeviceGetStreamPriorityRange(nullptr, nullptr)),
      WRONG_CALL(cudaDeviceCanAccessPeer(nullptr, 0, 0)),
      WRONG_CALL(cudaDeviceCanAccessPeer(&t.n, 0, 99)),
      WRONG_CALL(cudaDeviceCanAccessPeer(&t.n, -1, 0)),
      WRONG_CALL(cudaDeviceEnablePeerAccess(0, 0)),
      WRONG_CALL(cudaDeviceEnablePeerAccess(99, 0)),
      WRONG_CALL(cudaDeviceDisablePeerAccess(0)),
      WRONG_CALL(cudaDeviceGetPCIBusId(nullptr, 32, 0)),
      WRONG_CALL(cudaDeviceGetPCIBusId(t.h, 32, 99)),
      WRONG_CALL(cudaDeviceGetByPCIBusId(nullptr, "0000:00:00.0")),
      WRONG_CALL(cudaDeviceGetByPCIBusId(&t.n, nullptr)),
      WRONG_CALL(cudaDeviceGetByPCIBusId(&t.n, "nonsense")),
      WRONG_CALL(cudaGetDeviceFlags(nullptr)),
      WRONG_CALL(cudaSetDeviceFlags(0x1000)),
      WRONG_CALL(cudaChooseDevice(nullptr, nullptr)),
      WRONG_CALL(cudaChooseDevice(&t.n, nullptr)),
      WRONG_CALL(cudaDriverGetVersion(nullptr)),
      WRONG_CALL(cudaRuntimeGetVersion(nullptr)),
      WRONG_CALL(cudaInitDevice(99, 0, 0)),
      WRONG_CALL(cudaIpcGetMemHandle(nullptr, t.d)),
      WRONG_CALL([&] {
        cudaIpcMemHandle_t i{};
        return cudaIpcGetMemHandle(&i, t.h);
      }()),
      WRONG_CALL(cudaIpcGetEventHandle(nullptr, t.e)),
      WRONG_CALL(cudaIpcCloseMemHandle(nullptr)),
      WRONG_CALL(
          cudaGetDriverEntryPointByVersion(nullptr, &t.q, 12000, cudaEnableDefault, nullptr)),
      WRONG_CALL(cudaGetDriverEntryPointByVersion("cuMemAlloc", nullptr, 12000, cudaEnableDefault,
                                                  nullptr)),
      WRONG_CALL(cudaGetDriverEntryPointByVersion("noSuchFunction", &t.q, 12000, cudaEnableDefault,
                                                  nullptr)),
      WRONG_CALL(cudaGetDriverEntryPointByVersion("", &t.q, 12000, cudaEnableDefault, nullptr)),
      WRONG_CALL(cudaFuncGetAttributes(nullptr, kernels.store)),
      WRONG_CALL(cudaFuncGetAttributes(nullptr, static_cast<const void*>(nullptr))),
      WRONG_CALL(cudaFuncGetAttributes(&t.function_attributes, static_cast<const void*>(nullptr))),
      WRONG_CALL(cudaFuncGetAttributes(&t.function_attributes, static_cast<const void*>(t.h))),
      WRONG_CALL(cudaFuncSetAttribute(static_cast<const void*>(t.h),
                                      cudaFuncAttributeMaxDynamicSharedMemorySize, 16)),
      WRONG_CALL(cudaFuncSetAttribute(static_cast<const void*>(nullptr),
                                      cudaFuncAttributeMaxDynamicSharedMemorySize, 16)),
      WRONG_CALL(cudaFuncSetAttribute(kernels.shared, static_cast<cudaFuncAttribute>(99), 16)),
      WRONG_CALL(
          cudaFuncSetAttribute(kernels.shared, cudaFuncAttributeMaxDynamicSharedMemorySize, -1)),
      WRONG_CALL(cudaFuncSetAttribute(kernels.shared, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                      232449)),
      WRONG_CALL(cudaFuncSetAttribute(kernels.shared,
                                      cudaFuncAttributePreferredSharedMemoryCarveout, 101)),
      WRONG_CALL(
          cudaFuncSetAttribute(kernels.shared, cudaFuncAttributePreferredSharedMemoryCarveout, -2)),
      WRONG_CALL(cudaFuncSetCacheConfig(kernels.shared, static_cast<cudaFuncCache>(9))),
      WRONG_CALL(cudaFuncSetCacheConfig(static_cast<const void*>(nullptr), cudaFuncCachePreferL1)),
      WRONG_CALL(cudaFuncGetName(nullptr, kernels.store)),
      WRONG_CALL(cudaOccupancyMaxActiveBlocksPerMultiprocessor(nullptr, kernels.store, 32, 0)),
      WRONG_CALL(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&t.n, kernels.store, 0, 0)),
      WRONG_CALL(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&t.n, kernels.store, -1, 0)),
      WRONG_CALL(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&t.n, kernels.store, 2048, 0)),
      WRONG_CALL(
          cudaOccupancyMaxActiveBlocksPerMultiprocessor(&t.n, kernels.store, 32, 1ULL << 40)),
      WRONG_CALL(cudaOccupancyMaxActiveBlocksPerMultiprocessor(
          &t.n, static_cast<const void*>(nullptr), 32, 0)),
      WRONG_CALL(
          cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(&t.n, kernels.store, 32, 0, 99)),
      WRONG_CALL(cudaOccupancyAvailableDynamicSMemPerBlock(nullptr, kernels.store, 1, 32)),
      WRONG_CALL(cudaOccupancyAvailableDynamicSMemPerBlock(&t.z, kernels.store, 0, 32)),
      WRONG_CALL(cudaOccupancyMaxActiveClusters(nullptr, kernels.store, nullptr)),
      WRONG_CALL(cudaOccupancyMaxPotentialClusterSize(&t.n, kernels.store, nullptr)),
  };
}

std::vector<WrongCall> wrong_launch_calls() {
  return {
      WRONG_CALL(run_kernel(nullptr, 1, 1, nullptr)),
      WRONG_CALL(run_kernel(t.h, 1, 1, nullptr)),
      WRONG_CALL(run_kernel(kernels.store, 1, 1, nullptr)),
      WRONG_CALL(run_kernel(kernels.shared, 0, 1, nullptr)),
      WRONG_CALL(run_kernel(kernels.shared, 1, 0, nullptr)),
      WRONG_CALL(run_kernel(kernels.shared, 1, 1025, nullptr)),
      WRONG_CALL(run_kernel(kernels.shared, dim3(1, 65536), 1, nullptr)),
      WRONG_CALL(run_kernel(kernels.shared, dim3(1, 1, 65536), 1, nullptr)),
      WRONG_CALL(run_kernel(kernels.shared, dim3(1U << 31), 1, nullptr)),
      WRONG_CALL(run_kernel(kernels.shared, 1, dim3(1, 1, 65), nullptr)),
      WRONG_CALL(run_kernel(kernels.shared, 1, dim3(32, 64), nullptr)),
      WRONG_CALL(run_kernel(kernels.shared, 1, 32, nullptr, 49153)),
      WRONG_CALL(run_kernel(kernels.shared, 1, 32, nullptr, 232449)),
      WRONG_CALL(run_kernel(kernels.shared, 1, 32, nullptr, 1ULL << 31)),
      WRONG_CALL(
          (cudaFuncSetAttribute(kernels.shared, cudaFuncAttributeMaxDynamicSharedMemorySize, 65536),
           run_kernel(kernels.shared, 1, 32, nullptr, 65537))),
      WRONG_CALL(cudaLaunchKernelExC(nullptr, kernels.shared, nullptr)),
      WRONG_CALL([] {
        cudaLaunchConfig_t c{};
        return cudaLaunchKernelExC(&c, kernels.shared, nullptr);
      }()),
      WRONG_CALL([] {
        cudaLaunchConfig_t c{};
        c.gridDim = c.blockDim = dim3(1);
        return cudaLaunchKernelExC(&c, nullptr, nullptr);
      }()),
      WRONG_CALL([] {
        cudaLaunchConfig_t c{};
        c.gridDim = c.blockDim = dim3(1);
        c.numAttrs = 1;
        return cudaLaunchKernelExC(&c, kernels.shared, nullptr);
      }()),
      WRONG_CALL(launch_with(kernels.trap, 3, 2)),
      WRONG_CALL(launch_with(kernels.trap, 9, 9)),
      WRONG_CALL(launch_with(kernels.trap, 16, 16)),
      WRONG_CALL(launch_with(kernels.trap, 2, 0)),
      WRONG_CALL(launch_with(kernels.trap, 32, 32)),
      WRONG_CALL(launch_with_attribute(77)),
      WRONG_CALL(launch_with_attribute(-1)),
      WRONG_CALL(cudaLaunchCooperativeKernel(kernels.shared, dim3(100000), dim3(1024), nullptr, 0,
                                             nullptr)),
      WRONG_CALL(cudaLaunchCooperativeKernel(nullptr, dim3(1), dim3(1), nullptr, 0, nullptr)),
      WRONG_CALL(run_with(kernels.store, static_cast<int*>(nullptr))),
      WRONG_CALL(run_with(kernels.store, static_cast<char*>(t.d) + 1)),
      WRONG_CALL(run_with(kernels.store, reinterpret_cast<int*>(0x1234))),
      WRONG_CALL(run_with(kernels.store, static_cast<char*>(t.d) + (1LL << 40))),
      WRONG_CALL(run_kernel(kernels.trap, 1, 1, nullptr)),
      WRONG_CALL(run_with(kernels.check, 4)),
      WRONG_CALL(run_kernel(kernels.free_twice, 1, 1, nullptr)),
      WRONG_CALL(run_with(kernels.jump, static_cast<void*>(nullptr))),
      WRONG_CALL(run_with(kernels.jump, reinterpret_cast<void*>(0x1234567))),
      WRONG_CALL(run_with(kernels.jump, reinterpret_cast<void*>(0x1234560))),
      WRONG_CALL(run_with(kernels.print, static_cast<char*>(nullptr))),
      WRONG_CALL((run_kernel(kernels.trap, 1, 1, nullptr), cudaMalloc(&t.q, 16))),
      WRONG_CALL((run_kernel(kernels.trap, 1, 1, nullptr), cudaGetDeviceCount(&t.n))),
      WRONG_CALL((run_kernel(kernels.trap, 1, 1, nullptr), cudaGetLastError(), cudaGetLastError())),
      WRONG_CALL((run_kernel(kernels.trap, 1, 1, nullptr), cudaFree(t.d))),
      WRONG_CALL((run_kernel(kernels.trap, 1, 1, nullptr), cudaFreeHost(t.pinned))),
      WRONG_CALL((run_kernel(kernels.trap, 1, 1, nullptr), cudaStreamCreate(&t.new_s))),
      WRONG_CALL((run_kernel(kernels.trap, 1, 1, nullptr), cudaEventQuery(t.e))),
      WRONG_CALL(
          (run_kernel(kernels.trap, 1, 1, nullptr), cudaGetDeviceProperties(&t.properties, 0))),
      WRONG_CALL((run_kernel(kernels.trap, 1, 1, nullptr), cudaRuntimeGetVersion(&t.n))),
      WRONG_CALL((run_kernel(kernels.trap, 1, 1, nullptr), cuCtxSynchronize())),
      WRONG_CALL((run_kernel(kernels.trap, 1, 1, nullptr), cuMemAlloc(&t.new_dp, 16))),
      WRONG_CALL((cudaMalloc(nullptr, 16), cudaPeekAtLastError())),
      WRONG_CALL((cudaMalloc(nullptr, 16), cudaGetLastError(), cudaGetLastError())),
  };
}

}  // namespace conformance
