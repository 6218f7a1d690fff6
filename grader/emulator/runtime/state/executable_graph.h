// Graphs that were instantiated: what cudaGraphLaunch runs.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "emulator/model/stream_order.h"
#include "emulator/runtime/state/graph.h"

namespace tmaemu::runtime {

struct Stream;

// A node in the order in which a graph runs.
struct OrderedNode {
  Work work;                       // empty where the node does nothing
  std::vector<std::size_t> after;  // what it depends on, by the places in the order
  // The nodes of one branch come one after another; branch 0 goes on in the graph's stream.
  std::size_t branch = 0;
  NodeKind kind = NodeKind::empty;
  const GraphNode* made_from = nullptr;         // which may be gone
  std::vector<std::vector<OrderedNode>> inner;  // its child graph, or its condition's bodies
  std::shared_ptr<const Condition> condition;
  bool enabled = true;
};

struct ExecutableGraph {
  explicit ExecutableGraph(const Graph& graph) : user_objects(graph.user_objects) {}

  std::vector<OrderedNode> nodes;
  UserReferences user_objects;
  unsigned long long flags = 0;
  std::vector<void*> allocations;  // the addresses of what its nodes allocate
  StreamClock over;                // when its latest launch is done

  // The node that was made from this one, also where that is inside another; null where there is
  // none.
  OrderedNode* find(const GraphNode* node);
};

// The nodes in an order that respects the dependencies; an error where they form a cycle.
Error order(const Graph& graph, std::vector<OrderedNode>& ordered);

Error instantiate(const Graph& graph, unsigned long long flags, ExecutableGraph*& executable);
Error launch(ExecutableGraph& executable, Stream& stream);

// What keeps an executable graph from doing what another graph does, with equal nodes and edges.
// Values equal cudaGraphExecUpdateResult's.
enum class UpdateResult : int { success = 0, failed = 1, other_topology = 2, other_kind = 3 };
// `culprit`: the node of `graph` that differs; null where it is no single one.
UpdateResult update(ExecutableGraph& executable, const Graph& graph, const GraphNode*& culprit);
// The same of a node that runs a child graph; the executable graph stays as it was where the child
// differs in its nodes or edges.
Error update_child(OrderedNode& node, const Graph& child);

}  // namespace tmaemu::runtime
