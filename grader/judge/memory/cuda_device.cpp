#include "judge/memory/cuda_device.h"

#include <cuda_runtime_api.h>
#include <dlfcn.h>

#include <cstring>

#include "common/text.h"

namespace judge {

using common::concat;

namespace {

std::string meaning(cudaError_t error) {
  return concat(cudaGetErrorName(error), " (", static_cast<int>(error),
                "): ", cudaGetErrorString(error));
}

common::Status check(cudaError_t error, const char* doing) {
  if (error == cudaSuccess) return {};
  return common::Error{concat("the judge's own ", doing, " failed: ", meaning(error))};
}

int attribute(cudaDeviceAttr which) {
  int value = 0;
  return cudaDeviceGetAttribute(&value, which, 0) == cudaSuccess ? value : 0;
}

// Double data rate: two transfers a clock of the memory, which the attribute gives in kHz.
double peak_gb_per_s() {
  const double clock_hz = 1e3 * attribute(cudaDevAttrMemoryClockRate);
  const double bus_bytes = attribute(cudaDevAttrGlobalMemoryBusWidth) / 8.0;
  return 2 * clock_hz * bus_bytes / 1e9;
}

// A tensor core of sm_90 adds 512 products of two bfloat16 in a clock, and an SM has four of them
// (NVIDIA H100 Tensor Core GPU Architecture).
double peak_gflop_per_s() {
  constexpr double operations_per_clock = 2 * 4 * 512;
  const double clock_hz = 1e3 * attribute(cudaDevAttrClockRate);
  return attribute(cudaDevAttrMultiProcessorCount) * operations_per_clock * clock_hz / 1e9;
}

// The emulator's libraries have more in them than CUDA's.
bool is_emulated() {
  return dlsym(RTLD_DEFAULT, "tmaemu_replay_call") != nullptr;
}

}  // namespace

common::Result<CudaDevice> CudaDevice::open() {
  if (auto set = check(cudaSetDevice(0), "cudaSetDevice"); !set) {
    return common::Error{set.error().message +
                         "; without a GPU, run the judge under tmaemu or with the emulator's "
                         "libraries in LD_LIBRARY_PATH"};
  }
  cudaDeviceProp properties{};
  if (auto got = check(cudaGetDeviceProperties(&properties, 0), "cudaGetDeviceProperties"); !got) {
    return got.error();
  }
  DeviceFacts facts;
  facts.name = properties.name;
  facts.sm = properties.major * 10 + properties.minor;
  facts.emulated = is_emulated();
  facts.peak_gb_per_s = peak_gb_per_s();
  facts.peak_gflop_per_s = peak_gflop_per_s();
  facts.memory_bytes = properties.totalGlobalMem;
  return CudaDevice(std::move(facts));
}

common::Result<DeviceMemory> CudaDevice::allocate(std::size_t bytes) {
  void* address = nullptr;
  if (auto got = check(cudaMalloc(&address, bytes), "cudaMalloc"); !got) return got.error();
  return DeviceMemory(*this, address);
}

common::Result<MemoryHandle> CudaDevice::handle(const DeviceMemory& memory) {
  cudaIpcMemHandle_t exported;
  if (auto got = check(cudaIpcGetMemHandle(&exported, memory.address()), "cudaIpcGetMemHandle");
      !got) {
    return got.error();
  }
  MemoryHandle handle;
  static_assert(sizeof exported == sizeof handle);
  std::memcpy(handle.data(), &exported, sizeof handle);
  return handle;
}

common::Status CudaDevice::write(const DeviceMemory& to, std::size_t offset,
                                 std::span<const std::byte> from) {
  std::byte* const target = static_cast<std::byte*>(to.address()) + offset;
  if (auto put = check(cudaMemcpy(target, from.data(), from.size(), cudaMemcpyHostToDevice),
                       "copy to the device");
      !put) {
    return put;
  }
  // A copy from pageable memory may return before its last bytes have reached the device (CUDA
  // runtime API, "API synchronization behavior"), and another process reads them next.
  return check(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
}

common::Status CudaDevice::read(std::span<std::byte> to, const DeviceMemory& from,
                                std::size_t offset) {
  const std::byte* const source = static_cast<const std::byte*>(from.address()) + offset;
  return check(cudaMemcpy(to.data(), source, to.size(), cudaMemcpyDeviceToHost),
               "copy from the device");
}

std::string CudaDevice::error_meaning(std::int32_t cuda_error) const {
  return meaning(static_cast<cudaError_t>(cuda_error));
}

void CudaDevice::free(void* address) {
  cudaFree(address);
}

}  // namespace judge
