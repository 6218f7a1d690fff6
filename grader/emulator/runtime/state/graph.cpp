#include "emulator/runtime/state/graph.h"

#include <algorithm>
#include <map>
#include <utility>

#include "emulator/runtime/state/context.h"
#include "emulator/runtime/state/graph_memory.h"
#include "emulator/runtime/state/memory_pool.h"
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

bool Graph::has_memory_nodes() const {
  return std::any_of(nodes.begin(), nodes.end(),
                     [](const auto& own) { return own->memory != nullptr; });
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
    OrderedNode next{node->work, {}, last_of_branch.size(), node->kind, node};
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

OrderedNode* ExecutableGraph::find(const GraphNode* node) {
  const auto found = std::find_if(nodes.begin(), nodes.end(),
                                  [node](const auto& own) { return own.made_from == node; });
  return found == nodes.end() ? nullptr : &*found;
}

Error clone(const Graph& graph, std::unique_ptr<Graph>& copy) {
  if (graph.has_memory_nodes()) return Error::not_supported;
  copy = std::make_unique<Graph>();
  std::map<const GraphNode*, GraphNode*> counterpart;
  for (const auto& node : graph.nodes) {
    counterpart[node.get()] = copy->add(node->kind, node->work, {});
  }
  for (const auto& node : graph.nodes) {
    for (const GraphNode* dependency : node->dependencies) {
      counterpart[node.get()]->dependencies.push_back(counterpart[dependency]);
    }
  }
  return Error::success;
}

namespace {

// cudaGraphInstantiateFlags: uploading and priorities change no result.
constexpr unsigned long long free_on_launch = 1;
constexpr unsigned long long device_launch = 4;
constexpr unsigned long long all_flags = 15;

std::vector<void*> allocations_of(const Graph& graph) {
  std::vector<void*> found;
  for (const auto& node : graph.nodes) {
    if (node->kind == NodeKind::memory_allocation) found.push_back(node->memory);
  }
  return found;
}

bool is_instantiated(const std::vector<void*>& allocations) {
  bool found = false;
  Graphs::instance().executables.for_each([&](const ExecutableGraph& other) {
    found |= !allocations.empty() && other.allocations == allocations;
  });
  return found;
}

}  // namespace

Error instantiate(const Graph& graph, unsigned long long flags, ExecutableGraph*& executable) {
  if ((flags & ~all_flags) != 0) return Error::invalid_value;
  if ((flags & device_launch) != 0) return not_modeled("a graph that the device launches");
  auto result = std::make_unique<ExecutableGraph>();
  result->flags = flags;
  result->allocations = allocations_of(graph);
  if (is_instantiated(result->allocations)) return Error::not_supported;
  if (const Error error = graph.order(result->nodes); error != Error::success) return error;
  executable = Graphs::instance().executables.add(std::move(result));
  return Error::success;
}

// Only one launch of an executable graph runs at a time: each comes behind the earlier ones, in
// whatever stream they are. CUDA Runtime API, cudaGraphLaunch.
Error launch(ExecutableGraph& executable, Stream& stream) {
  if (stream.capture) return Streams::instance().check_may_wait(stream);
  std::vector<void*> left;  // by an earlier launch
  for (void* allocation : executable.allocations) {
    if (GraphMemory::instance().has_memory(allocation)) left.push_back(allocation);
  }
  if (!left.empty() && (executable.flags & free_on_launch) == 0) {
    explain(
        "a graph is launched whose memory of an earlier launch has not been freed: free it, or "
        "instantiate the graph with cudaGraphInstantiateFlagAutoFreeOnLaunch");
    return Error::invalid_value;
  }
  stream.known.join(executable.over);
  for (void* allocation : left) {
    const Error error = free_in(stream, "cudaGraphLaunch", allocation);
    if (error != Error::success) return error;
  }
  const Error error =
      Streams::instance().submit(stream, NodeKind::graph, run_all(executable.nodes));
  executable.over = stream.known;
  return error;
}

// Nodes are taken to be each other's counterparts by the order in which they were made. (CUDA finds
// them in some other orders, too; a program for which it does not instantiates the graph anew.)
UpdateResult update(ExecutableGraph& executable, const Graph& graph, const GraphNode*& culprit) {
  culprit = nullptr;
  std::vector<OrderedNode> nodes;
  if (graph.order(nodes) != Error::success) return UpdateResult::failed;
  if (nodes.size() != executable.nodes.size()) return UpdateResult::other_topology;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const OrderedNode& old = executable.nodes[i];
    culprit = nodes[i].made_from;
    if (nodes[i].kind != old.kind) return UpdateResult::other_kind;
    if (nodes[i].after != old.after) return UpdateResult::other_topology;
  }
  culprit = nullptr;
  // Memory has its address in the graph that allocates it, and only that graph has the same.
  if (executable.allocations != allocations_of(graph)) return UpdateResult::failed;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    executable.nodes[i].work = std::move(nodes[i].work);
  }
  return UpdateResult::success;
}

}  // namespace tmaemu::runtime
