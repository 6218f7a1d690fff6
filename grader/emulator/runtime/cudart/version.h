// What differs between the two libraries that are built from these sources, and what calls do whose
// parameters CUDA 13 changed.
#pragma once

#include <driver_types.h>

#include <cstddef>

#include "emulator/runtime/cudart/call.h"
#include "emulator/runtime/state/allocation.h"
#include "emulator/runtime/state/copy.h"

namespace tmaemu::runtime {

// As cudaRuntimeGetVersion gives it. Defined in cudart12/ and cudart13/.
extern const int runtime_version;

// Hints say where managed memory should be. It is in one place here, so they are only checked.

// The older form of a location: a device's number, or cudaCpuDeviceId.
inline cudaMemLocation location_of_device(int device) {
  cudaMemLocation location{};
  location.type = device == cudaCpuDeviceId ? cudaMemLocationTypeHost : cudaMemLocationTypeDevice;
  location.id = device == cudaCpuDeviceId ? 0 : device;
  return location;
}

inline Error check_hint(const void* pointer, std::size_t size, cudaMemLocation location) {
  if (location.type == cudaMemLocationTypeDevice && location.id != the_device) {
    return Error::invalid_device;
  }
  const Region* region = find_region(pointer);
  const bool managed = region != nullptr && region->kind == RegionKind::managed;
  if (location.type == 0 || !managed || size == 0) return Error::invalid_value;
  const auto offset = reinterpret_cast<std::uint64_t>(pointer) - region->address;
  return size <= region->size - offset ? Error::success : Error::invalid_value;
}

inline cudaError_t prefetch(const void* pointer, std::size_t size, cudaMemLocation location,
                            unsigned flags, cudaStream_t handle) {
  return call_on(handle, [&](Stream&) {
    return flags != 0 ? Error::invalid_value : check_hint(pointer, size, location);
  });
}

inline cudaError_t advise(const void* pointer, std::size_t size, cudaMemoryAdvise advice,
                          cudaMemLocation location) {
  return call([&] {
    const bool known =
        advice >= cudaMemAdviseSetReadMostly && advice <= cudaMemAdviseUnsetAccessedBy;
    return known ? check_hint(pointer, size, location) : Error::invalid_value;
  });
}

// cudaMemcpyBatchAsync: copies one after another; `failed` is the index of the one that was
// refused.
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
