// Between CUDA's graph handles and the objects behind them.
#pragma once

#include <driver_types.h>

#include <cstddef>
#include <vector>

#include "emulator/runtime/state/graph.h"

namespace tmaemu::runtime {

inline GraphNode* node_of(cudaGraphNode_t handle) {
  return reinterpret_cast<GraphNode*>(handle);
}
inline cudaGraphNode_t handle_of(GraphNode* node) {
  return reinterpret_cast<cudaGraphNode_t>(node);
}

inline std::vector<GraphNode*> nodes_of(const cudaGraphNode_t* handles, std::size_t count) {
  std::vector<GraphNode*> nodes;
  for (std::size_t i = 0; i < count; ++i) nodes.push_back(node_of(handles[i]));
  return nodes;
}

// Where a node is to be made.
struct NodePlace {
  cudaGraph_t graph;
  const cudaGraphNode_t* dependencies;
  std::size_t count;
};
Error add_node(cudaGraphNode_t* handle, const NodePlace& place, NodeKind kind, Work work);

// The calls whose form differs between CUDA 12 and 13, without their edge data: edges with data
// (programmatic dependencies) change when work may start, never what it computes.
Error add_dependencies(cudaGraph_t graph, const cudaGraphNode_t* from, const cudaGraphNode_t* to,
                       std::size_t count);
Error remove_dependencies(cudaGraph_t graph, const cudaGraphNode_t* from, const cudaGraphNode_t* to,
                          std::size_t count);
Error get_edges(cudaGraph_t graph, cudaGraphNode_t* from, cudaGraphNode_t* to,
                cudaGraphEdgeData* data, std::size_t* count);
Error get_dependencies(cudaGraphNode_t node, cudaGraphNode_t* dependencies, cudaGraphEdgeData* data,
                       std::size_t* count);
Error get_dependents(cudaGraphNode_t node, cudaGraphNode_t* dependents, cudaGraphEdgeData* data,
                     std::size_t* count);

struct CaptureInfo {
  cudaStreamCaptureStatus* status = nullptr;
  unsigned long long* id = nullptr;
  cudaGraph_t* graph = nullptr;
  const cudaGraphNode_t** dependencies = nullptr;
  const cudaGraphEdgeData** edges = nullptr;
  std::size_t* count = nullptr;
};
Error capture_info(cudaStream_t stream, const CaptureInfo& wanted);
Error update_capture_dependencies(cudaStream_t stream, const cudaGraphNode_t* nodes,
                                  std::size_t count, unsigned flags);

}  // namespace tmaemu::runtime
