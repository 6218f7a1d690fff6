#include "emulator/runtime/state/graph.h"

#include <algorithm>
#include <map>
#include <utility>

#include "emulator/runtime/state/context.h"
#include "emulator/runtime/state/stream.h"

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

Error Graph::order(std::vector<OrderedNode>& ordered) const {
  std::map<const GraphNode*, std::size_t> places;
  std::vector<std::size_t> last_of_branch;
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
    OrderedNode next{node->work, {}, last_of_branch.size()};
    for (const GraphNode* dependency : node->dependencies) {
      const std::size_t place = places[dependency];
      next.after.push_back(place);
      if (last_of_branch[ordered[place].branch] == place) next.branch = ordered[place].branch;
    }
    if (next.branch == last_of_branch.size()) last_of_branch.emplace_back();
    last_of_branch[next.branch] = ordered.size();
    places[node] = ordered.size();
    ordered.push_back(std::move(next));
    waiting_for.erase(node);
    for (const auto& other : nodes) {
      const auto count = std::count(other->dependencies.begin(), other->dependencies.end(), node);
      if (count != 0) waiting_for[other.get()] -= static_cast<std::size_t>(count);
    }
  }
  return Error::success;
}

Work run_all(std::vector<OrderedNode> nodes) {
  return [nodes = std::move(nodes)] {
    const auto is_aside = [](const OrderedNode& node) { return node.branch != 0; };
    const bool has_branches = std::any_of(nodes.begin(), nodes.end(), is_aside);
    std::vector<StreamClock> over(nodes.size());  // when the node is done
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      if (FaultState::instance().faulted()) return Error::success;
      for (const std::size_t before : nodes[i].after) over[i].join(over[before]);
      if (!nodes[i].work) continue;
      const Error error =
          Streams::instance().run_node(nodes[i].branch, has_branches, nodes[i].work, over[i]);
      if (error != Error::success) return error;
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
  if (const Error error = graph.order(result->nodes); error != Error::success) return error;
  executable = Graphs::instance().executables.add(std::move(result));
  return Error::success;
}

}  // namespace tmaemu::runtime
