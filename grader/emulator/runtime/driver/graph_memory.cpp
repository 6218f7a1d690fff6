// CUDA Driver API, "Graph Management": nodes that allocate and free memory.
#include "emulator/runtime/state/graph_memory.h"

#include <cuda.h>

#include "emulator/runtime/driver/call.h"
#include "emulator/runtime/state/any_node.h"
#include "emulator/runtime/state/graph_calls.h"

using namespace tmaemu::runtime;

extern "C" {

CUresult cuGraphAddMemAllocNode(CUgraphNode* node, CUgraph graph, const CUgraphNode* dependencies,
                                size_t count, CUDA_MEM_ALLOC_NODE_PARAMS* parameters) {
  return call([&] {
    return add_allocation({node_list(node), graph, node_list(dependencies), count}, parameters);
  });
}

CUresult cuGraphAddMemFreeNode(CUgraphNode* node, CUgraph graph, const CUgraphNode* dependencies,
                               size_t count, CUdeviceptr address) {
  return call([&] {
    return add_free_node({node_list(node), graph, node_list(dependencies), count},
                         "cuGraphAddMemFreeNode", pointer_to(address));
  });
}

CUresult cuGraphMemFreeNodeGetParams(CUgraphNode handle, CUdeviceptr* address) {
  return call([&] {
    GraphNode* node = nullptr;
    if (any_null(address)) return Error::invalid_value;
    const Error error = find_node(handle, NodeKind::memory_free, node);
    if (error == Error::success) *address = reinterpret_cast<CUdeviceptr>(node->memory);
    return error;
  });
}

CUresult cuGraphMemAllocNodeGetParams(CUgraphNode handle, CUDA_MEM_ALLOC_NODE_PARAMS* parameters) {
  return call([&] {
    GraphNode* node = nullptr;
    if (any_null(parameters)) return Error::invalid_value;
    const Error error = find_node(handle, NodeKind::memory_allocation, node);
    if (error != Error::success) return error;
    *parameters = {};
    parameters->poolProps.allocType = CU_MEM_ALLOCATION_TYPE_PINNED;
    parameters->poolProps.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
    parameters->poolProps.location.id = the_device;
    parameters->bytesize = GraphMemory::instance().size_of(node->memory);
    parameters->dptr = reinterpret_cast<CUdeviceptr>(node->memory);
    return Error::success;
  });
}

CUresult cuDeviceGetGraphMemAttribute(CUdevice device, CUgraphMem_attribute attribute,
                                      void* value) {
  return call_for(device, [&] {
    if (any_null(value)) return Error::invalid_value;
    return GraphMemory::instance().get(attribute, *static_cast<std::uint64_t*>(value));
  });
}

CUresult cuDeviceSetGraphMemAttribute(CUdevice device, CUgraphMem_attribute attribute,
                                      void* value) {
  return call_for(device, [&] {
    if (any_null(value)) return Error::invalid_value;
    return GraphMemory::instance().set(attribute, *static_cast<const std::uint64_t*>(value));
  });
}

CUresult cuDeviceGraphMemTrim(CUdevice device) {
  return call_for(device, [] {
    GraphMemory::instance().trim();
    return Error::success;
  });
}

}  // extern "C"
