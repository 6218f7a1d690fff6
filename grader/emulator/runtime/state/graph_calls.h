// What the calls of both APIs do with graphs and nodes that a program names by handle. A handle is
// the object's address, and a list of handles is what cudaGraphNode_t* or CUgraphNode* point to.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "emulator/runtime/state/executable_graph.h"
#include "emulator/runtime/state/graph.h"
#include "emulator/runtime/state/node_parameters.h"
#include "emulator/runtime/state/stream.h"

struct CUgraphNode_st;  // cudaGraphNode_t and CUgraphNode point to it

namespace tmaemu::runtime {

using NodeHandles = GraphNode**;
using ConstNodeHandles = GraphNode* const*;
inline NodeHandles node_list(CUgraphNode_st** handles) {
  return reinterpret_cast<NodeHandles>(handles);
}
inline ConstNodeHandles node_list(CUgraphNode_st* const* handles) {
  return reinterpret_cast<ConstNodeHandles>(handles);
}

// Where a node is to be made, and where its handle goes.
struct NodePlace {
  GraphNode** handle;
  const void* graph;
  ConstNodeHandles dependencies;
  std::size_t count;
};

Error find_place(const NodePlace& place, Graph*& graph, std::vector<GraphNode*>& dependencies);

// Adds what `make(graph, dependencies, node)` makes, which returns an Error.
template <class Make>
Error add_node(const NodePlace& place, Make&& make) {
  Graph* graph = nullptr;
  std::vector<GraphNode*> dependencies;
  Error error = find_place(place, graph, dependencies);
  GraphNode* node = nullptr;
  if (error == Error::success) error = make(*graph, std::move(dependencies), node);
  if (error == Error::success) *place.handle = node;
  return error;
}
Error add_empty_node(const NodePlace& place);
// `make(parameters)` says what a node is to do, or gives an Error.
template <class Make>
concept MakesParameters = std::invocable<Make&, AnyParameters&>;
// A node that does what the parameters say.
Error add_working_node(const NodePlace& place, NodeKind kind, AnyParameters parameters);
template <MakesParameters Make>
Error add_working_node(const NodePlace& place, NodeKind kind, Make&& make) {
  AnyParameters parameters;
  const Error error = make(parameters);
  return error == Error::success ? add_working_node(place, kind, std::move(parameters)) : error;
}
Error add_child_node(const NodePlace& place, const void* child, bool moves);
// `bodies`: gets the list of the graphs inside the node.
Error add_conditional_node(const NodePlace& place, std::uint64_t handle, int type, unsigned size,
                           Graph**& bodies);
Error add_allocation_node(const NodePlace& place, std::size_t size, void*& pointer);
Error add_free_node(const NodePlace& place, const char* call, void* pointer);

// The node, where it is of the kind.
Error find_node(const void* handle, NodeKind kind, GraphNode*& node);
// Of the node of an executable graph that was made from this one, which stays as it is.
Error find_node(const void* executable, const void* handle, NodeKind kind, OrderedNode*& node);
// Other parameters for a node.
Error set_parameters(const void* handle, NodeKind kind, AnyParameters parameters);
Error set_parameters(const void* executable, const void* handle, NodeKind kind,
                     const AnyParameters& parameters);
template <MakesParameters Make>
Error set_parameters(const void* handle, NodeKind kind, Make&& make) {
  AnyParameters parameters;
  const Error error = make(parameters);
  return error == Error::success ? set_parameters(handle, kind, std::move(parameters)) : error;
}
template <MakesParameters Make>
Error set_parameters(const void* executable, const void* handle, NodeKind kind, Make&& make) {
  AnyParameters parameters;
  const Error error = make(parameters);
  return error == Error::success ? set_parameters(executable, handle, kind, parameters) : error;
}
// What a node does that has parameters of this type, in an API's own structure: each API has a
// tell() for it.
template <class Parameters, class Result>
Error get_parameters(const void* handle, NodeKind kind, Result* result) {
  GraphNode* node = nullptr;
  if (any_null(result)) return Error::invalid_value;
  if (find_node(handle, kind, node) != Error::success) return Error::invalid_value;
  const auto* known = parameters_of<Parameters>(*node);
  if (known == nullptr) return not_modeled("the parameters of what a library has captured");
  tell(*node, *known, *result);
  return Error::success;
}
// The attributes of a kernel node: `value` is a cudaLaunchAttributeValue or a
// CUlaunchAttributeValue.
Error get_kernel_attribute(const void* handle, int id, void* value);
Error set_kernel_attribute(const void* handle, int id, const void* value);
Error copy_kernel_attributes(const void* destination, const void* source);
// The graph inside a node that runs a child graph.
Error child_of(const void* handle, Graph*& child);
Error set_child(const void* executable, const void* handle, const void* child);
// Only kernels, copies and memsets can be switched off, which leaves a node that does nothing.
Error set_enabled(const void* executable, const void* handle, bool enabled);
Error get_enabled(const void* executable, const void* handle, unsigned* enabled);
Error destroy_node(const void* handle);
// The event of a node that records it or waits for it.
Error get_event(const void* handle, NodeKind kind, void** event);
Error find_event(const void* handle, AnyParameters& parameters);

Error clone_graph(const void* original, Graph*& copy);
Error find_in_clone(const void* original, const void* copy, NodeHandles node);

// Of a graph of the program's own: none that is inside a node, or being captured.
template <class Executable>
Error instantiate_graph(Executable* executable, const void* handle, unsigned long long flags) {
  if (any_null(executable)) return Error::invalid_value;
  const Graph* graph = Graphs::instance().graphs.find(handle);
  if (graph == nullptr) return Error::invalid_value;
  ExecutableGraph* result = nullptr;
  const Error error = instantiate(*graph, flags, result);
  *executable = reinterpret_cast<Executable>(result);
  return error;
}
// Tells in an API's own structure what keeps the executable graph from doing what the graph does.
template <class Info>
Error update(const void* executable_handle, const void* handle, Info* info) {
  ExecutableGraph* executable = Graphs::instance().executables.find(executable_handle);
  const Graph* graph = Graphs::instance().graphs.find(handle);
  if (executable == nullptr || graph == nullptr || any_null(info)) return Error::invalid_value;
  const GraphNode* culprit = nullptr;
  const UpdateResult result = update(*executable, *graph, culprit);
  *info = {};
  info->result = static_cast<decltype(info->result)>(result);
  info->errorNode = reinterpret_cast<CUgraphNode_st*>(const_cast<GraphNode*>(culprit));
  return result == UpdateResult::success ? Error::success : Error::graph_update_failure;
}

// What an edge may carry (cudaGraphEdgeData, CUgraphEdgeData): programmatic dependencies, which
// change when work may start, never what it computes. They are not kept, and all edges are plain.
struct EdgeData {
  unsigned char bytes[8];
};
template <class Data>
EdgeData* edge_list(Data* data) {
  static_assert(sizeof(Data) == sizeof(EdgeData));
  return reinterpret_cast<EdgeData*>(data);
}

Error add_dependencies(const void* graph, ConstNodeHandles from, ConstNodeHandles to,
                       std::size_t count);
Error remove_dependencies(const void* graph, ConstNodeHandles from, ConstNodeHandles to,
                          std::size_t count);
// Without room each gives its length alone, else as much as fits, and null behind it.
Error get_edges(const void* graph, NodeHandles from, NodeHandles to, EdgeData* data,
                std::size_t* count);
Error get_dependencies(const void* node, NodeHandles dependencies, EdgeData* data,
                       std::size_t* count);
Error get_dependents(const void* node, NodeHandles dependents, EdgeData* data, std::size_t* count);
Error get_nodes(const void* graph, NodeHandles nodes, std::size_t* count);
Error get_root_nodes(const void* graph, NodeHandles nodes, std::size_t* count);

struct CaptureInfo {
  CaptureStatus status = CaptureStatus::none;
  // Where it is active:
  std::uint64_t id = 0;
  Graph* graph = nullptr;
  ConstNodeHandles dependencies = nullptr;
  std::size_t count = 0;
};
Error capture_info(const void* stream, CaptureInfo& info);
// Tells it in an API's own types: all but the status may be null.
template <class Status, class Id, class GraphHandle, class Edge>
Error tell_capture(const void* stream, Status* status, Id* id, GraphHandle* graph,
                   CUgraphNode_st* const** dependencies, const Edge** edges, std::size_t* count) {
  if (any_null(status)) return Error::invalid_value;
  CaptureInfo info;
  if (const Error error = capture_info(stream, info); error != Error::success) return error;
  *status = static_cast<Status>(info.status);
  if (info.status != CaptureStatus::active) return Error::success;
  if (id != nullptr) *id = info.id;
  if (graph != nullptr) *graph = reinterpret_cast<GraphHandle>(info.graph);
  if (dependencies != nullptr) {
    *dependencies = reinterpret_cast<CUgraphNode_st* const*>(info.dependencies);
  }
  if (edges != nullptr) *edges = nullptr;  // none of them carries data
  if (count != nullptr) *count = info.count;
  return Error::success;
}
Error begin_capture_to(Stream& stream, const void* graph, ConstNodeHandles dependencies,
                       std::size_t count, CaptureMode mode);
Error update_capture_dependencies(const void* stream, ConstNodeHandles nodes, std::size_t count,
                                  unsigned flags);

}  // namespace tmaemu::runtime
