#include "emulator/runtime/cudart/graph_parameters.h"

#include "emulator/runtime/cudart/volume_copy.h"
#include "emulator/runtime/state/module.h"

namespace tmaemu::runtime {
namespace {

// Of either version: they have the same members.
template <class Parameters>
Error kernel_from(const Parameters* given, AnyParameters& result) {
  if (any_null(given)) return Error::invalid_value;
  Function* function = Registry::instance().find_function(given->func);
  if (function == nullptr) return Error::invalid_device_function;
  LaunchConfiguration configuration;
  configuration.grid = {given->gridDim.x, given->gridDim.y, given->gridDim.z};
  configuration.block = {given->blockDim.x, given->blockDim.y, given->blockDim.z};
  configuration.dynamic_shared_bytes = given->sharedMemBytes;
  return make_kernel_node(*function, configuration, given->kernelParams, given->extra, result);
}

template <class Parameters>
Error fill_from(const Parameters* given, AnyParameters& result) {
  if (any_null(given)) return Error::invalid_value;
  return make_memset_node(*given, given->dst, result);
}

template <class Parameters>
Error host_from(const Parameters* given, AnyParameters& result) {
  return any_null(given) ? Error::invalid_value
                         : make_host_node(given->fn, given->userData, result);
}

cudaPitchedPtr pitched(const Rows& rows, const Extent& extent) {
  const std::size_t height = rows.pitch == 0 ? 0 : rows.slice_pitch / rows.pitch;
  return {rows.start, rows.pitch, extent.width, height};
}

}  // namespace

Error parameters_from(const cudaKernelNodeParams* given, AnyParameters& result) {
  return kernel_from(given, result);
}
Error parameters_from(const cudaKernelNodeParamsV2* given, AnyParameters& result) {
  return kernel_from(given, result);
}

Error parameters_from(const cudaMemcpy3DParms* given, AnyParameters& result) {
  if (any_null(given)) return Error::invalid_value;
  CopyRequest request;
  const Error error = volume_copy("memcpy node", *given, request);
  if (error == Error::success) result = request;
  return error;
}

Error linear_parameters(void* destination, const void* source, std::size_t size,
                        cudaMemcpyKind kind, AnyParameters& result) {
  if (any_null(destination, source)) return Error::invalid_value;
  result = linear_copy("memcpy node", destination, source, size, static_cast<CopyKind>(kind));
  return Error::success;
}

Error parameters_from(const cudaMemsetParams* given, AnyParameters& result) {
  return fill_from(given, result);
}
Error parameters_from(const cudaMemsetParamsV2* given, AnyParameters& result) {
  return fill_from(given, result);
}

Error parameters_from(const cudaHostNodeParams* given, AnyParameters& result) {
  return host_from(given, result);
}
Error parameters_from(const cudaHostNodeParamsV2* given, AnyParameters& result) {
  return host_from(given, result);
}

void tell(const GraphNode& node, const KernelNode& kernel, cudaKernelNodeParams& result) {
  const LaunchConfiguration& configuration = kernel.configuration;
  result = {};
  result.func = const_cast<void*>(Registry::instance().host_address(kernel.function));
  result.gridDim = {configuration.grid.x, configuration.grid.y, configuration.grid.z};
  result.blockDim = {configuration.block.x, configuration.block.y, configuration.block.z};
  result.sharedMemBytes = static_cast<unsigned>(configuration.dynamic_shared_bytes);
  result.kernelParams = node.parameters->arguments.data();
}

void tell(const GraphNode&, const CopyRequest& copy, cudaMemcpy3DParms& result) {
  result = {};
  result.dstPtr = pitched(copy.destination, copy.extent);
  result.srcPtr = pitched(copy.source, copy.extent);
  result.extent = {copy.extent.width, copy.extent.height, copy.extent.depth};
  result.kind = static_cast<cudaMemcpyKind>(copy.kind);
}

void tell(const GraphNode&, const FillRequest& fill, cudaMemsetParams& result) {
  result = {};
  result.dst = fill.destination.start;
  result.pitch = fill.destination.pitch;
  result.value = fill.value;
  result.elementSize = static_cast<unsigned>(fill.element_size);
  result.width = fill.extent.width;
  result.height = fill.extent.height;
}

void tell(const GraphNode&, const HostNode& host, cudaHostNodeParams& result) {
  result = {host.function, host.data};
}

}  // namespace tmaemu::runtime
