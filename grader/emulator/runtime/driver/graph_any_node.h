// CUgraphNodeParams: one structure for nodes of every kind.
#pragma once

#include <cuda.h>

#include "emulator/runtime/driver/call.h"
#include "emulator/runtime/state/graph_calls.h"

namespace tmaemu::runtime {

Error add_any_node(const NodePlace& place, CUgraphNodeParams* parameters);

// `given` gets the address. Of either version: they have the same members.
template <class Parameters>
Error add_allocation(const NodePlace& place, Parameters* given) {
  if (any_null(given)) return Error::invalid_value;
  const CUmemPoolProps& pool = given->poolProps;
  const bool on_device = pool.allocType == CU_MEM_ALLOCATION_TYPE_PINNED &&
                         pool.location.type == CU_MEM_LOCATION_TYPE_DEVICE;
  if (!on_device || pool.handleTypes != CU_MEM_HANDLE_TYPE_NONE) {
    return not_modeled("a graph's memory that is not the device's own");
  }
  if (pool.location.id != the_device) return Error::invalid_value;
  void* pointer = nullptr;
  const Error error = add_allocation_node(place, given->bytesize, pointer);
  if (pointer != nullptr) given->dptr = reinterpret_cast<CUdeviceptr>(pointer);
  return error;
}

}  // namespace tmaemu::runtime
