// CUDA Runtime API, "Graph Management": nodes that allocate and free memory.
#include "emulator/runtime/state/graph_memory.h"

#include <cuda_runtime_api.h>

#include "emulator/runtime/cudart/call.h"
#include "emulator/runtime/state/any_node.h"
#include "emulator/runtime/state/graph_calls.h"

using namespace tmaemu::runtime;

extern "C" {

cudaError_t cudaGraphAddMemAllocNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                     const cudaGraphNode_t* dependencies, size_t count,
                                     cudaMemAllocNodeParams* parameters) {
  return call([&] {
    return add_allocation({node_list(node), graph, node_list(dependencies), count}, parameters);
  });
}

cudaError_t cudaGraphAddMemFreeNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                    const cudaGraphNode_t* dependencies, size_t count,
                                    void* pointer) {
  return call([&] {
    return add_free_node({node_list(node), graph, node_list(dependencies), count},
                         "cudaGraphAddMemFreeNode", pointer);
  });
}

cudaError_t cudaGraphMemFreeNodeGetParams(cudaGraphNode_t handle, void* pointer) {
  return call([&] {
    GraphNode* node = nullptr;
    if (any_null(pointer)) return Error::invalid_value;
    const Error error = find_node(handle, NodeKind::memory_free, node);
    if (error == Error::success) *static_cast<void**>(pointer) = node->memory;
    return error;
  });
}

cudaError_t cudaGraphMemAllocNodeGetParams(cudaGraphNode_t handle,
                                           cudaMemAllocNodeParams* parameters) {
  return call([&] {
    GraphNode* node = nullptr;
    if (any_null(parameters)) return Error::invalid_value;
    const Error error = find_node(handle, NodeKind::memory_allocation, node);
    if (error != Error::success) return error;
    *parameters = {};
    parameters->poolProps.allocType = cudaMemAllocationTypePinned;
    parameters->poolProps.location = {cudaMemLocationTypeDevice, the_device};
    parameters->bytesize = GraphMemory::instance().size_of(node->memory);
    parameters->dptr = node->memory;
    return Error::success;
  });
}

cudaError_t cudaDeviceGetGraphMemAttribute(int device, cudaGraphMemAttributeType attribute,
                                           void* value) {
  return call_for(device, [&] {
    if (any_null(value)) return Error::invalid_value;
    return GraphMemory::instance().get(attribute, *static_cast<std::uint64_t*>(value));
  });
}

cudaError_t cudaDeviceSetGraphMemAttribute(int device, cudaGraphMemAttributeType attribute,
                                           void* value) {
  return call_for(device, [&] {
    if (any_null(value)) return Error::invalid_value;
    return GraphMemory::instance().set(attribute, *static_cast<const std::uint64_t*>(value));
  });
}

cudaError_t cudaDeviceGraphMemTrim(int device) {
  return call_for(device, [] {
    GraphMemory::instance().trim();
    return Error::success;
  });
}

}  // extern "C"
