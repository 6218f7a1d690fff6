// CUDA Driver API, "Execution Control": launches.
#include "emulator/runtime/state/launch.h"

#include <span>
#include <vector>

#include "emulator/runtime/driver/call.h"
#include "emulator/runtime/state/node_parameters.h"

using namespace tmaemu::runtime;

static_assert(sizeof(LaunchAttribute) == sizeof(CUlaunchAttribute));

namespace {

Error launch_function(const void* handle, const LaunchConfiguration& configuration,
                      void* const* arguments, void* const* extra) {
  Function* function = Registry::instance().find_function(handle);
  if (function == nullptr) return Error::invalid_handle;
  if (const Error error = function->resolve(); error != Error::success) return error;
  std::vector<std::byte> block;
  const Error error = parameter_block(function->kernel->info(), arguments, extra, block);
  if (error != Error::success) return error;
  return launch(*function, configuration, std::move(block));
}

}  // namespace

extern "C" {

CUresult cuLaunchKernel(CUfunction function, unsigned grid_x, unsigned grid_y, unsigned grid_z,
                        unsigned block_x, unsigned block_y, unsigned block_z, unsigned shared_bytes,
                        CUstream stream_handle, void** arguments, void** extra) {
  return call_on(stream_handle, [&](Stream& stream) {
    LaunchConfiguration configuration;
    configuration.grid = {grid_x, grid_y, grid_z};
    configuration.block = {block_x, block_y, block_z};
    configuration.dynamic_shared_bytes = shared_bytes;
    configuration.stream = &stream;
    return launch_function(function, configuration, arguments, extra);
  });
}

CUresult cuLaunchCooperativeKernel(CUfunction function, unsigned grid_x, unsigned grid_y,
                                   unsigned grid_z, unsigned block_x, unsigned block_y,
                                   unsigned block_z, unsigned shared_bytes, CUstream stream_handle,
                                   void** arguments) {
  return call_on(stream_handle, [&](Stream& stream) {
    LaunchConfiguration configuration;
    configuration.grid = {grid_x, grid_y, grid_z};
    configuration.block = {block_x, block_y, block_z};
    configuration.dynamic_shared_bytes = shared_bytes;
    configuration.stream = &stream;
    configuration.cooperative = true;
    return launch_function(function, configuration, arguments, nullptr);
  });
}

CUresult cuLaunchKernelEx(const CUlaunchConfig* config, CUfunction function, void** arguments,
                          void** extra) {
  if (any_null(config)) return CUDA_ERROR_INVALID_VALUE;
  return call_on(config->hStream, [&](Stream& stream) {
    LaunchConfiguration configuration;
    configuration.grid = {config->gridDimX, config->gridDimY, config->gridDimZ};
    configuration.block = {config->blockDimX, config->blockDimY, config->blockDimZ};
    configuration.dynamic_shared_bytes = config->sharedMemBytes;
    configuration.stream = &stream;
    std::vector<void*> events;
    const std::span attributes(reinterpret_cast<const LaunchAttribute*>(config->attrs),
                               config->attrs == nullptr ? 0 : config->numAttrs);
    Error error = apply_attributes(attributes, configuration, events);
    if (error == Error::success) error = launch_function(function, configuration, arguments, extra);
    for (void* handle : events) {
      if (error != Error::success) break;
      Event* event = Events::instance().events.find(handle);
      error = event == nullptr ? Error::invalid_handle : record(*event, stream, false);
    }
    return error;
  });
}

// Host functions run where their stream stands, which is at once.
CUresult cuLaunchHostFunc(CUstream stream_handle, CUhostFn function, void* data) {
  return call_on(stream_handle, [&](Stream& stream) {
    return submit_host_function(stream, {function, data});
  });
}

}  // extern "C"
