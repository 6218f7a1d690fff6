#include "emulator/runtime/driver/graph_any_node.h"

#include <cuda.h>

#include <algorithm>
#include <iterator>

#include "emulator/runtime/driver/graph_parameters.h"

namespace tmaemu::runtime {
namespace {

// What must be zero so that it can mean something one day.
bool has_zeros(const CUgraphNodeParams& given) {
  const auto is_zero = [](int value) { return value == 0; };
  return std::all_of(std::begin(given.reserved0), std::end(given.reserved0), is_zero) &&
         given.reserved2 == 0;
}

// Of the kinds that have such: of others invalid_value.
Error parameters_from(const CUgraphNodeParams& given, AnyParameters& result) {
  switch (given.type) {
    case CU_GRAPH_NODE_TYPE_KERNEL:
      return parameters_from(&given.kernel, result);
    case CU_GRAPH_NODE_TYPE_MEMCPY:
      return given.memcpy.flags != 0 ? Error::invalid_value
                                     : parameters_from(&given.memcpy.copyParams, result);
    case CU_GRAPH_NODE_TYPE_MEMSET:
      return parameters_from(&given.memset, result);
    case CU_GRAPH_NODE_TYPE_HOST:
      return parameters_from(&given.host, result);
    case CU_GRAPH_NODE_TYPE_WAIT_EVENT:
      return find_event(given.eventWait.event, result);
    case CU_GRAPH_NODE_TYPE_EVENT_RECORD:
      return find_event(given.eventRecord.event, result);
    default:
      return Error::invalid_value;
  }
}

Error add_conditional(const NodePlace& place, CUDA_CONDITIONAL_NODE_PARAMS& given) {
  Graph** bodies = nullptr;
  const Error error = add_conditional_node(place, given.handle, given.type, given.size, bodies);
  if (error == Error::success) given.phGraph_out = reinterpret_cast<CUgraph*>(bodies);
  return error;
}

Error add_child(const NodePlace& place, const CUDA_CHILD_GRAPH_NODE_PARAMS& given) {
  switch (given.ownership) {
    case CU_GRAPH_CHILD_GRAPH_OWNERSHIP_CLONE:
      return add_child_node(place, given.graph, false);
    case CU_GRAPH_CHILD_GRAPH_OWNERSHIP_MOVE:
      return add_child_node(place, given.graph, true);
    default:
      return Error::invalid_value;
  }
}

}  // namespace

Error add_any_node(const NodePlace& place, CUgraphNodeParams* given) {
  if (any_null(given)) return Error::invalid_value;
  if (!has_zeros(*given)) return Error::invalid_value;
  switch (given->type) {
    case CU_GRAPH_NODE_TYPE_EMPTY:
      return add_empty_node(place);
    case CU_GRAPH_NODE_TYPE_GRAPH:
      return add_child(place, given->graph);
    case CU_GRAPH_NODE_TYPE_CONDITIONAL:
      return add_conditional(place, given->conditional);
    case CU_GRAPH_NODE_TYPE_MEM_ALLOC:
      return add_allocation(place, &given->alloc);
    case CU_GRAPH_NODE_TYPE_MEM_FREE:
      return add_free_node(place, "cuGraphAddNode", pointer_to(given->free.dptr));
    case CU_GRAPH_NODE_TYPE_EXT_SEMAS_SIGNAL:
    case CU_GRAPH_NODE_TYPE_EXT_SEMAS_WAIT:
      return not_modeled("cuGraphAddNode with an external semaphore");
    case CU_GRAPH_NODE_TYPE_BATCH_MEM_OP:
      return not_modeled("cuGraphAddNode with memory operations (CU_GRAPH_NODE_TYPE_BATCH_MEM_OP)");
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

CUresult cuGraphAddNode_v2(CUgraphNode* node, CUgraph graph, const CUgraphNode* dependencies,
                           const CUgraphEdgeData*, size_t count, CUgraphNodeParams* parameters) {
  return call([&] {
    return add_any_node({node_list(node), graph, node_list(dependencies), count}, parameters);
  });
}

CUresult cuGraphNodeSetParams(CUgraphNode node, CUgraphNodeParams* given) {
  return call([&] {
    if (any_null(given)) return Error::invalid_value;
    if (!has_zeros(*given)) return Error::invalid_value;
    AnyParameters parameters;
    const Error error = parameters_from(*given, parameters);
    if (error != Error::success) return error;
    return set_parameters(node, static_cast<NodeKind>(given->type), std::move(parameters));
  });
}

CUresult cuGraphExecNodeSetParams(CUgraphExec executable, CUgraphNode node,
                                  CUgraphNodeParams* given) {
  return call([&] {
    if (any_null(given)) return Error::invalid_value;
    if (!has_zeros(*given)) return Error::invalid_value;
    if (given->type == CU_GRAPH_NODE_TYPE_GRAPH) {
      return set_child(executable, node, given->graph.graph);
    }
    AnyParameters parameters;
    const Error error = parameters_from(*given, parameters);
    if (error != Error::success) return error;
    return set_parameters(executable, node, static_cast<NodeKind>(given->type), parameters);
  });
}

}  // extern "C"
