// CUDA Runtime API, "Graph Management": nodes that allocate and free memory.
#include "emulator/runtime/state/graph_memory.h"

#include <cuda_runtime_api.h>

#include "emulator/runtime/cudart/call.h"
#include "emulator/runtime/cudart/graph_handles.h"

using namespace tmaemu::runtime;

namespace {

Error add_memory_node(cudaGraphNode_t* node, const NodePlace& place, NodeKind kind, Work work,
                      void* memory) {
  const Error error = add_node(node, place, kind, std::move(work));
  if (error == Error::success) node_of(*node)->memory = memory;
  return error;
}

GraphMemory::Mark mark_of(cudaGraphMemAttributeType attribute) {
  return attribute == cudaGraphMemAttrUsedMemHigh ? GraphMemory::Mark::used
                                                  : GraphMemory::Mark::reserved;
}

}  // namespace

extern "C" {

cudaError_t cudaGraphAddMemAllocNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                     const cudaGraphNode_t* dependencies, size_t count,
                                     cudaMemAllocNodeParams* parameters) {
  return call([&] {
    if (any_null(parameters)) return Error::invalid_value;
    const cudaMemPoolProps& pool = parameters->poolProps;
    const bool on_device = pool.allocType == cudaMemAllocationTypePinned &&
                           pool.location.type == cudaMemLocationTypeDevice;
    if (!on_device || pool.handleTypes != cudaMemHandleTypeNone) {
      return not_modeled("a graph's memory that is not the device's own");
    }
    if (pool.location.id != the_device) return Error::invalid_value;
    void* pointer = nullptr;
    const Error error = GraphMemory::instance().reserve(parameters->bytesize, pointer);
    if (error != Error::success) return error;
    parameters->dptr = pointer;
    return add_memory_node(node, {graph, dependencies, count}, NodeKind::memory_allocation,
                           allocation_work(pointer), pointer);
  });
}

cudaError_t cudaGraphAddMemFreeNode(cudaGraphNode_t* node, cudaGraph_t handle,
                                    const cudaGraphNode_t* dependencies, size_t count,
                                    void* pointer) {
  return call([&] {
    const Graph* graph = Graphs::instance().graphs.find(handle);
    if (graph == nullptr) return Error::invalid_value;
    const Error error = check_may_free(*graph, "cudaGraphAddMemFreeNode", pointer);
    if (error != Error::success) return error;
    return add_memory_node(node, {handle, dependencies, count}, NodeKind::memory_free,
                           free_work(pointer), pointer);
  });
}

cudaError_t cudaGraphMemFreeNodeGetParams(cudaGraphNode_t node, void* pointer) {
  return call([&] {
    if (any_null(node, pointer)) return Error::invalid_value;
    if (node_of(node)->kind != NodeKind::memory_free) return Error::invalid_value;
    *static_cast<void**>(pointer) = node_of(node)->memory;
    return Error::success;
  });
}

cudaError_t cudaDeviceGetGraphMemAttribute(int device, cudaGraphMemAttributeType attribute,
                                           void* value) {
  return call_for(device, [&] {
    if (any_null(value)) return Error::invalid_value;
    const GraphMemory& memory = GraphMemory::instance();
    switch (attribute) {
      case cudaGraphMemAttrUsedMemCurrent:
      case cudaGraphMemAttrReservedMemCurrent:
        *static_cast<std::uint64_t*>(value) = memory.held();
        return Error::success;
      case cudaGraphMemAttrUsedMemHigh:
      case cudaGraphMemAttrReservedMemHigh:
        *static_cast<std::uint64_t*>(value) = memory.high(mark_of(attribute));
        return Error::success;
    }
    return Error::invalid_value;
  });
}

// Only the high-water marks can be set, to zero: they begin again at what is now.
cudaError_t cudaDeviceSetGraphMemAttribute(int device, cudaGraphMemAttributeType attribute,
                                           void* value) {
  return call_for(device, [&] {
    if (any_null(value)) return Error::invalid_value;
    const bool is_mark =
        attribute == cudaGraphMemAttrUsedMemHigh || attribute == cudaGraphMemAttrReservedMemHigh;
    if (!is_mark || *static_cast<const std::uint64_t*>(value) != 0) return Error::invalid_value;
    GraphMemory::instance().reset_high(mark_of(attribute));
    return Error::success;
  });
}

cudaError_t cudaDeviceGraphMemTrim(int device) {
  return call_for(device, [] {
    GraphMemory::instance().trim();
    return Error::success;
  });
}

}  // extern "C"
