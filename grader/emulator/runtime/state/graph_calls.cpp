// Nodes: made, asked for, and given other parameters.
#include "emulator/runtime/state/graph_calls.h"

#include <algorithm>
#include <cstring>

#include "emulator/runtime/state/event.h"
#include "emulator/runtime/state/graph_condition.h"
#include "emulator/runtime/state/graph_memory.h"

namespace tmaemu::runtime {

Error find_place(const NodePlace& place, Graph*& graph, std::vector<GraphNode*>& dependencies) {
  graph = Graphs::instance().find(place.graph);
  if (graph == nullptr || any_null(place.handle)) return Error::invalid_value;
  if (place.count != 0 && any_null(place.dependencies)) return Error::invalid_value;
  dependencies.assign(place.dependencies, place.dependencies + place.count);
  const auto is_own = [&](const GraphNode* node) { return graph->contains(node); };
  return std::all_of(dependencies.begin(), dependencies.end(), is_own) ? Error::success
                                                                       : Error::invalid_value;
}

Error add_empty_node(const NodePlace& place) {
  return add_node(place, [](Graph& graph, std::vector<GraphNode*> dependencies, GraphNode*& node) {
    node = graph.add(NodeKind::empty, {}, std::move(dependencies));
    return Error::success;
  });
}

Error add_working_node(const NodePlace& place, NodeKind kind, AnyParameters parameters) {
  return add_node(place, [&](Graph& graph, std::vector<GraphNode*> dependencies, GraphNode*& node) {
    node = graph.add(kind, {}, std::move(dependencies));
    give(*node, std::move(parameters));
    return Error::success;
  });
}

Error add_child_node(const NodePlace& place, const void* handle, bool moves) {
  Graph* child = Graphs::instance().find(handle);
  if (child == nullptr) return Error::invalid_value;
  return add_node(place, [&](Graph& graph, std::vector<GraphNode*> dependencies, GraphNode*& node) {
    return add_child(graph, std::move(dependencies), *child, moves, node);
  });
}

Error add_conditional_node(const NodePlace& place, std::uint64_t handle, int type, unsigned size,
                           Graph**& bodies) {
  return add_node(place, [&](Graph& graph, std::vector<GraphNode*> dependencies, GraphNode*& node) {
    const Error error = add_conditional(graph, std::move(dependencies), handle,
                                        static_cast<ConditionType>(type), size, node);
    if (error == Error::success) bodies = node->inner_handles.data();
    return error;
  });
}

namespace {

// Such nodes have their memory's graph: one that became part of another gets no more of them.
Error add_memory_node(const NodePlace& place, NodeKind kind, Work work, void* memory) {
  return add_node(place, [&](Graph& graph, std::vector<GraphNode*> dependencies, GraphNode*& node) {
    if (graph.owner != nullptr) return Error::not_supported;
    node = graph.add(kind, std::move(work), std::move(dependencies));
    node->memory = memory;
    return Error::success;
  });
}

}  // namespace

Error add_allocation_node(const NodePlace& place, std::size_t size, void*& pointer) {
  const Error error = GraphMemory::instance().reserve(size, pointer);
  if (error != Error::success) return error;
  return add_memory_node(place, NodeKind::memory_allocation, allocation_work(pointer), pointer);
}

Error add_free_node(const NodePlace& place, const char* call, void* pointer) {
  const Graph* graph = Graphs::instance().find(place.graph);
  if (graph == nullptr) return Error::invalid_value;
  const Error error = check_may_free(*graph, call, pointer);
  if (error != Error::success) return error;
  return add_memory_node(place, NodeKind::memory_free, free_work(pointer), pointer);
}

Error find_node(const void* handle, NodeKind kind, GraphNode*& node) {
  node = Graphs::instance().find_node(handle);
  return node != nullptr && node->kind == kind ? Error::success : Error::invalid_value;
}

namespace {

Error find_node(const void* executable_handle, const void* handle, OrderedNode*& node) {
  ExecutableGraph* executable = Graphs::instance().executables.find(executable_handle);
  if (executable == nullptr || handle == nullptr) return Error::invalid_value;
  node = executable->find(static_cast<const GraphNode*>(handle));
  return node != nullptr ? Error::success : Error::invalid_value;
}

}  // namespace

Error find_node(const void* executable, const void* handle, NodeKind kind, OrderedNode*& node) {
  const Error error = find_node(executable, handle, node);
  if (error != Error::success) return error;
  return node->kind == kind ? Error::success : Error::invalid_value;
}

Error set_parameters(const void* handle, NodeKind kind, AnyParameters parameters) {
  GraphNode* node = nullptr;
  const Error error = find_node(handle, kind, node);
  if (error == Error::success) give(*node, std::move(parameters));
  return error;
}

Error set_parameters(const void* executable, const void* handle, NodeKind kind,
                     const AnyParameters& parameters) {
  OrderedNode* node = nullptr;
  const Error error = find_node(executable, handle, kind, node);
  if (error == Error::success) node->work = work_of(kind, parameters);
  return error;
}

Error get_kernel_attribute(const void* handle, int id, void* value) {
  GraphNode* node = nullptr;
  if (any_null(value)) return Error::invalid_value;
  if (find_node(handle, NodeKind::kernel, node) != Error::success) return Error::invalid_value;
  LaunchAttribute attribute{id, 0, {}};
  const Error error = get_attribute(*node, attribute);
  if (error == Error::success) std::memcpy(value, &attribute.value, sizeof attribute.value);
  return error;
}

Error set_kernel_attribute(const void* handle, int id, const void* value) {
  GraphNode* node = nullptr;
  if (any_null(value)) return Error::invalid_value;
  if (find_node(handle, NodeKind::kernel, node) != Error::success) return Error::invalid_value;
  LaunchAttribute attribute{id, 0, {}};
  std::memcpy(&attribute.value, value, sizeof attribute.value);
  return set_attribute(*node, attribute);
}

Error copy_kernel_attributes(const void* destination, const void* source) {
  GraphNode* from = nullptr;
  GraphNode* to = nullptr;
  const bool are_kernels = find_node(source, NodeKind::kernel, from) == Error::success &&
                           find_node(destination, NodeKind::kernel, to) == Error::success;
  return are_kernels ? copy_attributes(*to, *from) : Error::invalid_value;
}

Error child_of(const void* handle, Graph*& child) {
  GraphNode* node = nullptr;
  const Error error = find_node(handle, NodeKind::graph, node);
  if (error == Error::success) child = node->inner_handles.front();
  return error;
}

Error set_child(const void* executable, const void* handle, const void* child_handle) {
  const Graph* child = Graphs::instance().find(child_handle);
  OrderedNode* node = nullptr;
  const Error error = find_node(executable, handle, NodeKind::graph, node);
  if (error != Error::success || child == nullptr) return Error::invalid_value;
  return update_child(*node, *child);
}

namespace {

bool can_be_switched_off(NodeKind kind) {
  return kind == NodeKind::kernel || kind == NodeKind::memcpy || kind == NodeKind::memset;
}

}  // namespace

Error set_enabled(const void* executable, const void* handle, bool enabled) {
  OrderedNode* node = nullptr;
  const Error error = find_node(executable, handle, node);
  if (error != Error::success || !can_be_switched_off(node->kind)) return Error::invalid_value;
  node->enabled = enabled;
  return Error::success;
}

Error get_enabled(const void* executable, const void* handle, unsigned* enabled) {
  OrderedNode* node = nullptr;
  if (any_null(enabled)) return Error::invalid_value;
  const Error error = find_node(executable, handle, node);
  if (error != Error::success || !can_be_switched_off(node->kind)) return Error::invalid_value;
  *enabled = node->enabled ? 1 : 0;
  return Error::success;
}

Error destroy_node(const void* handle) {
  const GraphNode* node = Graphs::instance().find_node(handle);
  if (node == nullptr) return Error::invalid_value;
  if (node->graph->has_memory_nodes()) return Error::not_supported;
  node->graph->remove(node);
  return Error::success;
}

Error get_event(const void* handle, NodeKind kind, void** event) {
  if (any_null(event)) return Error::invalid_value;
  GraphNode* node = nullptr;
  if (find_node(handle, kind, node) != Error::success) return Error::invalid_value;
  const auto* known = parameters_of<Event*>(*node);
  if (known == nullptr) return Error::invalid_value;
  *event = *known;
  return Error::success;
}

Error find_event(const void* handle, AnyParameters& parameters) {
  Event* event = Events::instance().events.find(handle);
  if (event == nullptr) return Error::invalid_value;
  parameters = event;
  return Error::success;
}

Error clone_graph(const void* original, Graph*& copy) {
  const Graph* graph = Graphs::instance().find(original);
  if (graph == nullptr) return Error::invalid_value;
  std::unique_ptr<Graph> made;
  const Error error = clone(*graph, made);
  if (error == Error::success) copy = Graphs::instance().graphs.add(std::move(made));
  return error;
}

Error find_in_clone(const void* original, const void* copy, NodeHandles node) {
  if (any_null(node)) return Error::invalid_value;
  const Graph* graph = Graphs::instance().find(copy);
  if (graph == nullptr) return Error::invalid_value;
  GraphNode* const found = find_in_clone(*graph, static_cast<const GraphNode*>(original));
  if (found == nullptr) return Error::invalid_value;
  *node = found;
  return Error::success;
}

}  // namespace tmaemu::runtime
