// Nodes of any kind, by one structure: cudaGraphNodeParams and CUgraphNodeParams have the same
// members, and equal values mean the same. What is particular to an API, parameters_from() for the
// structures inside, is looked up where it calls these.
#pragma once

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <string>

#include "emulator/runtime/state/graph_calls.h"

namespace tmaemu::runtime {

// Equal to the enumerators of both APIs.
inline constexpr int pinned_allocation = 1;
inline constexpr int device_location = 1;
inline constexpr int no_handle = 0;
inline constexpr int cloned_child = 0;
inline constexpr int moved_child = 1;
inline constexpr int external_semaphore_signal = 8;
inline constexpr int external_semaphore_wait = 9;
inline constexpr int batch_of_memory_operations = 12;

// `given`: cudaMemAllocNodeParams, CUDA_MEM_ALLOC_NODE_PARAMS, or a later version of them.
template <class Parameters>
Error add_allocation(const NodePlace& place, Parameters* given) {
  if (any_null(given)) return Error::invalid_value;
  const auto& pool = given->poolProps;
  if (pool.allocType != pinned_allocation || pool.location.type != device_location ||
      pool.handleTypes != no_handle) {
    return not_modeled("a graph's memory that is not the device's own");
  }
  if (pool.location.id != 0) return Error::invalid_value;  // there is one device
  void* pointer = nullptr;
  const Error error = add_allocation_node(place, given->bytesize, pointer);
  if (pointer != nullptr) given->dptr = reinterpret_cast<decltype(given->dptr)>(pointer);
  return error;
}

namespace any_node_detail {

// What must be zero so that it can mean something one day.
template <class Any>
bool has_zeros(const Any& given) {
  const auto is_zero = [](int value) { return value == 0; };
  return std::all_of(std::begin(given.reserved0), std::end(given.reserved0), is_zero) &&
         given.reserved2 == 0;
}

template <class Any>
NodeKind kind_of(const Any& given) {
  return static_cast<NodeKind>(given.type);
}

// Of the kinds that have such: of others invalid_value.
template <class Any>
Error parameters_of_any(const Any& given, AnyParameters& result) {
  switch (kind_of(given)) {
    case NodeKind::kernel:
      return parameters_from(&given.kernel, result);
    case NodeKind::memcpy:
      return given.memcpy.flags != 0 ? Error::invalid_value
                                     : parameters_from(&given.memcpy.copyParams, result);
    case NodeKind::memset:
      return parameters_from(&given.memset, result);
    case NodeKind::host:
      return parameters_from(&given.host, result);
    case NodeKind::wait_event:
      return find_event(given.eventWait.event, result);
    case NodeKind::event_record:
      return find_event(given.eventRecord.event, result);
    default:
      return Error::invalid_value;
  }
}

template <class Parameters>
Error add_conditional(const NodePlace& place, Parameters& given) {
  Graph** bodies = nullptr;
  const Error error = add_conditional_node(place, given.handle, given.type, given.size, bodies);
  if (error == Error::success) {
    given.phGraph_out = reinterpret_cast<decltype(given.phGraph_out)>(bodies);
  }
  return error;
}

template <class Parameters>
Error add_child(const NodePlace& place, const Parameters& given) {
  const int ownership = given.ownership;
  if (ownership != cloned_child && ownership != moved_child) return Error::invalid_value;
  return add_child_node(place, given.graph, ownership == moved_child);
}

}  // namespace any_node_detail

// `call`: its name, for who reads what is refused.
template <class Any>
Error add_any_node(const NodePlace& place, const std::string& call, Any* given) {
  using namespace any_node_detail;
  if (any_null(given)) return Error::invalid_value;
  if (!has_zeros(*given)) return Error::invalid_value;
  switch (static_cast<int>(given->type)) {
    case external_semaphore_signal:
    case external_semaphore_wait:
      return not_modeled(call + " with an external semaphore");
    case batch_of_memory_operations:
      if constexpr (requires { given->memOp; }) {
        return not_modeled(call + " with memory operations (CU_GRAPH_NODE_TYPE_BATCH_MEM_OP)");
      }
      return Error::invalid_value;
    default:
      break;
  }
  switch (kind_of(*given)) {
    case NodeKind::empty:
      return add_empty_node(place);
    case NodeKind::graph:
      return add_child(place, given->graph);
    case NodeKind::conditional:
      return add_conditional(place, given->conditional);
    case NodeKind::memory_allocation:
      return add_allocation(place, &given->alloc);
    case NodeKind::memory_free:
      return add_free_node(place, call.c_str(), reinterpret_cast<void*>(given->free.dptr));
    default:
      return add_working_node(place, kind_of(*given), [&](AnyParameters& result) {
        return parameters_of_any(*given, result);
      });
  }
}

template <class Any>
Error set_any_parameters(const void* node, const Any* given) {
  using namespace any_node_detail;
  if (any_null(given)) return Error::invalid_value;
  if (!has_zeros(*given)) return Error::invalid_value;
  return set_parameters(node, kind_of(*given),
                        [&](AnyParameters& result) { return parameters_of_any(*given, result); });
}

template <class Any>
Error set_any_parameters(const void* executable, const void* node, const Any* given) {
  using namespace any_node_detail;
  if (any_null(given)) return Error::invalid_value;
  if (!has_zeros(*given)) return Error::invalid_value;
  if (kind_of(*given) == NodeKind::graph) return set_child(executable, node, given->graph.graph);
  return set_parameters(executable, node, kind_of(*given),
                        [&](AnyParameters& result) { return parameters_of_any(*given, result); });
}

}  // namespace tmaemu::runtime
