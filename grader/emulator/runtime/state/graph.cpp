#include "emulator/runtime/state/graph.h"

#include <algorithm>
#include <map>
#include <utility>

#include "emulator/runtime/state/executable_graph.h"
#include "emulator/runtime/state/graph_condition.h"

namespace tmaemu::runtime {
namespace {

// Whether a node of the graph, or of one inside it, has the property.
template <class Property>
bool any_node(const Graph& graph, const Property& property) {
  return std::any_of(graph.nodes.begin(), graph.nodes.end(), [&](const auto& node) {
    return property(*node) ||
           std::any_of(node->inner.begin(), node->inner.end(),
                       [&](const auto& inner) { return any_node(*inner, property); });
  });
}

}  // namespace

Graphs& Graphs::instance() {
  static auto* graphs = new Graphs;
  return *graphs;
}

Graph* Graphs::find(const void* handle) const {
  return live_.contains(handle) ? static_cast<Graph*>(const_cast<void*>(handle)) : nullptr;
}

GraphNode* Graphs::find_node(const void* handle) const {
  return live_nodes_.contains(handle) ? static_cast<GraphNode*>(const_cast<void*>(handle))
                                      : nullptr;
}

Graph::Graph(const UserReferences& held) : user_objects(held) {
  Graphs::instance().live_.insert(this);
}

Graph::~Graph() {
  Graphs::instance().live_.erase(this);
  for (const auto& node : nodes) Graphs::instance().live_nodes_.erase(node.get());
}

GraphNode* Graph::add(NodeKind kind, Work work, std::vector<GraphNode*> dependencies) {
  auto node = std::make_unique<GraphNode>();
  node->kind = kind;
  node->work = std::move(work);
  node->dependencies = std::move(dependencies);
  node->graph = this;
  Graphs::instance().live_nodes_.insert(node.get());
  return nodes.emplace_back(std::move(node)).get();
}

void Graph::put_inside(GraphNode& node, std::unique_ptr<Graph> graph) {
  graph->owner = &node;
  node.inner_handles.push_back(graph.get());
  node.inner.push_back(std::move(graph));
}

bool Graph::contains(const GraphNode* node) const {
  return std::any_of(nodes.begin(), nodes.end(),
                     [node](const auto& own) { return own.get() == node; });
}

bool Graph::has_memory_nodes() const {
  return any_node(*this, [](const GraphNode& node) { return node.memory != nullptr; });
}

bool Graph::has_conditional_nodes() const {
  return any_node(*this, [](const GraphNode& node) { return node.kind == NodeKind::conditional; });
}

void Graph::remove(const GraphNode* node) {
  for (const auto& other : nodes) std::erase(other->dependencies, node);
  Graphs::instance().live_nodes_.erase(node);
  std::erase_if(nodes, [node](const auto& own) { return own.get() == node; });
}

Error clone(const Graph& graph, std::unique_ptr<Graph>& copy) {
  if (graph.has_memory_nodes() || graph.has_conditional_nodes()) return Error::not_supported;
  copy = std::make_unique<Graph>(graph.user_objects);
  std::map<const GraphNode*, GraphNode*> counterpart;
  for (const auto& node : graph.nodes) {
    GraphNode* const made = copy->add(node->kind, node->work, {});
    made->parameters = node->parameters;
    made->copied_from = node.get();
    for (const auto& inner : node->inner) {
      std::unique_ptr<Graph> inner_copy;
      clone(*inner, inner_copy);
      Graph::put_inside(*made, std::move(inner_copy));
    }
    counterpart[node.get()] = made;
  }
  for (const auto& node : graph.nodes) {
    for (const GraphNode* dependency : node->dependencies) {
      counterpart[node.get()]->dependencies.push_back(counterpart[dependency]);
    }
  }
  return Error::success;
}

GraphNode* find_in_clone(const Graph& copy, const GraphNode* original) {
  for (const auto& node : copy.nodes) {
    if (node->copied_from == original) return node.get();
    for (const auto& inner : node->inner) {
      if (GraphNode* found = find_in_clone(*inner, original)) return found;
    }
  }
  return nullptr;
}

Error add_child(Graph& graph, std::vector<GraphNode*> dependencies, Graph& child, bool moves,
                GraphNode*& node) {
  if (child.has_conditional_nodes()) return Error::not_supported;
  std::unique_ptr<Graph> inner;
  if (moves) {
    for (const Graph* outer = &graph; outer != nullptr;
         outer = outer->owner == nullptr ? nullptr : outer->owner->graph) {
      if (outer == &child) return Error::invalid_value;
    }
    inner = Graphs::instance().graphs.take(&child);
    if (inner == nullptr) return Error::invalid_value;  // inside a node, or being captured
  } else if (const Error error = clone(child, inner); error != Error::success) {
    return error;
  }
  node = graph.add(NodeKind::graph, {}, std::move(dependencies));
  Graph::put_inside(*node, std::move(inner));
  return Error::success;
}

}  // namespace tmaemu::runtime
