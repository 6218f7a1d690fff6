// libcudart.so.12: graph calls without edge data, and with it as _v2 and _v3.
#include <driver_types.h>

#include "emulator/runtime/cudart/call.h"
#include "emulator/runtime/cudart/graph_any_node.h"
#include "emulator/runtime/state/graph_calls.h"

using namespace tmaemu::runtime;

namespace {

cudaGraph_t* const no_graph = nullptr;
const cudaGraphEdgeData** const no_edges = nullptr;

}  // namespace

extern "C" {

cudaError_t cudaGraphAddNode(cudaGraphNode_t* node, cudaGraph_t graph,
                             const cudaGraphNode_t* dependencies, size_t count,
                             cudaGraphNodeParams* parameters) {
  return call([&] {
    return add_any_node({node_list(node), graph, node_list(dependencies), count}, parameters);
  });
}

cudaError_t cudaGraphAddNode_v2(cudaGraphNode_t* node, cudaGraph_t graph,
                                const cudaGraphNode_t* dependencies, const cudaGraphEdgeData*,
                                size_t count, cudaGraphNodeParams* parameters) {
  return call([&] {
    return add_any_node({node_list(node), graph, node_list(dependencies), count}, parameters);
  });
}

cudaError_t cudaGraphAddDependencies(cudaGraph_t graph, const cudaGraphNode_t* from,
                                     const cudaGraphNode_t* to, size_t count) {
  return call([&] { return add_dependencies(graph, node_list(from), node_list(to), count); });
}

cudaError_t cudaGraphAddDependencies_v2(cudaGraph_t graph, const cudaGraphNode_t* from,
                                        const cudaGraphNode_t* to, const cudaGraphEdgeData*,
                                        size_t count) {
  return call([&] { return add_dependencies(graph, node_list(from), node_list(to), count); });
}

cudaError_t cudaGraphRemoveDependencies(cudaGraph_t graph, const cudaGraphNode_t* from,
                                        const cudaGraphNode_t* to, size_t count) {
  return call([&] { return remove_dependencies(graph, node_list(from), node_list(to), count); });
}

cudaError_t cudaGraphRemoveDependencies_v2(cudaGraph_t graph, const cudaGraphNode_t* from,
                                           const cudaGraphNode_t* to, const cudaGraphEdgeData*,
                                           size_t count) {
  return call([&] { return remove_dependencies(graph, node_list(from), node_list(to), count); });
}

cudaError_t cudaGraphGetEdges(cudaGraph_t graph, cudaGraphNode_t* from, cudaGraphNode_t* to,
                              size_t* count) {
  return call([&] { return get_edges(graph, node_list(from), node_list(to), nullptr, count); });
}

cudaError_t cudaGraphGetEdges_v2(cudaGraph_t graph, cudaGraphNode_t* from, cudaGraphNode_t* to,
                                 cudaGraphEdgeData* data, size_t* count) {
  return call(
      [&] { return get_edges(graph, node_list(from), node_list(to), edge_list(data), count); });
}

cudaError_t cudaGraphNodeGetDependencies(cudaGraphNode_t node, cudaGraphNode_t* dependencies,
                                         size_t* count) {
  return call([&] { return get_dependencies(node, node_list(dependencies), nullptr, count); });
}

cudaError_t cudaGraphNodeGetDependencies_v2(cudaGraphNode_t node, cudaGraphNode_t* dependencies,
                                            cudaGraphEdgeData* data, size_t* count) {
  return call(
      [&] { return get_dependencies(node, node_list(dependencies), edge_list(data), count); });
}

cudaError_t cudaGraphNodeGetDependentNodes(cudaGraphNode_t node, cudaGraphNode_t* dependents,
                                           size_t* count) {
  return call([&] { return get_dependents(node, node_list(dependents), nullptr, count); });
}

cudaError_t cudaGraphNodeGetDependentNodes_v2(cudaGraphNode_t node, cudaGraphNode_t* dependents,
                                              cudaGraphEdgeData* data, size_t* count) {
  return call([&] { return get_dependents(node, node_list(dependents), edge_list(data), count); });
}

cudaError_t cudaStreamGetCaptureInfo(cudaStream_t stream, cudaStreamCaptureStatus* status,
                                     unsigned long long* id) {
  return call(
      [&] { return tell_capture(stream, status, id, no_graph, nullptr, no_edges, nullptr); });
}

cudaError_t cudaStreamGetCaptureInfo_v2(cudaStream_t stream, cudaStreamCaptureStatus* status,
                                        unsigned long long* id, cudaGraph_t* graph,
                                        const cudaGraphNode_t** dependencies, size_t* count) {
  return call(
      [&] { return tell_capture(stream, status, id, graph, dependencies, no_edges, count); });
}

cudaError_t cudaStreamGetCaptureInfo_v3(cudaStream_t stream, cudaStreamCaptureStatus* status,
                                        unsigned long long* id, cudaGraph_t* graph,
                                        const cudaGraphNode_t** dependencies,
                                        const cudaGraphEdgeData** edges, size_t* count) {
  return call([&] { return tell_capture(stream, status, id, graph, dependencies, edges, count); });
}

cudaError_t cudaStreamUpdateCaptureDependencies(cudaStream_t stream, cudaGraphNode_t* nodes,
                                                size_t count, unsigned flags) {
  return call([&] { return update_capture_dependencies(stream, node_list(nodes), count, flags); });
}

cudaError_t cudaStreamUpdateCaptureDependencies_v2(cudaStream_t stream, cudaGraphNode_t* nodes,
                                                   const cudaGraphEdgeData*, size_t count,
                                                   unsigned flags) {
  return call([&] { return update_capture_dependencies(stream, node_list(nodes), count, flags); });
}

}  // extern "C"
