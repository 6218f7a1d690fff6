// Graphs: work recorded now and run later. CUDA Programming Guide, "CUDA Graphs".
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "emulator/runtime/state/error.h"
#include "emulator/runtime/state/handles.h"

namespace tmaemu::runtime {

// Work of a stream or a graph, ready to run: its arguments are bound.
using Work = std::function<Error()>;

// Values equal cudaGraphNodeType's.
enum class NodeKind : int {
  kernel = 0,
  memcpy = 1,
  memset = 2,
  host = 3,
  graph = 4,
  empty = 5,
  wait_event = 6,
  event_record = 7,
};

struct Graph;

struct GraphNode {
  NodeKind kind = NodeKind::empty;
  Work work;  // empty where the node does nothing
  std::vector<GraphNode*> dependencies;
  Graph* graph = nullptr;
};

// A node in the order in which a graph runs.
struct OrderedNode {
  Work work;                       // empty where the node does nothing
  std::vector<std::size_t> after;  // what it depends on, by the places in the order
  // The nodes of one branch come one after another; branch 0 goes on in the graph's stream.
  std::size_t branch = 0;
};

struct Graph {
  std::vector<std::unique_ptr<GraphNode>> nodes;

  GraphNode* add(NodeKind kind, Work work, std::vector<GraphNode*> dependencies);
  bool contains(const GraphNode* node) const;
  // Removes the node and every edge that touches it.
  void remove(const GraphNode* node);
  // The nodes in an order that respects the dependencies; an error where they form a cycle.
  Error order(std::vector<OrderedNode>& ordered) const;
};

// An instantiated graph: what cudaGraphLaunch runs.
struct ExecutableGraph {
  std::vector<OrderedNode> nodes;
  unsigned long long flags = 0;
};

struct Graphs {
  static Graphs& instance();
  Handles<Graph> graphs;
  Handles<ExecutableGraph> executables;
};

// One piece of work that runs a graph's nodes in their order; a kernel's fault ends it.
Work run_all(std::vector<OrderedNode> nodes);

// A copy of `graph`; nodes keep their order.
std::unique_ptr<Graph> clone(const Graph& graph);
Error instantiate(const Graph& graph, unsigned long long flags, ExecutableGraph*& executable);

}  // namespace tmaemu::runtime
