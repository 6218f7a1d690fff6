// CUDA Runtime API, "Graph Management": what nodes there are, and what they do.
#include <cuda_runtime_api.h>

#include "emulator/runtime/cudart/call.h"
#include "emulator/runtime/cudart/graph_parameters.h"
#include "emulator/runtime/state/graph_calls.h"
#include "emulator/runtime/state/graph_dot.h"

using namespace tmaemu::runtime;

static_assert(sizeof(LaunchAttribute::value) == sizeof(cudaLaunchAttributeValue));

namespace {

// Tells what a node does that has parameters of this type.
template <class Parameters, class Result>
cudaError_t get(cudaGraphNode_t handle, NodeKind kind, Result* result) {
  return call([&] { return get_parameters<Parameters>(handle, kind, result); });
}

cudaError_t get_event_of(cudaGraphNode_t node, NodeKind kind, cudaEvent_t* event) {
  return call([&] { return get_event(node, kind, reinterpret_cast<void**>(event)); });
}

}  // namespace

extern "C" {

cudaError_t cudaGraphNodeGetType(cudaGraphNode_t handle, cudaGraphNodeType* type) {
  return call([&] {
    const GraphNode* node = Graphs::instance().find_node(handle);
    if (node == nullptr || any_null(type)) return Error::invalid_value;
    *type = static_cast<cudaGraphNodeType>(node->kind);
    return Error::success;
  });
}

cudaError_t cudaGraphGetNodes(cudaGraph_t graph, cudaGraphNode_t* nodes, size_t* count) {
  return call([&] { return get_nodes(graph, node_list(nodes), count); });
}

cudaError_t cudaGraphGetRootNodes(cudaGraph_t graph, cudaGraphNode_t* nodes, size_t* count) {
  return call([&] { return get_root_nodes(graph, node_list(nodes), count); });
}

cudaError_t cudaGraphNodeFindInClone(cudaGraphNode_t* node, cudaGraphNode_t original,
                                     cudaGraph_t copy) {
  return call([&] { return find_in_clone(original, copy, node_list(node)); });
}

cudaError_t cudaGraphKernelNodeGetParams(cudaGraphNode_t node, cudaKernelNodeParams* result) {
  return get<KernelNode>(node, NodeKind::kernel, result);
}

cudaError_t cudaGraphMemcpyNodeGetParams(cudaGraphNode_t node, cudaMemcpy3DParms* result) {
  return get<CopyRequest>(node, NodeKind::memcpy, result);
}

cudaError_t cudaGraphMemsetNodeGetParams(cudaGraphNode_t node, cudaMemsetParams* result) {
  return get<FillRequest>(node, NodeKind::memset, result);
}

cudaError_t cudaGraphHostNodeGetParams(cudaGraphNode_t node, cudaHostNodeParams* result) {
  return get<HostNode>(node, NodeKind::host, result);
}

cudaError_t cudaGraphEventRecordNodeGetEvent(cudaGraphNode_t node, cudaEvent_t* event) {
  return get_event_of(node, NodeKind::event_record, event);
}

cudaError_t cudaGraphEventWaitNodeGetEvent(cudaGraphNode_t node, cudaEvent_t* event) {
  return get_event_of(node, NodeKind::wait_event, event);
}

cudaError_t cudaGraphChildGraphNodeGetGraph(cudaGraphNode_t node, cudaGraph_t* graph) {
  return call([&] {
    if (any_null(graph)) return Error::invalid_value;
    Graph* child = nullptr;
    const Error error = child_of(node, child);
    if (error == Error::success) *graph = reinterpret_cast<cudaGraph_t>(child);
    return error;
  });
}

cudaError_t cudaGraphKernelNodeGetAttribute(cudaGraphNode_t node, cudaLaunchAttributeID id,
                                            cudaLaunchAttributeValue* value) {
  return call([&] { return get_kernel_attribute(node, id, value); });
}

cudaError_t cudaGraphKernelNodeSetAttribute(cudaGraphNode_t node, cudaLaunchAttributeID id,
                                            const cudaLaunchAttributeValue* value) {
  return call([&] { return set_kernel_attribute(node, id, value); });
}

cudaError_t cudaGraphKernelNodeCopyAttributes(cudaGraphNode_t destination, cudaGraphNode_t source) {
  return call([&] { return copy_kernel_attributes(destination, source); });
}

cudaError_t cudaGraphNodeGetEnabled(cudaGraphExec_t executable, cudaGraphNode_t node,
                                    unsigned* is_enabled) {
  return call([&] { return get_enabled(executable, node, is_enabled); });
}

// The flags say how much to tell of a node; its kind and name are told always.
cudaError_t cudaGraphDebugDotPrint(cudaGraph_t graph, const char* path, unsigned) {
  return call([&] { return print_dot(graph, path); });
}

}  // extern "C"
