#include "emulator/runtime/state/executable_graph.h"

#include <algorithm>
#include <map>
#include <string>
#include <utility>

#include "emulator/runtime/state/context.h"
#include "emulator/runtime/state/graph_condition.h"
#include "emulator/runtime/state/graph_memory.h"
#include "emulator/runtime/state/memory_pool.h"
#include "emulator/runtime/state/stream.h"

namespace tmaemu::runtime {
namespace {

Error order_inner(const GraphNode& node, OrderedNode& ordered) {
  for (const auto& graph : node.inner) {
    const Error error = order(*graph, ordered.inner.emplace_back());
    if (error != Error::success) return error;
  }
  return Error::success;
}

}  // namespace

Error order(const Graph& graph, std::vector<OrderedNode>& ordered) {
  const auto& nodes = graph.nodes;
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
    OrderedNode next{node->work, {}, last_of_branch.size(), node->kind, node, {}, node->condition};
    if (const Error error = order_inner(*node, next); error != Error::success) return error;
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

namespace {

Error run(const std::vector<OrderedNode>& nodes, StreamClock& over);

Error run_conditional(const OrderedNode& node) {
  const Condition& condition = *node.condition;
  StreamClock over;  // one turn after another
  for (;;) {
    if (FaultState::instance().faulted()) return Error::success;
    const std::size_t body = condition.chosen_body();
    if (body >= node.inner.size()) return Error::success;
    const Error error = run(node.inner[body], over);
    if (error != Error::success || !condition.repeats()) return error;
  }
}

// What the node does; empty where that is nothing.
Work work_of(const OrderedNode& node) {
  if (!node.enabled) return {};
  if (node.kind == NodeKind::conditional) return [&node] { return run_conditional(node); };
  if (node.kind == NodeKind::graph) {
    return [&node] {
      StreamClock over;
      return run(node.inner.front(), over);
    };
  }
  return node.work;
}

// Runs the nodes in their order; a kernel's fault ends it. `over`: what is done when they begin,
// and then when they are.
Error run(const std::vector<OrderedNode>& nodes, StreamClock& over) {
  const auto is_aside = [](const OrderedNode& node) { return node.branch != 0; };
  const bool has_branches = std::any_of(nodes.begin(), nodes.end(), is_aside);
  std::vector<StreamClock> behind(nodes.size(), over);  // what is done when the node is
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    if (FaultState::instance().faulted()) return Error::success;
    for (const std::size_t before : nodes[i].after) behind[i].join(behind[before]);
    const Work work = work_of(nodes[i]);
    if (!work) continue;
    const Error error =
        Streams::instance().run_node(nodes[i].branch, has_branches, work, behind[i]);
    if (error != Error::success) return error;
  }
  for (const StreamClock& one : behind) over.join(one);
  return Error::success;
}

void begin_conditions(const std::vector<OrderedNode>& nodes) {
  for (const OrderedNode& node : nodes) {
    if (node.condition) node.condition->begin_launch();
    for (const auto& inner : node.inner) begin_conditions(inner);
  }
}

OrderedNode* find_in(std::vector<OrderedNode>& nodes, const GraphNode* made_from) {
  for (OrderedNode& node : nodes) {
    if (node.made_from == made_from) return &node;
    for (auto& inner : node.inner) {
      if (OrderedNode* found = find_in(inner, made_from)) return found;
    }
  }
  return nullptr;
}

// cudaGraphInstantiateFlags: uploading and priorities change no result.
constexpr unsigned long long free_on_launch = 1;
constexpr unsigned long long device_launch = 4;
constexpr unsigned long long all_flags = 15;

void collect_allocations(const Graph& graph, std::vector<void*>& found) {
  for (const auto& node : graph.nodes) {
    if (node->kind == NodeKind::memory_allocation) found.push_back(node->memory);
    for (const auto& inner : node->inner) collect_allocations(*inner, found);
  }
}

std::vector<void*> allocations_of(const Graph& graph) {
  std::vector<void*> found;
  collect_allocations(graph, found);
  return found;
}

bool uses_any(const std::vector<OrderedNode>& nodes, const std::vector<OrderedNode>& others) {
  return std::any_of(others.begin(), others.end(), [&](const OrderedNode& other) {
    const auto has_its_condition = [&](const OrderedNode& node) {
      return node.condition != nullptr && node.condition == other.condition;
    };
    return std::any_of(nodes.begin(), nodes.end(), has_its_condition);
  });
}

// Of a graph that allocates memory or has conditions only one instance may live.
bool is_instantiated(const ExecutableGraph& wanted) {
  bool found = false;
  Graphs::instance().executables.for_each([&](const ExecutableGraph& other) {
    found |= !wanted.allocations.empty() && other.allocations == wanted.allocations;
    found |= uses_any(wanted.nodes, other.nodes);
  });
  return found;
}

bool may_be_in_a_body(NodeKind kind) {
  switch (kind) {
    case NodeKind::kernel:
    case NodeKind::memcpy:
    case NodeKind::memset:
    case NodeKind::graph:
    case NodeKind::empty:
    case NodeKind::conditional:
      return true;
    default:
      return false;
  }
}

// CUDA Runtime API, cudaConditionalNodeParams.
Error check_bodies(const std::vector<OrderedNode>& nodes, bool in_body) {
  for (const OrderedNode& node : nodes) {
    if (in_body && !may_be_in_a_body(node.kind)) {
      explain("the body of a conditional node has a node of type " +
              std::to_string(static_cast<int>(node.kind)) +
              " (cudaGraphNodeType): it may have kernels, copies, memsets, empty nodes, child "
              "graphs and conditional nodes");
      return Error::not_supported;
    }
    for (const auto& inner : node.inner) {
      const Error error = check_bodies(inner, in_body || node.kind == NodeKind::conditional);
      if (error != Error::success) return error;
    }
  }
  return Error::success;
}

}  // namespace

OrderedNode* ExecutableGraph::find(const GraphNode* node) {
  return find_in(nodes, node);
}

Error instantiate(const Graph& graph, unsigned long long flags, ExecutableGraph*& executable) {
  if ((flags & ~all_flags) != 0) return Error::invalid_value;
  if ((flags & device_launch) != 0) return not_modeled("a graph that the device launches");
  auto result = std::make_unique<ExecutableGraph>(graph);
  result->flags = flags;
  result->allocations = allocations_of(graph);
  if (const Error error = order(graph, result->nodes); error != Error::success) return error;
  if (const Error error = check_bodies(result->nodes, false); error != Error::success) return error;
  if (is_instantiated(*result)) return Error::not_supported;
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
      Streams::instance().submit(stream, NodeKind::graph, [nodes = executable.nodes] {
        begin_conditions(nodes);
        StreamClock over;
        return run(nodes, over);
      });
  executable.over = stream.known;
  return error;
}

namespace {

// Nodes are taken to be each other's counterparts by the order in which they were made. (CUDA finds
// them in some other orders, too; a program for which it does not instantiates the graph anew.)
UpdateResult compare(const std::vector<OrderedNode>& old, const std::vector<OrderedNode>& nodes,
                     const GraphNode*& culprit) {
  if (nodes.size() != old.size()) return UpdateResult::other_topology;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    culprit = nodes[i].made_from;
    if (nodes[i].kind != old[i].kind) return UpdateResult::other_kind;
    if (nodes[i].after != old[i].after) return UpdateResult::other_topology;
    if (nodes[i].inner.size() != old[i].inner.size()) return UpdateResult::other_topology;
    for (std::size_t k = 0; k < nodes[i].inner.size(); ++k) {
      const UpdateResult result = compare(old[i].inner[k], nodes[i].inner[k], culprit);
      if (result != UpdateResult::success) return result;
    }
  }
  culprit = nullptr;
  return UpdateResult::success;
}

// The nodes do what the others do, and stay known by what they were made from. Precondition: they
// compare as equal.
void take_over(std::vector<OrderedNode>& nodes, std::vector<OrderedNode>&& others) {
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    nodes[i].work = std::move(others[i].work);
    nodes[i].condition = std::move(others[i].condition);
    for (std::size_t k = 0; k < nodes[i].inner.size(); ++k) {
      take_over(nodes[i].inner[k], std::move(others[i].inner[k]));
    }
  }
}

}  // namespace

UpdateResult update(ExecutableGraph& executable, const Graph& graph, const GraphNode*& culprit) {
  culprit = nullptr;
  std::vector<OrderedNode> nodes;
  if (order(graph, nodes) != Error::success) return UpdateResult::failed;
  const UpdateResult result = compare(executable.nodes, nodes, culprit);
  if (result != UpdateResult::success) return result;
  // Memory has its address in the graph that allocates it, and only that graph has the same.
  if (executable.allocations != allocations_of(graph)) return UpdateResult::failed;
  take_over(executable.nodes, std::move(nodes));
  return UpdateResult::success;
}

Error update_child(OrderedNode& node, const Graph& child) {
  if (node.kind != NodeKind::graph) return Error::invalid_value;
  std::vector<OrderedNode> nodes;
  const GraphNode* culprit = nullptr;
  if (child.has_memory_nodes() || order(child, nodes) != Error::success ||
      compare(node.inner.front(), nodes, culprit) != UpdateResult::success) {
    return Error::invalid_value;
  }
  take_over(node.inner.front(), std::move(nodes));
  return Error::success;
}

}  // namespace tmaemu::runtime
