// Graphs: work that is described now and run later. CUDA Programming Guide, "CUDA Graphs".
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <unordered_set>
#include <vector>

#include "emulator/runtime/state/error.h"
#include "emulator/runtime/state/handles.h"
#include "emulator/runtime/state/user_object.h"

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
  conditional = 13,
};

class Condition;
struct Graph;
struct NodeParameters;

struct GraphNode {
  NodeKind kind = NodeKind::empty;
  Work work;  // empty where the node does nothing, or what its inner graphs do
  std::vector<GraphNode*> dependencies;
  Graph* graph = nullptr;
  void* memory = nullptr;                            // that it allocates or frees
  std::shared_ptr<const NodeParameters> parameters;  // null where it has none that can be asked for
  std::vector<std::unique_ptr<Graph>> inner;         // the child graph, or a condition's bodies
  std::vector<Graph*> inner_handles;                 // the same: phGraph_out points here
  std::shared_ptr<const Condition> condition;
  const GraphNode* copied_from = nullptr;  // by cudaGraphClone; the node may be gone
};

struct Graph {
  explicit Graph(const UserReferences& held = {});
  ~Graph();
  Graph(const Graph&) = delete;
  Graph& operator=(const Graph&) = delete;

  std::vector<std::unique_ptr<GraphNode>> nodes;
  std::vector<std::shared_ptr<Condition>> conditions;  // whose handles were created with it
  GraphNode* owner = nullptr;                          // the node that it is inside of
  UserReferences user_objects;

  GraphNode* add(NodeKind kind, Work work, std::vector<GraphNode*> dependencies);
  // Puts a graph inside a node of this one.
  static void put_inside(GraphNode& node, std::unique_ptr<Graph> graph);
  bool contains(const GraphNode* node) const;
  // Whether it has nodes that allocate or free memory: such a graph keeps its nodes and edges, is
  // neither copied nor part of another, and is instantiated once at a time.
  bool has_memory_nodes() const;
  // Whether it has conditional nodes: it is neither copied nor part of another, and is instantiated
  // once at a time.
  bool has_conditional_nodes() const;
  // Removes the node and every edge that touches it.
  void remove(const GraphNode* node);
};

struct ExecutableGraph;

struct Graphs {
  static Graphs& instance();
  Handles<Graph> graphs;  // that programs own
  Handles<ExecutableGraph> executables;

  // Every graph that lives: those that programs own, those inside nodes, those being captured.
  Graph* find(const void* handle) const;
  // Null where the handle is no node of a graph that lives.
  GraphNode* find_node(const void* handle) const;

 private:
  friend struct Graph;
  std::unordered_set<const void*> live_;
  std::unordered_set<const void*> live_nodes_;
};

// A copy of `graph`; nodes keep their order.
Error clone(const Graph& graph, std::unique_ptr<Graph>& copy);
// The node of the copy that was made from this one; null where there is none.
GraphNode* find_in_clone(const Graph& copy, const GraphNode* original);

// A node with a copy of `child` inside, or with the child itself, which is no graph of the
// program's own from then on.
Error add_child(Graph& graph, std::vector<GraphNode*> dependencies, Graph& child, bool moves,
                GraphNode*& node);

}  // namespace tmaemu::runtime
