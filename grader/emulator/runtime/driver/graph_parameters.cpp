#include "emulator/runtime/driver/graph_parameters.h"

#include "emulator/runtime/driver/call.h"
#include "emulator/runtime/driver/volume_copy.h"

namespace tmaemu::runtime {
namespace {

// Of either version: they have these members.
template <class Parameters>
Error kernel_from(const Parameters* given, AnyParameters& result) {
  if (any_null(given)) return Error::invalid_value;
  const void* const handle = given->func != nullptr ? static_cast<const void*>(given->func)
                                                    : static_cast<const void*>(given->kern);
  Function* function = Registry::instance().find_function(handle);
  if (function == nullptr) return Error::invalid_value;
  LaunchConfiguration configuration;
  configuration.grid = {given->gridDimX, given->gridDimY, given->gridDimZ};
  configuration.block = {given->blockDimX, given->blockDimY, given->blockDimZ};
  configuration.dynamic_shared_bytes = given->sharedMemBytes;
  return make_kernel_node(*function, configuration, given->kernelParams, given->extra, result);
}

template <class Parameters>
Error fill_from(const Parameters* given, AnyParameters& result) {
  if (any_null(given)) return Error::invalid_value;
  return make_memset_node(*given, pointer_to(given->dst), result);
}

template <class Parameters>
Error host_from(const Parameters* given, AnyParameters& result) {
  return any_null(given) ? Error::invalid_value
                         : make_host_node(given->fn, given->userData, result);
}

bool is_host(const CopyRequest& copy, bool destination) {
  const CopyKind device = destination ? CopyKind::host_to_device : CopyKind::device_to_host;
  return copy.kind != device && copy.kind != CopyKind::device_to_device &&
         copy.kind != CopyKind::inferred;
}

CUmemorytype type_of(const CopyRequest& copy, bool destination) {
  if (copy.kind == CopyKind::inferred) return CU_MEMORYTYPE_UNIFIED;
  return is_host(copy, destination) ? CU_MEMORYTYPE_HOST : CU_MEMORYTYPE_DEVICE;
}

CUdeviceptr address_of(const Rows& rows) {
  return reinterpret_cast<CUdeviceptr>(rows.start);
}

std::size_t height_of(const Rows& rows) {
  return rows.pitch == 0 ? 0 : rows.slice_pitch / rows.pitch;
}

}  // namespace

Error parameters_from(const CUDA_KERNEL_NODE_PARAMS_v2* given, AnyParameters& result) {
  return kernel_from(given, result);
}
Error parameters_from(const CUDA_KERNEL_NODE_PARAMS_v3* given, AnyParameters& result) {
  return kernel_from(given, result);
}

Error parameters_from(const CUDA_MEMCPY3D* given, AnyParameters& result) {
  if (any_null(given)) return Error::invalid_value;
  CopyRequest request;
  const Error error = volume_copy("memcpy node", *given, request);
  if (error == Error::success) result = request;
  return error;
}

Error parameters_from(const CUDA_MEMSET_NODE_PARAMS* given, AnyParameters& result) {
  return fill_from(given, result);
}
Error parameters_from(const CUDA_MEMSET_NODE_PARAMS_v2* given, AnyParameters& result) {
  return fill_from(given, result);
}

Error parameters_from(const CUDA_HOST_NODE_PARAMS* given, AnyParameters& result) {
  return host_from(given, result);
}
Error parameters_from(const CUDA_HOST_NODE_PARAMS_v2* given, AnyParameters& result) {
  return host_from(given, result);
}

void tell(const GraphNode& node, const KernelNode& kernel, CUDA_KERNEL_NODE_PARAMS_v2& result) {
  const auto& [grid, block] = std::pair(kernel.configuration.grid, kernel.configuration.block);
  result = {};
  result.func = reinterpret_cast<CUfunction>(kernel.function);
  result.gridDimX = grid.x;
  result.gridDimY = grid.y;
  result.gridDimZ = grid.z;
  result.blockDimX = block.x;
  result.blockDimY = block.y;
  result.blockDimZ = block.z;
  result.sharedMemBytes = static_cast<unsigned>(kernel.configuration.dynamic_shared_bytes);
  result.kernelParams = node.parameters->arguments.data();
}

void tell(const GraphNode&, const CopyRequest& copy, CUDA_MEMCPY3D& result) {
  result = {};
  result.dstMemoryType = type_of(copy, true);
  result.srcMemoryType = type_of(copy, false);
  if (result.dstMemoryType == CU_MEMORYTYPE_HOST) {
    result.dstHost = copy.destination.start;
  } else {
    result.dstDevice = address_of(copy.destination);
  }
  if (result.srcMemoryType == CU_MEMORYTYPE_HOST) {
    result.srcHost = copy.source.start;
  } else {
    result.srcDevice = address_of(copy.source);
  }
  result.dstPitch = copy.destination.pitch;
  result.dstHeight = height_of(copy.destination);
  result.srcPitch = copy.source.pitch;
  result.srcHeight = height_of(copy.source);
  result.WidthInBytes = copy.extent.width;
  result.Height = copy.extent.height;
  result.Depth = copy.extent.depth;
}

void tell(const GraphNode&, const FillRequest& fill, CUDA_MEMSET_NODE_PARAMS& result) {
  result = {};
  result.dst = address_of(fill.destination);
  result.pitch = fill.destination.pitch;
  result.value = fill.value;
  result.elementSize = static_cast<unsigned>(fill.element_size);
  result.width = fill.extent.width;
  result.height = fill.extent.height;
}

void tell(const GraphNode&, const HostNode& host, CUDA_HOST_NODE_PARAMS& result) {
  result = {host.function, host.data};
}

}  // namespace tmaemu::runtime
