// CUDA Driver API, "Graph Management": nodes made one by one.
#include <cuda.h>

#include "emulator/runtime/driver/call.h"
#include "emulator/runtime/driver/graph_parameters.h"
#include "emulator/runtime/state/graph_calls.h"

using namespace tmaemu::runtime;

namespace {

// `make(parameters)` says what the node is to do.
template <class Make>
CUresult add_working(const NodePlace& place, NodeKind kind, Make&& make) {
  return call([&] { return add_working_node(place, kind, make); });
}

NodePlace place_of(CUgraphNode* node, CUgraph graph, const CUgraphNode* dependencies,
                   size_t count) {
  return {node_list(node), graph, node_list(dependencies), count};
}

}  // namespace

extern "C" {

CUresult cuGraphAddEmptyNode(CUgraphNode* node, CUgraph graph, const CUgraphNode* dependencies,
                             size_t count) {
  return call([&] { return add_empty_node(place_of(node, graph, dependencies, count)); });
}

CUresult cuGraphAddKernelNode_v2(CUgraphNode* node, CUgraph graph, const CUgraphNode* dependencies,
                                 size_t count, const CUDA_KERNEL_NODE_PARAMS_v2* given) {
  return add_working(place_of(node, graph, dependencies, count), NodeKind::kernel,
                     [&](AnyParameters& result) { return parameters_from(given, result); });
}

CUresult cuGraphAddMemcpyNode(CUgraphNode* node, CUgraph graph, const CUgraphNode* dependencies,
                              size_t count, const CUDA_MEMCPY3D* given, CUcontext) {
  return add_working(place_of(node, graph, dependencies, count), NodeKind::memcpy,
                     [&](AnyParameters& result) { return parameters_from(given, result); });
}

CUresult cuGraphAddMemsetNode(CUgraphNode* node, CUgraph graph, const CUgraphNode* dependencies,
                              size_t count, const CUDA_MEMSET_NODE_PARAMS* given, CUcontext) {
  return add_working(place_of(node, graph, dependencies, count), NodeKind::memset,
                     [&](AnyParameters& result) { return parameters_from(given, result); });
}

CUresult cuGraphAddHostNode(CUgraphNode* node, CUgraph graph, const CUgraphNode* dependencies,
                            size_t count, const CUDA_HOST_NODE_PARAMS* given) {
  return add_working(place_of(node, graph, dependencies, count), NodeKind::host,
                     [&](AnyParameters& result) { return parameters_from(given, result); });
}

CUresult cuGraphAddEventRecordNode(CUgraphNode* node, CUgraph graph,
                                   const CUgraphNode* dependencies, size_t count, CUevent event) {
  return add_working(place_of(node, graph, dependencies, count), NodeKind::event_record,
                     [&](AnyParameters& result) { return find_event(event, result); });
}

CUresult cuGraphAddEventWaitNode(CUgraphNode* node, CUgraph graph, const CUgraphNode* dependencies,
                                 size_t count, CUevent event) {
  return add_working(place_of(node, graph, dependencies, count), NodeKind::wait_event,
                     [&](AnyParameters& result) { return find_event(event, result); });
}

CUresult cuGraphAddChildGraphNode(CUgraphNode* node, CUgraph graph, const CUgraphNode* dependencies,
                                  size_t count, CUgraph child) {
  return call(
      [&] { return add_child_node(place_of(node, graph, dependencies, count), child, false); });
}

CUresult cuGraphDestroyNode(CUgraphNode node) {
  return call([&] { return destroy_node(node); });
}

}  // extern "C"
