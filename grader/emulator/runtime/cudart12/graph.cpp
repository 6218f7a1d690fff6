// libcudart.so.12: graph calls without edge data, and with it as _v2 and _v3.
#include <driver_types.h>

#include "emulator/runtime/cudart/call.h"
#include "emulator/runtime/cudart/graph_handles.h"

using namespace tmaemu::runtime;

extern "C" {

cudaError_t cudaGraphAddDependencies(cudaGraph_t graph, const cudaGraphNode_t* from,
                                     const cudaGraphNode_t* to, size_t count) {
  return call([&] { return add_dependencies(graph, from, to, count); });
}

cudaError_t cudaGraphAddDependencies_v2(cudaGraph_t graph, const cudaGraphNode_t* from,
                                        const cudaGraphNode_t* to, const cudaGraphEdgeData*,
                                        size_t count) {
  return call([&] { return add_dependencies(graph, from, to, count); });
}

cudaError_t cudaGraphRemoveDependencies(cudaGraph_t graph, const cudaGraphNode_t* from,
                                        const cudaGraphNode_t* to, size_t count) {
  return call([&] { return remove_dependencies(graph, from, to, count); });
}

cudaError_t cudaGraphRemoveDependencies_v2(cudaGraph_t graph, const cudaGraphNode_t* from,
                                           const cudaGraphNode_t* to, const cudaGraphEdgeData*,
                                           size_t count) {
  return call([&] { return remove_dependencies(graph, from, to, count); });
}

cudaError_t cudaGraphGetEdges(cudaGraph_t graph, cudaGraphNode_t* from, cudaGraphNode_t* to,
                              size_t* count) {
  return call([&] { return get_edges(graph, from, to, nullptr, count); });
}

cudaError_t cudaGraphGetEdges_v2(cudaGraph_t graph, cudaGraphNode_t* from, cudaGraphNode_t* to,
                                 cudaGraphEdgeData* data, size_t* count) {
  return call([&] { return get_edges(graph, from, to, data, count); });
}

cudaError_t cudaGraphNodeGetDependencies(cudaGraphNode_t node, cudaGraphNode_t* dependencies,
                                         size_t* count) {
  return call([&] { return get_dependencies(node, dependencies, nullptr, count); });
}

cudaError_t cudaGraphNodeGetDependencies_v2(cudaGraphNode_t node, cudaGraphNode_t* dependencies,
                                            cudaGraphEdgeData* data, size_t* count) {
  return call([&] { return get_dependencies(node, dependencies, data, count); });
}

cudaError_t cudaGraphNodeGetDependentNodes(cudaGraphNode_t node, cudaGraphNode_t* dependents,
                                           size_t* count) {
  return call([&] { return get_dependents(node, dependents, nullptr, count); });
}

cudaError_t cudaGraphNodeGetDependentNodes_v2(cudaGraphNode_t node, cudaGraphNode_t* dependents,
                                              cudaGraphEdgeData* data, size_t* count) {
  return call([&] { return get_dependents(node, dependents, data, count); });
}

cudaError_t cudaStreamGetCaptureInfo(cudaStream_t stream, cudaStreamCaptureStatus* status,
                                     unsigned long long* id) {
  return call([&] {
    CaptureInfo wanted;
    wanted.status = status;
    wanted.id = id;
    return capture_info(stream, wanted);
  });
}

cudaError_t cudaStreamGetCaptureInfo_v2(cudaStream_t stream, cudaStreamCaptureStatus* status,
                                        unsigned long long* id, cudaGraph_t* graph,
                                        const cudaGraphNode_t** dependencies, size_t* count) {
  return call([&] {
    return capture_info(stream, {status, id, graph, dependencies, nullptr, count});
  });
}

cudaError_t cudaStreamGetCaptureInfo_v3(cudaStream_t stream, cudaStreamCaptureStatus* status,
                                        unsigned long long* id, cudaGraph_t* graph,
                                        const cudaGraphNode_t** dependencies,
                                        const cudaGraphEdgeData** edges, size_t* count) {
  return call([&] {
    return capture_info(stream, {status, id, graph, dependencies, edges, count});
  });
}

cudaError_t cudaStreamUpdateCaptureDependencies(cudaStream_t stream, cudaGraphNode_t* nodes,
                                                size_t count, unsigned flags) {
  return call([&] { return update_capture_dependencies(stream, nodes, count, flags); });
}

cudaError_t cudaStreamUpdateCaptureDependencies_v2(cudaStream_t stream, cudaGraphNode_t* nodes,
                                                   const cudaGraphEdgeData*, size_t count,
                                                   unsigned flags) {
  return call([&] { return update_capture_dependencies(stream, nodes, count, flags); });
}

}  // extern "C"
