#include "emulator/runtime/state/graph.h"

#include <algorithm>
#include <map>
#include <utility>

#include "emulator/runtime/state/context.h"

namespace tmaemu::runtime {

Graphs& Graphs::instance() {
  static auto* graphs = new Graphs;
  return *graphs;
}

GraphNode* Graph::add(NodeKind kind, Work work, std::vector<GraphNode*> dependencies) {
  nodes.push_back(
      std::make_unique<GraphNode>(GraphNode{kind, std::move(work), std::move(dependencies), this}));
  return nodes.back().get();
}

bool Graph::contains(const GraphNode* node) const {
  return std::any_of(nodes.begin(), nodes.end(),
                     [node](const auto& own) { return own.get() == node; });
}

void Graph::remove(const GraphNode* node) {
  for (const auto& other : nodes) std::erase(other->dependencies, node);
  std::erase_if(nodes, [node](const auto& own) { return own.get() == node; });
}

Error Graph::order(std::vector<Work>& work) const {
  std::map<const GraphNode*, std::size_t> waiting_for;
  for (const auto& node : nodes) waiting_for[node.get()] = node->dependencies.size();
  while (!waiting_for.empty()) {
    // First in insertion order, so that the order is the same in every run.
    const auto ready = std::find_if(nodes.begin(), nodes.end(), [&](const auto& node) {
      const auto found = waiting_for.find(node.get());
      return found != waiting_for.end() && found->second == 0;
    });
    if (ready == nodes.end()) return Error::invalid_value;
    const GraphNode* node = ready->get();
    if (node->work) work.push_back(node->work);
    waiting_for.erase(node);
    for (const auto& other : nodes) {
      const auto count = std::count(other->dependencies.begin(), other->dependencies.end(), node);
      if (count != 0) waiting_for[other.get()] -= static_cast<std::size_t>(count);
    }
  }
  return Error::success;
}

Work run_all(std::vector<Work> work) {
  return [work = std::move(work)] {
    for (const Work& one : work) {
      if (FaultState::instance().faulted()) return Error::success;
      if (const Error error = one(); error != Error::success) return error;
    }
    return Error::success;
  };
}

std::unique_ptr<Graph> clone(const Graph& graph) {
  auto copy = std::make_unique<Graph>();
  std::map<const GraphNode*, GraphNode*> counterpart;
  for (const auto& node : graph.nodes) {
    counterpart[node.get()] = copy->add(node->kind, node->work, {});
  }
  for (const auto& node : graph.nodes) {
    for (const GraphNode* dependency : node->dependencies) {
      counterpart[node.get()]->dependencies.push_back(counterpart[dependency]);
    }
  }
  return copy;
}

Error instantiate(const Graph& graph, unsigned long long flags, ExecutableGraph*& executable) {
  // cudaGraphInstantiateFlags: freeing before a launch, uploading and priorities change no result.
  constexpr unsigned long long device_launch = 4;
  constexpr unsigned long long all_flags = 15;
  if ((flags & ~all_flags) != 0) return Error::invalid_value;
  if ((flags & device_launch) != 0) return not_modeled("a graph that the device launches");
  auto result = std::make_unique<ExecutableGraph>();
  result->flags = flags;
  if (const Error error = graph.order(result->work); error != Error::success) return error;
  executable = Graphs::instance().executables.add(std::move(result));
  return Error::success;
}

}  // namespace tmaemu::runtime
