// CUDA Runtime API, "Execution Control": launches.
#include "emulator/runtime/state/launch.h"

#include <cuda_runtime_api.h>

#include <span>
#include <string>
#include <utility>
#include <vector>

#include "emulator/runtime/cudart/call.h"
#include "emulator/runtime/state/module.h"
#include "emulator/runtime/state/node_parameters.h"
#include "emulator/runtime/state/refused_launches.h"

using namespace tmaemu::runtime;
using tmaemu::Dimensions;

static_assert(sizeof(LaunchAttribute) == sizeof(cudaLaunchAttribute));

namespace {

Dimensions dimensions(dim3 value) {
  return {value.x, value.y, value.z};
}

Error launch_function(const void* function_handle, LaunchConfiguration& configuration,
                      void** arguments) {
  Function* function = Registry::instance().find_function(function_handle);
  if (function == nullptr) {
    return function_handle == nullptr ? Error::invalid_device_function : Error::invalid_handle;
  }
  if (const Error error = function->resolve(); error != Error::success) return error;
  if (parameters_missing(function->kernel->info(), arguments)) return Error::invalid_value;
  return launch(*function, configuration, pack_parameters(function->kernel->info(), arguments));
}

// After a kernel's fault nothing is launched any more, and the fault has been told.
void note_refused(std::uint64_t place, cudaError_t error) {
  if (FaultState::instance().sticky() != Error::success) return;
  const std::string& explanation = last_explanation();
  RefusedLaunches::instance().add(
      place, explanation.empty() ? std::string("launch refused: ") + cudaGetErrorName(error)
                                 : explanation);
}

cudaError_t launch_call(const void* function, dim3 grid, dim3 block, void** arguments,
                        size_t shared_bytes, cudaStream_t stream_handle, bool cooperative) {
  const std::uint64_t place = std::exchange(launched_at(), 0);
  last_explanation().clear();
  const cudaError_t error = call_on(stream_handle, [&](Stream& stream) {
    LaunchConfiguration configuration;
    configuration.grid = dimensions(grid);
    configuration.block = dimensions(block);
    configuration.dynamic_shared_bytes = shared_bytes;
    configuration.stream = &stream;
    configuration.cooperative = cooperative;
    return launch_function(function, configuration, arguments);
  });
  if (error != cudaSuccess && place != 0) note_refused(place, error);
  return error;
}

}  // namespace

extern "C" {

cudaError_t cudaLaunchKernel(const void* function, dim3 grid, dim3 block, void** arguments,
                             size_t shared_bytes, cudaStream_t stream) {
  return launch_call(function, grid, block, arguments, shared_bytes, stream, false);
}

cudaError_t cudaLaunchCooperativeKernel(const void* function, dim3 grid, dim3 block,
                                        void** arguments, size_t shared_bytes,
                                        cudaStream_t stream) {
  return launch_call(function, grid, block, arguments, shared_bytes, stream, true);
}

// What a kernel's host stub calls since CUDA 12.8: __cudaGetKernel once, then __cudaLaunchKernel.
cudaError_t __cudaGetKernel(cudaKernel_t* kernel, const void* function) {
  return call([&] {
    *kernel = reinterpret_cast<cudaKernel_t>(Registry::instance().find_function(function));
    return *kernel == nullptr ? Error::invalid_device_function : Error::success;
  });
}

cudaError_t __cudaLaunchKernel(cudaKernel_t kernel, dim3 grid, dim3 block, void** arguments,
                               size_t shared_bytes, cudaStream_t stream) {
  return launch_call(kernel, grid, block, arguments, shared_bytes, stream, false);
}

cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t* config, const void* function,
                                void** arguments) {
  if (any_null(config)) return call([] { return Error::invalid_value; });
  return call_on(config->stream, [&](Stream& stream) {
    if (config->numAttrs != 0 && any_null(config->attrs)) return Error::invalid_value;
    LaunchConfiguration configuration;
    configuration.grid = dimensions(config->gridDim);
    configuration.block = dimensions(config->blockDim);
    configuration.dynamic_shared_bytes = config->dynamicSmemBytes;
    configuration.stream = &stream;
    std::vector<void*> events;
    const std::span attributes(reinterpret_cast<const LaunchAttribute*>(config->attrs),
                               config->numAttrs);
    Error error = apply_attributes(attributes, configuration, events);
    if (error == Error::success) error = launch_function(function, configuration, arguments);
    for (void* handle : events) {
      if (error != Error::success) break;
      Event* event = Events::instance().events.find(handle);
      error = event == nullptr ? Error::invalid_handle : record(*event, stream, false);
    }
    return error;
  });
}

// Host functions run where their stream stands, which is at once.
cudaError_t cudaLaunchHostFunc(cudaStream_t stream_handle, cudaHostFn_t function, void* data) {
  return call_on(stream_handle, [&](Stream& stream) {
    return submit_host_function(stream, {function, data});
  });
}

}  // extern "C"
