// CUDA Driver API, "Graph Management": what nodes there are, and what they do.
#include <cuda.h>

#include <cstring>

#include "emulator/runtime/driver/call.h"
#include "emulator/runtime/driver/graph_parameters.h"
#include "emulator/runtime/state/graph_calls.h"
#include "emulator/runtime/state/graph_dot.h"

using namespace tmaemu::runtime;

static_assert(sizeof(LaunchAttribute::value) == sizeof(CUlaunchAttributeValue));

namespace {

// Tells what a node does that has parameters of this type.
template <class Parameters, class Result>
CUresult get(CUgraphNode handle, NodeKind kind, Result* result) {
  return call([&] {
    GraphNode* node = nullptr;
    if (any_null(result)) return Error::invalid_value;
    if (find_node(handle, kind, node) != Error::success) return Error::invalid_value;
    const auto* known = parameters_of<Parameters>(*node);
    if (known == nullptr) return not_modeled("the parameters of what a library has captured");
    tell(*node, *known, *result);
    return Error::success;
  });
}

CUresult get_event_of(CUgraphNode node, NodeKind kind, CUevent* event) {
  return call([&] { return get_event(node, kind, reinterpret_cast<void**>(event)); });
}

}  // namespace

extern "C" {

CUresult cuGraphNodeGetType(CUgraphNode handle, CUgraphNodeType* type) {
  return call([&] {
    const GraphNode* node = Graphs::instance().find_node(handle);
    if (node == nullptr || any_null(type)) return Error::invalid_value;
    *type = static_cast<CUgraphNodeType>(node->kind);
    return Error::success;
  });
}

CUresult cuGraphGetNodes(CUgraph graph, CUgraphNode* nodes, size_t* count) {
  return call([&] { return get_nodes(graph, node_list(nodes), count); });
}

CUresult cuGraphGetRootNodes(CUgraph graph, CUgraphNode* nodes, size_t* count) {
  return call([&] { return get_root_nodes(graph, node_list(nodes), count); });
}

CUresult cuGraphNodeFindInClone(CUgraphNode* node, CUgraphNode original, CUgraph copy) {
  return call([&] {
    if (any_null(node)) return Error::invalid_value;
    GraphNode* found = nullptr;
    const Error error = find_in_clone(original, copy, found);
    if (error == Error::success) *node_list(node) = found;
    return error;
  });
}

CUresult cuGraphKernelNodeGetParams_v2(CUgraphNode node, CUDA_KERNEL_NODE_PARAMS_v2* result) {
  return get<KernelNode>(node, NodeKind::kernel, result);
}

CUresult cuGraphMemcpyNodeGetParams(CUgraphNode node, CUDA_MEMCPY3D* result) {
  return get<CopyRequest>(node, NodeKind::memcpy, result);
}

CUresult cuGraphMemsetNodeGetParams(CUgraphNode node, CUDA_MEMSET_NODE_PARAMS* result) {
  return get<FillRequest>(node, NodeKind::memset, result);
}

CUresult cuGraphHostNodeGetParams(CUgraphNode node, CUDA_HOST_NODE_PARAMS* result) {
  return get<HostNode>(node, NodeKind::host, result);
}

CUresult cuGraphEventRecordNodeGetEvent(CUgraphNode node, CUevent* event) {
  return get_event_of(node, NodeKind::event_record, event);
}

CUresult cuGraphEventWaitNodeGetEvent(CUgraphNode node, CUevent* event) {
  return get_event_of(node, NodeKind::wait_event, event);
}

CUresult cuGraphChildGraphNodeGetGraph(CUgraphNode node, CUgraph* graph) {
  return call([&] {
    if (any_null(graph)) return Error::invalid_value;
    Graph* child = nullptr;
    const Error error = child_of(node, child);
    if (error == Error::success) *graph = reinterpret_cast<CUgraph>(child);
    return error;
  });
}

CUresult cuGraphKernelNodeGetAttribute(CUgraphNode handle, CUlaunchAttributeID id,
                                       CUlaunchAttributeValue* value) {
  return call([&] {
    GraphNode* node = nullptr;
    if (any_null(value)) return Error::invalid_value;
    if (find_node(handle, NodeKind::kernel, node) != Error::success) return Error::invalid_value;
    LaunchAttribute attribute{id, 0, {}};
    const Error error = get_attribute(*node, attribute);
    if (error == Error::success) std::memcpy(value, attribute.value.bytes, sizeof *value);
    return error;
  });
}

CUresult cuGraphKernelNodeSetAttribute(CUgraphNode handle, CUlaunchAttributeID id,
                                       const CUlaunchAttributeValue* value) {
  return call([&] {
    GraphNode* node = nullptr;
    if (any_null(value)) return Error::invalid_value;
    if (find_node(handle, NodeKind::kernel, node) != Error::success) return Error::invalid_value;
    LaunchAttribute attribute{id, 0, {}};
    std::memcpy(attribute.value.bytes, value, sizeof *value);
    return set_attribute(*node, attribute);
  });
}

CUresult cuGraphKernelNodeCopyAttributes(CUgraphNode destination, CUgraphNode source) {
  return call([&] {
    GraphNode* from = nullptr;
    GraphNode* to = nullptr;
    const bool are_kernels = find_node(source, NodeKind::kernel, from) == Error::success &&
                             find_node(destination, NodeKind::kernel, to) == Error::success;
    return are_kernels ? copy_attributes(*to, *from) : Error::invalid_value;
  });
}

CUresult cuGraphNodeGetEnabled(CUgraphExec executable, CUgraphNode node, unsigned* is_enabled) {
  return call([&] {
    if (any_null(is_enabled)) return Error::invalid_value;
    bool enabled = false;
    const Error error = get_enabled(executable, node, enabled);
    if (error == Error::success) *is_enabled = enabled ? 1 : 0;
    return error;
  });
}

// The flags say how much to tell of a node; its kind and name are told always.
CUresult cuGraphDebugDotPrint(CUgraph graph, const char* path, unsigned) {
  return call([&] { return print_dot(graph, path); });
}

}  // extern "C"
