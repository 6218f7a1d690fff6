// libcudart.so.13: graph calls in CUDA 13's form, which is what 12 called _v2 and _v3.
#include <driver_types.h>

#include "emulator/runtime/cudart/call.h"
#include "emulator/runtime/cudart/graph_any_node.h"
#include "emulator/runtime/state/graph_calls.h"

using namespace tmaemu::runtime;

extern "C" {

cudaError_t cudaGraphAddNode(cudaGraphNode_t* node, cudaGraph_t graph,
                             const cudaGraphNode_t* dependencies, const cudaGraphEdgeData*,
                             size_t count, cudaGraphNodeParams* parameters) {
  return call([&] {
    return add_any_node({node_list(node), graph, node_list(dependencies), count}, parameters);
  });
}

cudaError_t cudaGraphAddDependencies(cudaGraph_t graph, const cudaGraphNode_t* from,
                                     const cudaGraphNode_t* to, const cudaGraphEdgeData*,
                                     size_t count) {
  return call([&] { return add_dependencies(graph, node_list(from), node_list(to), count); });
}

cudaError_t cudaGraphRemoveDependencies(cudaGraph_t graph, const cudaGraphNode_t* from,
                                        const cudaGraphNode_t* to, const cudaGraphEdgeData*,
                                        size_t count) {
  return call([&] { return remove_dependencies(graph, node_list(from), node_list(to), count); });
}

cudaError_t cudaGraphGetEdges(cudaGraph_t graph, cudaGraphNode_t* from, cudaGraphNode_t* to,
                              cudaGraphEdgeData* data, size_t* count) {
  return call(
      [&] { return get_edges(graph, node_list(from), node_list(to), edge_list(data), count); });
}

cudaError_t cudaGraphNodeGetDependencies(cudaGraphNode_t node, cudaGraphNode_t* dependencies,
                                         cudaGraphEdgeData* data, size_t* count) {
  return call(
      [&] { return get_dependencies(node, node_list(dependencies), edge_list(data), count); });
}

cudaError_t cudaGraphNodeGetDependentNodes(cudaGraphNode_t node, cudaGraphNode_t* dependents,
                                           cudaGraphEdgeData* data, size_t* count) {
  return call([&] { return get_dependents(node, node_list(dependents), edge_list(data), count); });
}

cudaError_t cudaStreamGetCaptureInfo(cudaStream_t stream, cudaStreamCaptureStatus* status,
                                     unsigned long long* id, cudaGraph_t* graph,
                                     const cudaGraphNode_t** dependencies,
                                     const cudaGraphEdgeData** edges, size_t* count) {
  return call([&] { return tell_capture(stream, status, id, graph, dependencies, edges, count); });
}

cudaError_t cudaStreamUpdateCaptureDependencies(cudaStream_t stream, cudaGraphNode_t* nodes,
                                                const cudaGraphEdgeData*, size_t count,
                                                unsigned flags) {
  return call([&] { return update_capture_dependencies(stream, node_list(nodes), count, flags); });
}

}  // extern "C"
