// Graphs: work recorded now and run later. CUDA Programming Guide, "CUDA Graphs".
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "emulator/model/stream_order.h"
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
  memory_allocation = 10,
  memory_free = 11,
};

struct Graph;
struct Stream;

struct GraphNode {
  NodeKind kind = NodeKind::empty;
  Work work;  // empty where the node does nothing
  std::vector<GraphNode*> dependencies;
  Graph* graph = nullptr;
  void* memory = nullptr;  // that it allocates or frees
};

// A node in the order in which a graph runs.
struct OrderedNode {
  Work work;                       // empty where the node does nothing
  std::vector<std::size_t> after;  // what it depends on, by the places in the order
  // The nodes of one branch come one after another; branch 0 goes on in the graph's stream.
  std::size_t branch = 0;
  NodeKind kind = NodeKind::empty;
  const GraphNode* made_from = nullptr;  // which may be gone
};

struct Graph {
  std::vector<std::unique_ptr<GraphNode>> nodes;

  GraphNode* add(NodeKind kind, Work work, std::vector<GraphNode*> dependencies);
  bool contains(const GraphNode* node) const;
  // Whether it has nodes that allocate or free memory: such a graph keeps its nodes and edges, is
  // neither copied nor part of another, and is instantiated once at a time.
  bool has_memory_nodes() const;
  // Removes the node and every edge that touches it.
  void remove(const GraphNode* node);
  // The nodes in an order that respects the dependencies; an error where they form a cycle.
  Error order(std::vector<OrderedNode>& ordered) const;
};

// An instantiated graph: what cudaGraphLaunch runs.
struct ExecutableGraph {
  std::vector<OrderedNode> nodes;
  unsigned long long flags = 0;
  std::vector<void*> allocations;  // the addresses of what its nodes allocate
  StreamClock over;                // when its latest launch is done

  // The node that was made from this one; null where there is none.
  OrderedNode* find(const GraphNode* node);
};

struct Graphs {
  static Graphs& instance();
  Handles<Graph> graphs;
  Handles<ExecutableGraph> executables;
};

// One piece of work that runs a graph's nodes in their order; a kernel's fault ends it.
Work run_all(std::vector<OrderedNode> nodes);

// A copy of `graph`; nodes keep their order.
Error clone(const Graph& graph, std::unique_ptr<Graph>& copy);
Error instantiate(const Graph& graph, unsigned long long flags, ExecutableGraph*& executable);
Error launch(ExecutableGraph& executable, Stream& stream);

// What keeps an executable graph from doing what another graph does, with equal nodes and edges.
// Values equal cudaGraphExecUpdateResult's.
enum class UpdateResult : int { success = 0, failed = 1, other_topology = 2, other_kind = 3 };
// `culprit`: the node of `graph` that differs; null where it is no single one.
UpdateResult update(ExecutableGraph& executable, const Graph& graph, const GraphNode*& culprit);

}  // namespace tmaemu::runtime
