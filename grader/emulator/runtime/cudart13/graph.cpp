// libcudart.so.13: graph calls in CUDA 13's form, which is what 12 called _v2 and _v3.
#include <driver_types.h>

#include "emulator/runtime/cudart/call.h"
#include "emulator/runtime/cudart/graph_handles.h"

using namespace tmaemu::runtime;

extern "C" {

cudaError_t cudaGraphAddDependencies(cudaGraph_t graph, const cudaGraphNode_t* from,
                                     const cudaGraphNode_t* to, const cudaGraphEdgeData*,
                                     size_t count) {
  return call([&] { return add_dependencies(graph, from, to, count); });
}

cudaError_t cudaGraphRemoveDependencies(cudaGraph_t graph, const cudaGraphNode_t* from,
                                        const cudaGraphNode_t* to, const cudaGraphEdgeData*,
                                        size_t count) {
  return call([&] { return remove_dependencies(graph, from, to, count); });
}

cudaError_t cudaGraphGetEdges(cudaGraph_t graph, cudaGraphNode_t* from, cudaGraphNode_t* to,
                              cudaGraphEdgeData* data, size_t* count) {
  return call([&] { return get_edges(graph, from, to, data, count); });
}

cudaError_t cudaGraphNodeGetDependencies(cudaGraphNode_t node, cudaGraphNode_t* dependencies,
                                         cudaGraphEdgeData* data, size_t* count) {
  return call([&] { return get_dependencies(node, dependencies, data, count); });
}

cudaError_t cudaGraphNodeGetDependentNodes(cudaGraphNode_t node, cudaGraphNode_t* dependents,
                                           cudaGraphEdgeData* data, size_t* count) {
  return call([&] { return get_dependents(node, dependents, data, count); });
}

cudaError_t cudaStreamGetCaptureInfo(cudaStream_t stream, cudaStreamCaptureStatus* status,
                                     unsigned long long* id, cudaGraph_t* graph,
                                     const cudaGraphNode_t** dependencies,
                                     const cudaGraphEdgeData** edges, size_t* count) {
  return call([&] {
    return capture_info(stream, {status, id, graph, dependencies, edges, count});
  });
}

cudaError_t cudaStreamUpdateCaptureDependencies(cudaStream_t stream, cudaGraphNode_t* nodes,
                                                const cudaGraphEdgeData*, size_t count,
                                                unsigned flags) {
  return call([&] { return update_capture_dependencies(stream, nodes, count, flags); });
}

}  // extern "C"
