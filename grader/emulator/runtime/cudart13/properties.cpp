// libcudart.so.13: versions, device properties and memory hints in CUDA 13's form. The toolkit's
// cuda_runtime_api.h may be another major version's, so only types come from the toolkit.
#include <driver_types.h>

#include "emulator/runtime/cudart/call.h"
#include "emulator/runtime/cudart/device_properties.h"
#include "emulator/runtime/cudart/version.h"
#include "emulator/runtime/state/memory_pool.h"

namespace tmaemu::runtime {
const int runtime_version = 13000;
}

using namespace tmaemu::runtime;

extern "C" {

cudaError_t cudaGetDeviceProperties(DeviceProperties13* properties, int device) {
  return tell_of(device, properties, [](DeviceProperties13& facts) {
    fill_common(facts);
    facts.deviceNumaConfig = attribute(130);
    facts.deviceNumaId = attribute(131);
    facts.mpsEnabled = attribute(133);
    facts.hostNumaId = attribute(134);
    facts.gpuPciDeviceID = static_cast<unsigned>(attribute(139));
    facts.gpuPciSubsystemID = static_cast<unsigned>(attribute(140));
    facts.hostNumaMultinodeIpcSupported = attribute(143);
  });
}

cudaError_t cudaMemAdvise(const void* pointer, size_t size, cudaMemoryAdvise advice,
                          cudaMemLocation location) {
  return advise(pointer, size, advice, location);
}

cudaError_t cudaMemPrefetchAsync(const void* pointer, size_t size, cudaMemLocation location,
                                 unsigned flags, cudaStream_t stream) {
  return prefetch(pointer, size, location, flags, stream);
}

cudaError_t cudaMemcpyBatchAsync(void* const* destinations, const void* const* sources,
                                 const size_t* sizes, size_t count, cudaMemcpyAttributes*, size_t*,
                                 size_t, cudaStream_t stream) {
  return copy_batch(destinations, sources, sizes, count, stream, nullptr);
}

cudaError_t cudaMemGetDefaultMemPool(cudaMemPool_t* pool, cudaMemLocation* location,
                                     cudaMemAllocationType type) {
  return call([&] {
    if (any_null(pool, location)) return Error::invalid_value;
    if (location->type != cudaMemLocationTypeDevice || type != cudaMemAllocationTypePinned) {
      return not_modeled("a default memory pool that is not the device's own");
    }
    if (location->id != the_device) return Error::invalid_device;
    *pool = reinterpret_cast<cudaMemPool_t>(MemoryPools::instance().default_pool());
    return Error::success;
  });
}

}  // extern "C"
