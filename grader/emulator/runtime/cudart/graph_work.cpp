#include "emulator/runtime/cudart/graph_work.h"

#include "emulator/runtime/cudart/call.h"
#include "emulator/runtime/cudart/volume_copy.h"
#include "emulator/runtime/state/copy.h"
#include "emulator/runtime/state/launch.h"
#include "emulator/runtime/state/module.h"

namespace tmaemu::runtime {
namespace {

// Graph work that a stream call would do: the default stream captures nothing, so it runs at once.
Work copying(const CopyRequest& request) {
  return [request] { return copy_async(request, default_stream()); };
}

}  // namespace

Error kernel_work(const cudaKernelNodeParams* parameters, Work& work) {
  if (any_null(parameters)) return Error::invalid_value;
  Function* function = Registry::instance().find_function(parameters->func);
  if (function == nullptr) return Error::invalid_device_function;
  if (const Error error = function->resolve(); error != Error::success) return error;
  if (parameters->kernelParams == nullptr && parameters->extra != nullptr) {
    return not_modeled("a kernel node with packed parameters (extra)");
  }
  if (parameters_missing(function->kernel->info(), parameters->kernelParams)) {
    return Error::invalid_value;
  }
  LaunchConfiguration configuration;
  configuration.grid = {parameters->gridDim.x, parameters->gridDim.y, parameters->gridDim.z};
  configuration.block = {parameters->blockDim.x, parameters->blockDim.y, parameters->blockDim.z};
  configuration.dynamic_shared_bytes = parameters->sharedMemBytes;
  configuration.stream = &default_stream();
  work = [function, configuration,
          block = pack_parameters(function->kernel->info(), parameters->kernelParams)] {
    return launch(*function, configuration, block);
  };
  return Error::success;
}

Error copy_work(const cudaMemcpy3DParms* parameters, Work& work) {
  if (any_null(parameters)) return Error::invalid_value;
  CopyRequest request;
  const Error error = volume_copy("memcpy node", *parameters, request);
  if (error == Error::success) work = copying(request);
  return error;
}

Error copy_work(void* destination, const void* source, std::size_t size, cudaMemcpyKind kind,
                Work& work) {
  if (any_null(destination, source)) return Error::invalid_value;
  work =
      copying(linear_copy("memcpy node", destination, source, size, static_cast<CopyKind>(kind)));
  return Error::success;
}

Error fill_work(const cudaMemsetParams* parameters, Work& work) {
  if (any_null(parameters)) return Error::invalid_value;
  const unsigned element = parameters->elementSize;
  if (parameters->dst == nullptr || (element != 1 && element != 2 && element != 4)) {
    return Error::invalid_value;
  }
  const FillRequest request{"memset node",
                            {parameters->dst, parameters->pitch, 0},
                            {parameters->width, parameters->height, 1},
                            parameters->value,
                            parameters->elementSize};
  work = [request] { return fill(request, default_stream()); };
  return Error::success;
}

Error host_work(const cudaHostNodeParams* parameters, Work& work) {
  if (any_null(parameters)) return Error::invalid_value;
  if (parameters->fn == nullptr) return Error::invalid_value;
  work = host_function(parameters->fn, parameters->userData);
  return Error::success;
}

}  // namespace tmaemu::runtime
