#include "emulator/runtime/cudart/graph_handles.h"

#include <algorithm>

#include "emulator/runtime/state/stream.h"

namespace tmaemu::runtime {
namespace {

Graph* graph_of(cudaGraph_t handle) {
  return Graphs::instance().graphs.find(handle);
}

// CUDA's way to return a list: without room its length, else as much as fits, rest null.
void give(const std::vector<GraphNode*>& nodes, cudaGraphNode_t* handles, cudaGraphEdgeData* data,
          std::size_t& count) {
  if (handles != nullptr) {
    for (std::size_t i = 0; i < count; ++i) {
      handles[i] = i < nodes.size() ? handle_of(nodes[i]) : nullptr;
      if (data != nullptr) data[i] = cudaGraphEdgeData{};
    }
  }
  count = nodes.size();
}

}  // namespace

Error add_node(cudaGraphNode_t* handle, const NodePlace& place, NodeKind kind, Work work) {
  Graph* graph = graph_of(place.graph);
  if (graph == nullptr || handle == nullptr) return Error::invalid_value;
  if (place.count != 0 && place.dependencies == nullptr) return Error::invalid_value;
  std::vector<GraphNode*> dependencies = nodes_of(place.dependencies, place.count);
  for (const GraphNode* node : dependencies) {
    if (!graph->contains(node)) return Error::invalid_value;
  }
  *handle = handle_of(graph->add(kind, std::move(work), std::move(dependencies)));
  return Error::success;
}

Error add_dependencies(cudaGraph_t handle, const cudaGraphNode_t* from, const cudaGraphNode_t* to,
                       std::size_t count) {
  const Graph* graph = graph_of(handle);
  if (graph == nullptr) return Error::invalid_value;
  for (std::size_t i = 0; i < count; ++i) {
    if (from[i] == to[i] || !graph->contains(node_of(from[i])) ||
        !graph->contains(node_of(to[i]))) {
      return Error::invalid_value;
    }
    node_of(to[i])->dependencies.push_back(node_of(from[i]));
  }
  return Error::success;
}

Error remove_dependencies(cudaGraph_t handle, const cudaGraphNode_t* from,
                          const cudaGraphNode_t* to, std::size_t count) {
  const Graph* graph = graph_of(handle);
  if (graph == nullptr) return Error::invalid_value;
  if (graph->has_memory_nodes()) return Error::not_supported;
  for (std::size_t i = 0; i < count; ++i) {
    if (!graph->contains(node_of(to[i]))) return Error::invalid_value;
    std::erase(node_of(to[i])->dependencies, node_of(from[i]));
  }
  return Error::success;
}

Error get_edges(cudaGraph_t handle, cudaGraphNode_t* from, cudaGraphNode_t* to,
                cudaGraphEdgeData* data, std::size_t* count) {
  const Graph* graph = graph_of(handle);
  if (graph == nullptr) return Error::invalid_value;
  std::vector<GraphNode*> sources;
  std::vector<GraphNode*> targets;
  for (const auto& node : graph->nodes) {
    for (GraphNode* dependency : node->dependencies) {
      sources.push_back(dependency);
      targets.push_back(node.get());
    }
  }
  std::size_t room = *count;
  give(sources, from, data, room);
  give(targets, to, nullptr, *count);
  return Error::success;
}

Error get_dependencies(cudaGraphNode_t node, cudaGraphNode_t* dependencies, cudaGraphEdgeData* data,
                       std::size_t* count) {
  give(node_of(node)->dependencies, dependencies, data, *count);
  return Error::success;
}

Error get_dependents(cudaGraphNode_t handle, cudaGraphNode_t* dependents, cudaGraphEdgeData* data,
                     std::size_t* count) {
  GraphNode* node = node_of(handle);
  std::vector<GraphNode*> result;
  for (const auto& other : node->graph->nodes) {
    const auto& dependencies = other->dependencies;
    if (std::find(dependencies.begin(), dependencies.end(), node) != dependencies.end()) {
      result.push_back(other.get());
    }
  }
  give(result, dependents, data, *count);
  return Error::success;
}

Error capture_info(cudaStream_t handle, const CaptureInfo& wanted) {
  const Stream* stream = Streams::instance().find(handle);
  if (stream == nullptr) return Error::invalid_handle;
  const CaptureStatus status = stream->capture ? stream->capture->status : CaptureStatus::none;
  *wanted.status = static_cast<cudaStreamCaptureStatus>(status);
  if (status != CaptureStatus::active) return Error::success;
  if (wanted.id != nullptr) *wanted.id = stream->capture->id;
  if (wanted.graph != nullptr) {
    *wanted.graph = reinterpret_cast<cudaGraph_t>(stream->capture->target);
  }
  if (wanted.dependencies != nullptr) {
    *wanted.dependencies = reinterpret_cast<const cudaGraphNode_t*>(stream->tail.data());
  }
  if (wanted.edges != nullptr) *wanted.edges = nullptr;  // none of them carries data
  if (wanted.count != nullptr) *wanted.count = stream->tail.size();
  return Error::success;
}

Error update_capture_dependencies(cudaStream_t handle, const cudaGraphNode_t* nodes,
                                  std::size_t count, unsigned flags) {
  Stream* stream = Streams::instance().find(handle);
  if (stream == nullptr) return Error::invalid_handle;
  if (!stream->capture) return Error::illegal_state;
  if (flags > cudaStreamSetCaptureDependencies) return Error::invalid_value;
  std::vector<GraphNode*> added = nodes_of(nodes, count);
  if (flags == cudaStreamAddCaptureDependencies) {
    added.insert(added.begin(), stream->tail.begin(), stream->tail.end());
  }
  stream->tail = std::move(added);
  return Error::success;
}

}  // namespace tmaemu::runtime
