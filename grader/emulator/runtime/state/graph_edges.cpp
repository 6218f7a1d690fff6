// Edges and lists of nodes, and what a stream captures.
#include <algorithm>

#include "emulator/runtime/state/graph_calls.h"

namespace tmaemu::runtime {
namespace {

// CUDA's way to return a list.
Error give_list(const std::vector<GraphNode*>& nodes, NodeHandles handles, EdgeData* data,
                std::size_t* count) {
  if (any_null(count)) return Error::invalid_value;
  if (handles != nullptr) {
    for (std::size_t i = 0; i < *count; ++i) {
      handles[i] = i < nodes.size() ? nodes[i] : nullptr;
      if (data != nullptr) data[i] = {};
    }
  }
  *count = nodes.size();
  return Error::success;
}

std::vector<GraphNode*> nodes_of(ConstNodeHandles handles, std::size_t count) {
  return count == 0 ? std::vector<GraphNode*>{} : std::vector<GraphNode*>(handles, handles + count);
}

}  // namespace

Error add_dependencies(const void* handle, ConstNodeHandles from, ConstNodeHandles to,
                       std::size_t count) {
  const Graph* graph = Graphs::instance().find(handle);
  if (graph == nullptr || (count != 0 && any_null(from, to))) return Error::invalid_value;
  for (std::size_t i = 0; i < count; ++i) {
    if (from[i] == to[i] || !graph->contains(from[i]) || !graph->contains(to[i])) {
      return Error::invalid_value;
    }
    to[i]->dependencies.push_back(from[i]);
  }
  return Error::success;
}

Error remove_dependencies(const void* handle, ConstNodeHandles from, ConstNodeHandles to,
                          std::size_t count) {
  const Graph* graph = Graphs::instance().find(handle);
  if (graph == nullptr || (count != 0 && any_null(from, to))) return Error::invalid_value;
  if (graph->has_memory_nodes()) return Error::not_supported;
  for (std::size_t i = 0; i < count; ++i) {
    if (!graph->contains(to[i])) return Error::invalid_value;
    std::erase(to[i]->dependencies, from[i]);
  }
  return Error::success;
}

Error get_edges(const void* handle, NodeHandles from, NodeHandles to, EdgeData* data,
                std::size_t* count) {
  const Graph* graph = Graphs::instance().find(handle);
  if (graph == nullptr || any_null(count)) return Error::invalid_value;
  std::vector<GraphNode*> sources;
  std::vector<GraphNode*> targets;
  for (const auto& node : graph->nodes) {
    for (GraphNode* dependency : node->dependencies) {
      sources.push_back(dependency);
      targets.push_back(node.get());
    }
  }
  std::size_t room = *count;
  give_list(sources, from, data, &room);
  return give_list(targets, to, nullptr, count);
}

Error get_dependencies(const void* handle, NodeHandles dependencies, EdgeData* data,
                       std::size_t* count) {
  const GraphNode* node = Graphs::instance().find_node(handle);
  if (node == nullptr) return Error::invalid_value;
  return give_list(node->dependencies, dependencies, data, count);
}

Error get_dependents(const void* handle, NodeHandles dependents, EdgeData* data,
                     std::size_t* count) {
  GraphNode* node = Graphs::instance().find_node(handle);
  if (node == nullptr) return Error::invalid_value;
  std::vector<GraphNode*> result;
  for (const auto& other : node->graph->nodes) {
    const auto& dependencies = other->dependencies;
    if (std::find(dependencies.begin(), dependencies.end(), node) != dependencies.end()) {
      result.push_back(other.get());
    }
  }
  return give_list(result, dependents, data, count);
}

Error get_nodes(const void* handle, NodeHandles nodes, std::size_t* count) {
  const Graph* graph = Graphs::instance().find(handle);
  if (graph == nullptr) return Error::invalid_value;
  std::vector<GraphNode*> all;
  for (const auto& node : graph->nodes) all.push_back(node.get());
  return give_list(all, nodes, nullptr, count);
}

Error get_root_nodes(const void* handle, NodeHandles nodes, std::size_t* count) {
  const Graph* graph = Graphs::instance().find(handle);
  if (graph == nullptr) return Error::invalid_value;
  std::vector<GraphNode*> roots;
  for (const auto& node : graph->nodes) {
    if (node->dependencies.empty()) roots.push_back(node.get());
  }
  return give_list(roots, nodes, nullptr, count);
}

Error capture_info(const void* handle, CaptureInfo& info) {
  const Stream* stream = Streams::instance().find(handle);
  if (stream == nullptr) return Error::invalid_handle;
  if (!stream->capture) return Error::success;
  const Capture& capture = *stream->capture;
  info = {capture.status, capture.id, capture.target, stream->tail.data(), stream->tail.size()};
  return Error::success;
}

Error begin_capture_to(Stream& stream, const void* handle, ConstNodeHandles dependencies,
                       std::size_t count, CaptureMode mode) {
  Graph* graph = Graphs::instance().find(handle);
  if (graph == nullptr || (count != 0 && any_null(dependencies))) return Error::invalid_value;
  return Streams::instance().begin_capture(stream, mode, graph, nodes_of(dependencies, count));
}

Error update_capture_dependencies(const void* handle, ConstNodeHandles nodes, std::size_t count,
                                  unsigned flags) {
  constexpr unsigned add = 0, set = 1;  // cudaStreamUpdateCaptureDependenciesFlags
  Stream* stream = Streams::instance().find(handle);
  if (stream == nullptr) return Error::invalid_handle;
  if (!stream->capture) return Error::illegal_state;
  if (flags > set || (count != 0 && any_null(nodes))) return Error::invalid_value;
  std::vector<GraphNode*> added = nodes_of(nodes, count);
  if (flags == add) added.insert(added.begin(), stream->tail.begin(), stream->tail.end());
  stream->tail = std::move(added);
  return Error::success;
}

}  // namespace tmaemu::runtime
