// CUDA Runtime API, "Graph Management": other parameters for what nodes do, in graphs and in
// executable graphs. Launches that have been submitted keep what they had.
#include <cuda_runtime_api.h>

#include "emulator/runtime/cudart/call.h"
#include "emulator/runtime/cudart/graph_parameters.h"
#include "emulator/runtime/cudart/symbol_copy.h"
#include "emulator/runtime/state/graph_calls.h"

using namespace tmaemu::runtime;

namespace {

// Gives a graph's node of the kind what `make(parameters)` makes.
template <class Make>
cudaError_t set_in_graph(cudaGraphNode_t node, NodeKind kind, Make&& make) {
  return call([&] { return set_parameters(node, kind, make); });
}

// The same of the node of an executable graph that was made from this one, which stays as it is.
template <class Make>
cudaError_t set_in_executable(cudaGraphExec_t executable, cudaGraphNode_t node, NodeKind kind,
                              Make&& make) {
  return call([&] { return set_parameters(executable, node, kind, make); });
}

}  // namespace

extern "C" {

cudaError_t cudaGraphKernelNodeSetParams(cudaGraphNode_t node, const cudaKernelNodeParams* given) {
  return set_in_graph(node, NodeKind::kernel,
                      [&](AnyParameters& result) { return parameters_from(given, result); });
}

cudaError_t cudaGraphMemcpyNodeSetParams(cudaGraphNode_t node, const cudaMemcpy3DParms* given) {
  return set_in_graph(node, NodeKind::memcpy,
                      [&](AnyParameters& result) { return parameters_from(given, result); });
}

cudaError_t cudaGraphMemcpyNodeSetParams1D(cudaGraphNode_t node, void* destination,
                                           const void* source, size_t size, cudaMemcpyKind kind) {
  return set_in_graph(node, NodeKind::memcpy, [&](AnyParameters& result) {
    return linear_parameters(destination, source, size, kind, result);
  });
}

cudaError_t cudaGraphMemcpyNodeSetParamsToSymbol(cudaGraphNode_t node, const void* symbol,
                                                 const void* source, size_t size, size_t offset,
                                                 cudaMemcpyKind kind) {
  return set_in_graph(node, NodeKind::memcpy, [&](AnyParameters& result) {
    return copy_to("memcpy node", symbol, source, size, offset, kind,
                   result.emplace<CopyRequest>());
  });
}

cudaError_t cudaGraphMemcpyNodeSetParamsFromSymbol(cudaGraphNode_t node, void* destination,
                                                   const void* symbol, size_t size, size_t offset,
                                                   cudaMemcpyKind kind) {
  return set_in_graph(node, NodeKind::memcpy, [&](AnyParameters& result) {
    return copy_from("memcpy node", destination, symbol, size, offset, kind,
                     result.emplace<CopyRequest>());
  });
}

cudaError_t cudaGraphMemsetNodeSetParams(cudaGraphNode_t node, const cudaMemsetParams* given) {
  return set_in_graph(node, NodeKind::memset,
                      [&](AnyParameters& result) { return parameters_from(given, result); });
}

cudaError_t cudaGraphHostNodeSetParams(cudaGraphNode_t node, const cudaHostNodeParams* given) {
  return set_in_graph(node, NodeKind::host,
                      [&](AnyParameters& result) { return parameters_from(given, result); });
}

cudaError_t cudaGraphEventRecordNodeSetEvent(cudaGraphNode_t node, cudaEvent_t event) {
  return set_in_graph(node, NodeKind::event_record,
                      [&](AnyParameters& result) { return find_event(event, result); });
}

cudaError_t cudaGraphEventWaitNodeSetEvent(cudaGraphNode_t node, cudaEvent_t event) {
  return set_in_graph(node, NodeKind::wait_event,
                      [&](AnyParameters& result) { return find_event(event, result); });
}

cudaError_t cudaGraphExecKernelNodeSetParams(cudaGraphExec_t executable, cudaGraphNode_t node,
                                             const cudaKernelNodeParams* given) {
  return set_in_executable(executable, node, NodeKind::kernel,
                           [&](AnyParameters& result) { return parameters_from(given, result); });
}

cudaError_t cudaGraphExecMemcpyNodeSetParams(cudaGraphExec_t executable, cudaGraphNode_t node,
                                             const cudaMemcpy3DParms* given) {
  return set_in_executable(executable, node, NodeKind::memcpy,
                           [&](AnyParameters& result) { return parameters_from(given, result); });
}

cudaError_t cudaGraphExecMemcpyNodeSetParams1D(cudaGraphExec_t executable, cudaGraphNode_t node,
                                               void* destination, const void* source, size_t size,
                                               cudaMemcpyKind kind) {
  return set_in_executable(executable, node, NodeKind::memcpy, [&](AnyParameters& result) {
    return linear_parameters(destination, source, size, kind, result);
  });
}

cudaError_t cudaGraphExecMemcpyNodeSetParamsToSymbol(cudaGraphExec_t executable,
                                                     cudaGraphNode_t node, const void* symbol,
                                                     const void* source, size_t size, size_t offset,
                                                     cudaMemcpyKind kind) {
  return set_in_executable(executable, node, NodeKind::memcpy, [&](AnyParameters& result) {
    return copy_to("memcpy node", symbol, source, size, offset, kind,
                   result.emplace<CopyRequest>());
  });
}

cudaError_t cudaGraphExecMemcpyNodeSetParamsFromSymbol(cudaGraphExec_t executable,
                                                       cudaGraphNode_t node, void* destination,
                                                       const void* symbol, size_t size,
                                                       size_t offset, cudaMemcpyKind kind) {
  return set_in_executable(executable, node, NodeKind::memcpy, [&](AnyParameters& result) {
    return copy_from("memcpy node", destination, symbol, size, offset, kind,
                     result.emplace<CopyRequest>());
  });
}

cudaError_t cudaGraphExecMemsetNodeSetParams(cudaGraphExec_t executable, cudaGraphNode_t node,
                                             const cudaMemsetParams* given) {
  return set_in_executable(executable, node, NodeKind::memset,
                           [&](AnyParameters& result) { return parameters_from(given, result); });
}

cudaError_t cudaGraphExecHostNodeSetParams(cudaGraphExec_t executable, cudaGraphNode_t node,
                                           const cudaHostNodeParams* given) {
  return set_in_executable(executable, node, NodeKind::host,
                           [&](AnyParameters& result) { return parameters_from(given, result); });
}

cudaError_t cudaGraphExecEventRecordNodeSetEvent(cudaGraphExec_t executable, cudaGraphNode_t node,
                                                 cudaEvent_t event) {
  return set_in_executable(executable, node, NodeKind::event_record,
                           [&](AnyParameters& result) { return find_event(event, result); });
}

cudaError_t cudaGraphExecEventWaitNodeSetEvent(cudaGraphExec_t executable, cudaGraphNode_t node,
                                               cudaEvent_t event) {
  return set_in_executable(executable, node, NodeKind::wait_event,
                           [&](AnyParameters& result) { return find_event(event, result); });
}

cudaError_t cudaGraphExecChildGraphNodeSetParams(cudaGraphExec_t executable, cudaGraphNode_t node,
                                                 cudaGraph_t child) {
  return call([&] { return set_child(executable, node, child); });
}

cudaError_t cudaGraphNodeSetEnabled(cudaGraphExec_t executable, cudaGraphNode_t node,
                                    unsigned is_enabled) {
  return call([&] { return set_enabled(executable, node, is_enabled != 0); });
}

cudaError_t cudaGraphExecUpdate(cudaGraphExec_t handle, cudaGraph_t graph_handle,
                                cudaGraphExecUpdateResultInfo* info) {
  return call([&] { return update(handle, graph_handle, info); });
}

}  // extern "C"
