#include "emulator/runtime/cudart/graph_any_node.h"

#include <cuda_runtime_api.h>

#include <algorithm>
#include <iterator>

#include "emulator/runtime/cudart/graph_parameters.h"

namespace tmaemu::runtime {
namespace {

// What must be zero so that it can mean something one day.
bool has_zeros(const cudaGraphNodeParams& given) {
  const auto is_zero = [](int value) { return value == 0; };
  return std::all_of(std::begin(given.reserved0), std::end(given.reserved0), is_zero) &&
         given.reserved2 == 0;
}

// Of the kinds that have such: of others invalid_value.
Error parameters_from(const cudaGraphNodeParams& given, AnyParameters& result) {
  switch (given.type) {
    case cudaGraphNodeTypeKernel:
      return parameters_from(&given.kernel, result);
    case cudaGraphNodeTypeMemcpy:
      return given.memcpy.flags != 0 ? Error::invalid_value
                                     : parameters_from(&given.memcpy.copyParams, result);
    case cudaGraphNodeTypeMemset:
      return parameters_from(&given.memset, result);
    case cudaGraphNodeTypeHost:
      return parameters_from(&given.host, result);
    case cudaGraphNodeTypeWaitEvent:
      return find_event(given.eventWait.event, result);
    case cudaGraphNodeTypeEventRecord:
      return find_event(given.eventRecord.event, result);
    default:
      return Error::invalid_value;
  }
}

Error add_conditional(const NodePlace& place, cudaConditionalNodeParams& given) {
  Graph** bodies = nullptr;
  const Error error = add_conditional_node(place, given.handle, given.type, given.size, bodies);
  if (error == Error::success) given.phGraph_out = reinterpret_cast<cudaGraph_t*>(bodies);
  return error;
}

Error add_child(const NodePlace& place, const cudaChildGraphNodeParams& given) {
  switch (given.ownership) {
    case cudaGraphChildGraphOwnershipClone:
      return add_child_node(place, given.graph, false);
    case cudaGraphChildGraphOwnershipMove:
      return add_child_node(place, given.graph, true);
    default:
      return Error::invalid_value;
  }
}

}  // namespace

Error add_any_node(const NodePlace& place, cudaGraphNodeParams* given) {
  if (any_null(given)) return Error::invalid_value;
  if (!has_zeros(*given)) return Error::invalid_value;
  switch (given->type) {
    case cudaGraphNodeTypeEmpty:
      return add_empty_node(place);
    case cudaGraphNodeTypeGraph:
      return add_child(place, given->graph);
    case cudaGraphNodeTypeConditional:
      return add_conditional(place, given->conditional);
    case cudaGraphNodeTypeMemAlloc:
      return add_allocation(place, &given->alloc);
    case cudaGraphNodeTypeMemFree:
      return add_free_node(place, "cudaGraphAddNode", given->free.dptr);
    case cudaGraphNodeTypeExtSemaphoreSignal:
    case cudaGraphNodeTypeExtSemaphoreWait:
      return not_modeled("cudaGraphAddNode with an external semaphore");
    default: {
      AnyParameters parameters;
      const Error error = parameters_from(*given, parameters);
      if (error != Error::success) return error;
      return add_working_node(place, static_cast<NodeKind>(given->type), std::move(parameters));
    }
  }
}

}  // namespace tmaemu::runtime

using namespace tmaemu::runtime;

extern "C" {

cudaError_t cudaGraphNodeSetParams(cudaGraphNode_t node, cudaGraphNodeParams* given) {
  return call([&] {
    if (any_null(given)) return Error::invalid_value;
    if (!has_zeros(*given)) return Error::invalid_value;
    AnyParameters parameters;
    const Error error = parameters_from(*given, parameters);
    if (error != Error::success) return error;
    return set_parameters(node, static_cast<NodeKind>(given->type), std::move(parameters));
  });
}

cudaError_t cudaGraphExecNodeSetParams(cudaGraphExec_t executable, cudaGraphNode_t node,
                                       cudaGraphNodeParams* given) {
  return call([&] {
    if (any_null(given)) return Error::invalid_value;
    if (!has_zeros(*given)) return Error::invalid_value;
    if (given->type == cudaGraphNodeTypeGraph) {
      return set_child(executable, node, given->graph.graph);
    }
    AnyParameters parameters;
    const Error error = parameters_from(*given, parameters);
    if (error != Error::success) return error;
    return set_parameters(executable, node, static_cast<NodeKind>(given->type), parameters);
  });
}

}  // extern "C"
