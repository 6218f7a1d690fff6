// libcudart.so.12: versions, device properties and memory hints in CUDA 12's form. The toolkit's
// cuda_runtime_api.h may be another major version's, so only types come from the toolkit.
#include <driver_types.h>

#include "emulator/runtime/cudart/call.h"
#include "emulator/runtime/cudart/device_properties.h"
#include "emulator/runtime/cudart/version.h"

namespace tmaemu::runtime {
const int runtime_version = 12080;
}

using namespace tmaemu::runtime;

extern "C" {

cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t start, cudaEvent_t end);
cudaError_t cudaDeviceSynchronize();
cudaError_t cudaDeviceReset();

// What cuda_runtime_api.h of CUDA 12 renames cudaGetDeviceProperties to.
cudaError_t cudaGetDeviceProperties_v2(DeviceProperties12* properties, int device) {
  return tell_of(device, properties, [](DeviceProperties12& facts) {
    fill_common(facts);
    facts.clockRate = attribute(13);
    facts.deviceOverlap = attribute(15);
    facts.kernelExecTimeoutEnabled = attribute(17);
    facts.computeMode = attribute(20);
    facts.maxTexture1DLinear = attribute(69);
    facts.memoryClockRate = attribute(36);
    facts.singleToDoublePrecisionPerfRatio = attribute(87);
    facts.cooperativeMultiDeviceLaunch = attribute(96);
  });
}

cudaError_t cudaMemAdvise(const void* pointer, size_t size, cudaMemoryAdvise advice, int device) {
  return advise(pointer, size, advice, location_of_device(device));
}

cudaError_t cudaMemAdvise_v2(const void* pointer, size_t size, cudaMemoryAdvise advice,
                             cudaMemLocation location) {
  return advise(pointer, size, advice, location);
}

cudaError_t cudaMemPrefetchAsync(const void* pointer, size_t size, int device,
                                 cudaStream_t stream) {
  return prefetch(pointer, size, location_of_device(device), 0, stream);
}

cudaError_t cudaMemPrefetchAsync_v2(const void* pointer, size_t size, cudaMemLocation location,
                                    unsigned flags, cudaStream_t stream) {
  return prefetch(pointer, size, location, flags, stream);
}

cudaError_t cudaMemcpyBatchAsync(void** destinations, void** sources, size_t* sizes, size_t count,
                                 cudaMemcpyAttributes*, size_t*, size_t, size_t* failed,
                                 cudaStream_t stream) {
  return copy_batch(destinations, sources, sizes, count, stream, failed);
}

cudaError_t cudaEventElapsedTime_v2(float* milliseconds, cudaEvent_t start, cudaEvent_t end) {
  return cudaEventElapsedTime(milliseconds, start, end);
}

cudaError_t cudaThreadSynchronize() {
  return cudaDeviceSynchronize();
}
cudaError_t cudaThreadExit() {
  return cudaDeviceReset();
}

}  // extern "C"
