// cudaGraphNodeParams: one structure for nodes of every kind. The calls that take it differ between
// CUDA 12 and 13 in whether they take edge data, too.
#pragma once

#include <driver_types.h>

#include "emulator/runtime/cudart/call.h"
#include "emulator/runtime/state/graph_calls.h"

namespace tmaemu::runtime {

Error add_any_node(const NodePlace& place, cudaGraphNodeParams* parameters);

// `given` gets the address. Of either version: they have the same members.
template <class Parameters>
Error add_allocation(const NodePlace& place, Parameters* given) {
  if (any_null(given)) return Error::invalid_value;
  const cudaMemPoolProps& pool = given->poolProps;
  const bool on_device = pool.allocType == cudaMemAllocationTypePinned &&
                         pool.location.type == cudaMemLocationTypeDevice;
  if (!on_device || pool.handleTypes != cudaMemHandleTypeNone) {
    return not_modeled("a graph's memory that is not the device's own");
  }
  if (pool.location.id != the_device) return Error::invalid_value;
  void* pointer = nullptr;
  const Error error = add_allocation_node(place, given->bytesize, pointer);
  if (pointer != nullptr) given->dptr = pointer;
  return error;
}

}  // namespace tmaemu::runtime
