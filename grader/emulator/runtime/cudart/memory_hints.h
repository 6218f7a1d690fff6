// Hints about where managed memory should be. It is in one place here, so they are only checked.
#pragma once

#include <driver_types.h>

#include "emulator/runtime/cudart/call.h"
#include "emulator/runtime/state/allocation.h"

namespace tmaemu::runtime {

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

}  // namespace tmaemu::runtime
