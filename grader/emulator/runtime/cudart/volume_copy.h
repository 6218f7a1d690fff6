// cudaMemcpy3DParms, which calls and graph nodes take.
#pragma once

#include <driver_types.h>

#include <cstddef>
#include <string>

#include "emulator/runtime/state/copy.h"

namespace tmaemu::runtime {

inline Rows rows_at(const cudaPitchedPtr& memory, const cudaPos& position) {
  const std::size_t slice = memory.pitch * memory.ysize;
  const std::size_t offset = position.z * slice + position.y * memory.pitch + position.x;
  return {static_cast<std::byte*>(memory.ptr) + offset, memory.pitch, slice};
}

inline Error volume_copy(const char* call, const cudaMemcpy3DParms& parameters,
                         CopyRequest& request) {
  if (parameters.srcArray != nullptr || parameters.dstArray != nullptr) {
    return not_modeled(std::string(call) + " with a CUDA array");
  }
  request = {call,
             rows_at(parameters.dstPtr, parameters.dstPos),
             rows_at(parameters.srcPtr, parameters.srcPos),
             {parameters.extent.width, parameters.extent.height, parameters.extent.depth},
             static_cast<CopyKind>(parameters.kind)};
  return Error::success;
}

}  // namespace tmaemu::runtime
