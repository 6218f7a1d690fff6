// cudaMemcpyBatchAsync, whose parameters CUDA 13 changed.
#pragma once

#include <cstddef>

#include "emulator/runtime/cudart/call.h"
#include "emulator/runtime/state/copy.h"

namespace tmaemu::runtime {

// Copies one after another; `failed` is the index of the one that was refused.
inline cudaError_t copy_batch(void* const* destinations, const void* const* sources,
                              const std::size_t* sizes, std::size_t count, cudaStream_t handle,
                              std::size_t* failed) {
  return call_on(handle, [&](Stream& stream) {
    for (std::size_t i = 0; i < count; ++i) {
      const Error error = copy_async(linear_copy("cudaMemcpyBatchAsync", destinations[i],
                                                 sources[i], sizes[i], CopyKind::inferred),
                                     stream);
      if (error == Error::success) continue;
      if (failed != nullptr) *failed = i;
      return error;
    }
    return Error::success;
  });
}

}  // namespace tmaemu::runtime
