// CUDA Runtime API, "Graph Management": nodes made one by one.
#include <cuda_runtime_api.h>

#include "emulator/runtime/cudart/call.h"
#include "emulator/runtime/cudart/graph_parameters.h"
#include "emulator/runtime/cudart/symbol_copy.h"
#include "emulator/runtime/state/graph_calls.h"

using namespace tmaemu::runtime;

namespace {

// `make(parameters)` says what the node is to do.
template <class Make>
cudaError_t add_working(const NodePlace& place, NodeKind kind, Make&& make) {
  return call([&] { return add_working_node(place, kind, make); });
}

NodePlace place_of(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* dependencies,
                   size_t count) {
  return {node_list(node), graph, node_list(dependencies), count};
}

}  // namespace

extern "C" {

cudaError_t cudaGraphAddEmptyNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                  const cudaGraphNode_t* dependencies, size_t count) {
  return call([&] { return add_empty_node(place_of(node, graph, dependencies, count)); });
}

cudaError_t cudaGraphAddKernelNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                   const cudaGraphNode_t* dependencies, size_t count,
                                   const cudaKernelNodeParams* given) {
  return add_working(place_of(node, graph, dependencies, count), NodeKind::kernel,
                     [&](AnyParameters& result) { return parameters_from(given, result); });
}

cudaError_t cudaGraphAddMemcpyNode1D(cudaGraphNode_t* node, cudaGraph_t graph,
                                     const cudaGraphNode_t* dependencies, size_t count,
                                     void* destination, const void* source, size_t size,
                                     cudaMemcpyKind kind) {
  return add_working(place_of(node, graph, dependencies, count), NodeKind::memcpy,
                     [&](AnyParameters& result) {
                       return linear_parameters(destination, source, size, kind, result);
                     });
}

cudaError_t cudaGraphAddMemcpyNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                   const cudaGraphNode_t* dependencies, size_t count,
                                   const cudaMemcpy3DParms* given) {
  return add_working(place_of(node, graph, dependencies, count), NodeKind::memcpy,
                     [&](AnyParameters& result) { return parameters_from(given, result); });
}

cudaError_t cudaGraphAddMemcpyNodeToSymbol(cudaGraphNode_t* node, cudaGraph_t graph,
                                           const cudaGraphNode_t* dependencies, size_t count,
                                           const void* symbol, const void* source, size_t size,
                                           size_t offset, cudaMemcpyKind kind) {
  return add_working(place_of(node, graph, dependencies, count), NodeKind::memcpy,
                     [&](AnyParameters& result) {
                       return copy_to("memcpy node", symbol, source, size, offset, kind,
                                      result.emplace<CopyRequest>());
                     });
}

cudaError_t cudaGraphAddMemcpyNodeFromSymbol(cudaGraphNode_t* node, cudaGraph_t graph,
                                             const cudaGraphNode_t* dependencies, size_t count,
                                             void* destination, const void* symbol, size_t size,
                                             size_t offset, cudaMemcpyKind kind) {
  return add_working(place_of(node, graph, dependencies, count), NodeKind::memcpy,
                     [&](AnyParameters& result) {
                       return copy_from("memcpy node", destination, symbol, size, offset, kind,
                                        result.emplace<CopyRequest>());
                     });
}

cudaError_t cudaGraphAddMemsetNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                   const cudaGraphNode_t* dependencies, size_t count,
                                   const cudaMemsetParams* given) {
  return add_working(place_of(node, graph, dependencies, count), NodeKind::memset,
                     [&](AnyParameters& result) { return parameters_from(given, result); });
}

cudaError_t cudaGraphAddHostNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                 const cudaGraphNode_t* dependencies, size_t count,
                                 const cudaHostNodeParams* given) {
  return add_working(place_of(node, graph, dependencies, count), NodeKind::host,
                     [&](AnyParameters& result) { return parameters_from(given, result); });
}

cudaError_t cudaGraphAddEventRecordNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                        const cudaGraphNode_t* dependencies, size_t count,
                                        cudaEvent_t event) {
  return add_working(place_of(node, graph, dependencies, count), NodeKind::event_record,
                     [&](AnyParameters& result) { return find_event(event, result); });
}

cudaError_t cudaGraphAddEventWaitNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                      const cudaGraphNode_t* dependencies, size_t count,
                                      cudaEvent_t event) {
  return add_working(place_of(node, graph, dependencies, count), NodeKind::wait_event,
                     [&](AnyParameters& result) { return find_event(event, result); });
}

cudaError_t cudaGraphAddChildGraphNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                       const cudaGraphNode_t* dependencies, size_t count,
                                       cudaGraph_t child) {
  return call(
      [&] { return add_child_node(place_of(node, graph, dependencies, count), child, false); });
}

cudaError_t cudaGraphDestroyNode(cudaGraphNode_t node) {
  return call([&] { return destroy_node(node); });
}

}  // extern "C"
