#include "emulator/runtime/cudart/graph_any_node.h"

#include <cuda_runtime_api.h>

#include "emulator/runtime/cudart/call.h"
#include "emulator/runtime/cudart/graph_parameters.h"
#include "emulator/runtime/state/any_node.h"

namespace tmaemu::runtime {

static_assert(pinned_allocation == cudaMemAllocationTypePinned);
static_assert(device_location == cudaMemLocationTypeDevice && no_handle == cudaMemHandleTypeNone);
static_assert(cloned_child == cudaGraphChildGraphOwnershipClone);
static_assert(moved_child == cudaGraphChildGraphOwnershipMove);
static_assert(external_semaphore_signal == cudaGraphNodeTypeExtSemaphoreSignal);
static_assert(external_semaphore_wait == cudaGraphNodeTypeExtSemaphoreWait);

Error add_any_node(const NodePlace& place, cudaGraphNodeParams* parameters) {
  return add_any_node(place, "cudaGraphAddNode", parameters);
}

}  // namespace tmaemu::runtime

using namespace tmaemu::runtime;

extern "C" {

cudaError_t cudaGraphNodeSetParams(cudaGraphNode_t node, cudaGraphNodeParams* given) {
  return call([&] { return set_any_parameters(node, given); });
}

cudaError_t cudaGraphExecNodeSetParams(cudaGraphExec_t executable, cudaGraphNode_t node,
                                       cudaGraphNodeParams* given) {
  return call([&] { return set_any_parameters(executable, node, given); });
}

}  // extern "C"
