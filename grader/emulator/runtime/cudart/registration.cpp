// The calls that nvcc's host code makes to register device code (crt/host_runtime.h).
#include <cuda_runtime_api.h>
#include <vector_types.h>

#include <cstdint>
#include <optional>
#include <vector>

#include "emulator/runtime/cudart/call.h"
#include "emulator/runtime/state/module.h"
#include "emulator/runtime/state/refused_launches.h"

using namespace tmaemu::runtime;

namespace {

// A <<<>>> on its way from the caller to the kernel's host stub.
struct CallConfiguration {
  dim3 grid;
  dim3 block;
  std::size_t shared_bytes;
  cudaStream_t stream;
  std::uint64_t pushed_at;  // where the call comes back to
};

std::vector<CallConfiguration>& pushed() {
  thread_local std::vector<CallConfiguration> configurations;
  return configurations;
}

Module* module_of(void** handle) {
  return reinterpret_cast<Module*>(handle);
}

}  // namespace

extern "C" {

void** __cudaRegisterFatBinary(void* wrapper) {
  const std::lock_guard lock(tmaemu::Device::instance().mutex());
  return reinterpret_cast<void**>(
      Registry::instance().add(module_from_image(wrapper, /*copy=*/false)));
}

void __cudaRegisterFatBinaryEnd(void**) {}

void __cudaUnregisterFatBinary(void** handle) {
  const std::lock_guard lock(tmaemu::Device::instance().mutex());
  if (Module* module = Registry::instance().find_module(handle)) {
    Registry::instance().remove(module);
  }
}

void __cudaRegisterFunction(void** handle, const char* host, char*, const char* name, int, uint3*,
                            uint3*, dim3*, dim3*, int*) {
  const std::lock_guard lock(tmaemu::Device::instance().mutex());
  Registry::instance().add_function(host, module_of(handle), name);
}

void __cudaRegisterVar(void** handle, char* host, char*, const char* name, int, size_t, int, int) {
  const std::lock_guard lock(tmaemu::Device::instance().mutex());
  Registry::instance().add_variable(host, Variable{module_of(handle), name, nullptr});
}

void __cudaRegisterManagedVar(void** handle, void** pointer, char*, const char* name, int, size_t,
                              int, int) {
  const std::lock_guard lock(tmaemu::Device::instance().mutex());
  Registry::instance().add_variable(pointer, Variable{module_of(handle), name, pointer});
}

char __cudaInitModule(void** handle) {
  const cudaError_t error = call([&] {
    Module* module = Registry::instance().find_module(handle);
    return module == nullptr ? Error::invalid_handle
                             : Registry::instance().initialize_managed(module);
  });
  return error == cudaSuccess ? 1 : 0;
}

unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared_bytes,
                                     cudaStream_t stream) {
  const auto pushed_at = reinterpret_cast<std::uint64_t>(__builtin_return_address(0));
  pushed().push_back({grid, block, shared_bytes, stream, pushed_at});
  return 0;
}

cudaError_t __cudaPopCallConfiguration(dim3* grid, dim3* block, size_t* shared_bytes,
                                       void* stream) {
  if (pushed().empty()) {
    last_error() = Error::missing_configuration;
    return cudaErrorMissingConfiguration;
  }
  const CallConfiguration& top = pushed().back();
  *grid = top.grid;
  *block = top.block;
  *shared_bytes = top.shared_bytes;
  *static_cast<cudaStream_t*>(stream) = top.stream;
  launched_at() = top.pushed_at - 1;  // the call itself
  pushed().pop_back();
  return cudaSuccess;
}

}  // extern "C"
