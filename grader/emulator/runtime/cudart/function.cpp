// CUDA Runtime API, "Execution Control": kernels' attributes.
#include <cuda_runtime_api.h>

#include <cstring>

#include "emulator/runtime/cudart/call.h"
#include "emulator/runtime/state/launch.h"
#include "emulator/runtime/state/module.h"

using namespace tmaemu::runtime;

namespace {

// Resolves the function and passes it on. What is no kernel's host address is taken for a handle of
// a kernel, so that is what it is a bad one of.
template <class Action>
cudaError_t call_with(const void* handle, Action&& action) {
  return call([&] {
    Function* function = Registry::instance().find_function(handle);
    if (function == nullptr) {
      return handle == nullptr ? Error::invalid_device_function : Error::invalid_handle;
    }
    const Error error = function->resolve();
    return error != Error::success ? error : action(*function);
  });
}

}  // namespace

extern "C" {

cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* attributes, const void* handle) {
  if (any_null(attributes)) return call([] { return Error::invalid_value; });
  return call_with(handle, [&](Function& function) {
    const tmaemu::KernelInfo& info = function.kernel->info();
    const tmaemu::Dimensions& cluster = info.required_cluster.count() != 0
                                            ? info.required_cluster
                                            : function.settings.required_cluster;
    std::memset(attributes, 0, sizeof *attributes);
    attributes->sharedSizeBytes = info.static_shared_bytes;
    attributes->localSizeBytes = info.frame_bytes();
    attributes->maxThreadsPerBlock = static_cast<int>(max_threads_per_cta(info));
    attributes->numRegs = static_cast<int>(info.registers());
    attributes->ptxVersion = 90;
    attributes->binaryVersion = 90;
    attributes->maxDynamicSharedSizeBytes = static_cast<int>(max_dynamic_shared_bytes(function));
    attributes->preferredShmemCarveout = function.settings.preferred_carveout;
    attributes->clusterDimMustBeSet = info.required_cluster.count() != 0 ? 1 : 0;
    attributes->requiredClusterWidth = static_cast<int>(cluster.x);
    attributes->requiredClusterHeight = static_cast<int>(cluster.y);
    attributes->requiredClusterDepth = static_cast<int>(cluster.z);
    attributes->clusterSchedulingPolicyPreference = function.settings.cluster_scheduling_policy;
    attributes->nonPortableClusterSizeAllowed = function.settings.non_portable_cluster ? 1 : 0;
    return Error::success;
  });
}

cudaError_t cudaFuncSetAttribute(const void* handle, cudaFuncAttribute attribute, int value) {
  return call_with(handle, [&](Function& function) {
    return set_attribute(function, static_cast<FunctionAttribute>(attribute), value);
  });
}

cudaError_t cudaKernelSetAttributeForDevice(cudaKernel_t kernel, cudaFuncAttribute attribute,
                                            int value, int device) {
  if (device != the_device) {
    return call([] { return Error::invalid_device; });
  }
  return cudaFuncSetAttribute(kernel, attribute, value);
}

// Preferences about caches change no result.
cudaError_t cudaFuncSetCacheConfig(const void* handle, cudaFuncCache preference) {
  return call_with(handle, [&](Function&) {
    const bool known =
        preference >= cudaFuncCachePreferNone && preference <= cudaFuncCachePreferEqual;
    return known ? Error::success : Error::invalid_value;
  });
}

cudaError_t cudaFuncSetSharedMemConfig(const void* handle, cudaSharedMemConfig) {
  return call_with(handle, [](Function&) { return Error::success; });
}

cudaError_t cudaFuncGetName(const char** name, const void* handle) {
  return call_with(handle, [&](Function& function) {
    if (any_null(name)) return Error::invalid_value;
    *name = function.name.c_str();
    return Error::success;
  });
}

cudaError_t cudaFuncGetParamInfo(const void* handle, size_t index, size_t* offset, size_t* size) {
  return call_with(handle, [&](Function& function) {
    if (any_null(offset)) return Error::invalid_value;
    const auto& parameters = function.kernel->info().parameters;
    if (index >= parameters.size()) return Error::invalid_value;
    *offset = parameters[index].offset;
    if (size != nullptr) *size = parameters[index].size;
    return Error::success;
  });
}

cudaError_t cudaGetFuncBySymbol(cudaFunction_t* function, const void* symbol) {
  return call_with(symbol, [&](Function& found) {
    if (any_null(function)) return Error::invalid_value;
    *function = reinterpret_cast<cudaFunction_t>(&found);
    return Error::success;
  });
}

cudaError_t cudaGetKernel(cudaKernel_t* kernel, const void* symbol) {
  return call_with(symbol, [&](Function& found) {
    if (any_null(kernel)) return Error::invalid_value;
    *kernel = reinterpret_cast<cudaKernel_t>(&found);
    return Error::success;
  });
}

}  // extern "C"
