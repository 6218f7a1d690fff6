// CUDA Driver API, "Graph Management": nodes of any kind.
#include <cuda.h>

#include "emulator/runtime/driver/call.h"
#include "emulator/runtime/driver/graph_parameters.h"
#include "emulator/runtime/state/any_node.h"

using namespace tmaemu::runtime;

static_assert(pinned_allocation == CU_MEM_ALLOCATION_TYPE_PINNED);
static_assert(device_location == CU_MEM_LOCATION_TYPE_DEVICE);
static_assert(no_handle == CU_MEM_HANDLE_TYPE_NONE);
static_assert(cloned_child == CU_GRAPH_CHILD_GRAPH_OWNERSHIP_CLONE);
static_assert(moved_child == CU_GRAPH_CHILD_GRAPH_OWNERSHIP_MOVE);
static_assert(external_semaphore_signal == CU_GRAPH_NODE_TYPE_EXT_SEMAS_SIGNAL);
static_assert(external_semaphore_wait == CU_GRAPH_NODE_TYPE_EXT_SEMAS_WAIT);
static_assert(batch_of_memory_operations == CU_GRAPH_NODE_TYPE_BATCH_MEM_OP);

extern "C" {

CUresult cuGraphAddNode_v2(CUgraphNode* node, CUgraph graph, const CUgraphNode* dependencies,
                           const CUgraphEdgeData*, size_t count, CUgraphNodeParams* parameters) {
  return call([&] {
    return add_any_node({node_list(node), graph, node_list(dependencies), count}, "cuGraphAddNode",
                        parameters);
  });
}

CUresult cuGraphNodeSetParams(CUgraphNode node, CUgraphNodeParams* given) {
  return call([&] { return set_any_parameters(node, given); });
}

CUresult cuGraphExecNodeSetParams(CUgraphExec executable, CUgraphNode node,
                                  CUgraphNodeParams* given) {
  return call([&] { return set_any_parameters(executable, node, given); });
}

}  // extern "C"
