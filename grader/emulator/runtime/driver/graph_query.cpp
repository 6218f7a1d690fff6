// CUDA Driver API, "Graph Management": what nodes there are, and what they do.
#include <cuda.h>

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
  return call([&] { return get_parameters<Parameters>(handle, kind, result); });
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
  return call([&] { return find_in_clone(original, copy, node_list(node)); });
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

CUresult cuGraphKernelNodeGetAttribute(CUgraphNode node, CUlaunchAttributeID id,
                                       CUlaunchAttributeValue* value) {
  return call([&] { return get_kernel_attribute(node, id, value); });
}

CUresult cuGraphKernelNodeSetAttribute(CUgraphNode node, CUlaunchAttributeID id,
                                       const CUlaunchAttributeValue* value) {
  return call([&] { return set_kernel_attribute(node, id, value); });
}

CUresult cuGraphKernelNodeCopyAttributes(CUgraphNode destination, CUgraphNode source) {
  return call([&] { return copy_kernel_attributes(destination, source); });
}

CUresult cuGraphNodeGetEnabled(CUgraphExec executable, CUgraphNode node, unsigned* is_enabled) {
  return call([&] { return get_enabled(executable, node, is_enabled); });
}

// The flags say how much to tell of a node; its kind and name are told always.
CUresult cuGraphDebugDotPrint(CUgraph graph, const char* path, unsigned) {
  return call([&] { return print_dot(graph, path); });
}

}  // extern "C"
