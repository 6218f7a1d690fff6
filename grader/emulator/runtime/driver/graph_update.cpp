// CUDA Driver API, "Graph Management": other parameters for what nodes do, in graphs and in
// executable graphs. Launches that have been submitted keep what they had.
#include <cuda.h>

#include "emulator/runtime/driver/call.h"
#include "emulator/runtime/driver/graph_parameters.h"
#include "emulator/runtime/state/graph_calls.h"

using namespace tmaemu::runtime;

namespace {

// Gives a graph's node of the kind what `make(parameters)` makes.
template <class Make>
CUresult set_in_graph(CUgraphNode node, NodeKind kind, Make&& make) {
  return call([&] { return set_parameters(node, kind, make); });
}

// The same of the node of an executable graph that was made from this one, which stays as it is.
template <class Make>
CUresult set_in_executable(CUgraphExec executable, CUgraphNode node, NodeKind kind, Make&& make) {
  return call([&] { return set_parameters(executable, node, kind, make); });
}

}  // namespace

extern "C" {

CUresult cuGraphKernelNodeSetParams_v2(CUgraphNode node, const CUDA_KERNEL_NODE_PARAMS_v2* given) {
  return set_in_graph(node, NodeKind::kernel,
                      [&](AnyParameters& result) { return parameters_from(given, result); });
}

CUresult cuGraphMemcpyNodeSetParams(CUgraphNode node, const CUDA_MEMCPY3D* given) {
  return set_in_graph(node, NodeKind::memcpy,
                      [&](AnyParameters& result) { return parameters_from(given, result); });
}

CUresult cuGraphMemsetNodeSetParams(CUgraphNode node, const CUDA_MEMSET_NODE_PARAMS* given) {
  return set_in_graph(node, NodeKind::memset,
                      [&](AnyParameters& result) { return parameters_from(given, result); });
}

CUresult cuGraphHostNodeSetParams(CUgraphNode node, const CUDA_HOST_NODE_PARAMS* given) {
  return set_in_graph(node, NodeKind::host,
                      [&](AnyParameters& result) { return parameters_from(given, result); });
}

CUresult cuGraphEventRecordNodeSetEvent(CUgraphNode node, CUevent event) {
  return set_in_graph(node, NodeKind::event_record,
                      [&](AnyParameters& result) { return find_event(event, result); });
}

CUresult cuGraphEventWaitNodeSetEvent(CUgraphNode node, CUevent event) {
  return set_in_graph(node, NodeKind::wait_event,
                      [&](AnyParameters& result) { return find_event(event, result); });
}

CUresult cuGraphExecKernelNodeSetParams_v2(CUgraphExec executable, CUgraphNode node,
                                           const CUDA_KERNEL_NODE_PARAMS_v2* given) {
  return set_in_executable(executable, node, NodeKind::kernel,
                           [&](AnyParameters& result) { return parameters_from(given, result); });
}

CUresult cuGraphExecMemcpyNodeSetParams(CUgraphExec executable, CUgraphNode node,
                                        const CUDA_MEMCPY3D* given, CUcontext) {
  return set_in_executable(executable, node, NodeKind::memcpy,
                           [&](AnyParameters& result) { return parameters_from(given, result); });
}

CUresult cuGraphExecMemsetNodeSetParams(CUgraphExec executable, CUgraphNode node,
                                        const CUDA_MEMSET_NODE_PARAMS* given, CUcontext) {
  return set_in_executable(executable, node, NodeKind::memset,
                           [&](AnyParameters& result) { return parameters_from(given, result); });
}

CUresult cuGraphExecHostNodeSetParams(CUgraphExec executable, CUgraphNode node,
                                      const CUDA_HOST_NODE_PARAMS* given) {
  return set_in_executable(executable, node, NodeKind::host,
                           [&](AnyParameters& result) { return parameters_from(given, result); });
}

CUresult cuGraphExecEventRecordNodeSetEvent(CUgraphExec executable, CUgraphNode node,
                                            CUevent event) {
  return set_in_executable(executable, node, NodeKind::event_record,
                           [&](AnyParameters& result) { return find_event(event, result); });
}

CUresult cuGraphExecEventWaitNodeSetEvent(CUgraphExec executable, CUgraphNode node, CUevent event) {
  return set_in_executable(executable, node, NodeKind::wait_event,
                           [&](AnyParameters& result) { return find_event(event, result); });
}

CUresult cuGraphExecChildGraphNodeSetParams(CUgraphExec executable, CUgraphNode node,
                                            CUgraph child) {
  return call([&] { return set_child(executable, node, child); });
}

CUresult cuGraphNodeSetEnabled(CUgraphExec executable, CUgraphNode node, unsigned is_enabled) {
  return call([&] { return set_enabled(executable, node, is_enabled != 0); });
}

CUresult cuGraphExecUpdate_v2(CUgraphExec handle, CUgraph graph_handle,
                              CUgraphExecUpdateResultInfo* info) {
  return call([&] { return update(handle, graph_handle, info); });
}

}  // extern "C"
