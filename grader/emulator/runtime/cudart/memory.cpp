// CUDA Runtime API, "Memory Management": allocation.
#include <cuda_runtime_api.h>

#include "emulator/runtime/cudart/call.h"
#include "emulator/runtime/state/allocation.h"
#include "emulator/runtime/state/graph.h"
#include "emulator/runtime/state/memory_pool.h"

using namespace tmaemu::runtime;
using tmaemu::Region;
using tmaemu::RegionKind;

namespace {

// cudaFree waits for the device, so it is where a fault shows.
Error free_after_work(const char* name, void* pointer) {
  const Error error = FaultState::instance().synchronize();
  return error != Error::success ? error : free_device(name, pointer);
}

}  // namespace

extern "C" {

cudaError_t cudaMalloc(void** pointer, size_t size) {
  return call_unseen(
      [&] { return pointer ? allocate_device(size, *pointer) : Error::invalid_value; });
}

cudaError_t cudaFree(void* pointer) {
  return call_unseen([&] { return free_after_work("cudaFree", pointer); });
}

cudaError_t cudaMallocAsync(void** pointer, size_t size, cudaStream_t stream) {
  return call_on(stream, [&](Stream& on) {
    if (pointer == nullptr) return Error::invalid_value;
    return allocate_in(on, *MemoryPools::instance().current, size, *pointer);
  });
}

cudaError_t cudaFreeAsync(void* pointer, cudaStream_t stream) {
  return call_on(stream, [&](Stream& on) { return free_in(on, "cudaFreeAsync", pointer); });
}

cudaError_t cudaMallocPitch(void** pointer, size_t* pitch, size_t width, size_t height) {
  return call_unseen([&] {
    if (any_null(pointer, pitch)) return Error::invalid_value;
    return allocate_pitched(width, height, *pointer, *pitch);
  });
}

cudaError_t cudaMalloc3D(cudaPitchedPtr* pitched, cudaExtent extent) {
  return call_unseen([&] {
    if (any_null(pitched)) return Error::invalid_value;
    pitched->xsize = extent.width;
    pitched->ysize = extent.height;
    return allocate_pitched(extent.width, extent.height * extent.depth, pitched->ptr,
                            pitched->pitch);
  });
}

cudaError_t cudaMallocManaged(void** pointer, size_t size, unsigned flags) {
  return call_unseen([&] {
    if (any_null(pointer)) return Error::invalid_value;
    const bool known = flags == cudaMemAttachGlobal || flags == cudaMemAttachHost;
    return known ? allocate_managed(size, *pointer) : Error::invalid_value;
  });
}

cudaError_t cudaMallocHost(void** pointer, size_t size) {
  return call_unseen([&] {
    if (any_null(pointer)) return Error::invalid_value;
    return allocate_host(size, 0, *pointer);
  });
}

cudaError_t cudaHostAlloc(void** pointer, size_t size, unsigned flags) {
  return call_unseen([&] {
    if (any_null(pointer)) return Error::invalid_value;
    return allocate_host(size, flags, *pointer);
  });
}

cudaError_t cudaFreeHost(void* pointer) {
  return call_unseen([&] {
    const Error error = FaultState::instance().synchronize();
    return error != Error::success ? error : free_host("cudaFreeHost", pointer);
  });
}

cudaError_t cudaHostRegister(void* pointer, size_t size, unsigned flags) {
  return call_unseen([&] { return register_host(pointer, size, flags); });
}

cudaError_t cudaHostUnregister(void* pointer) {
  return call_unseen([&] { return unregister_host(pointer); });
}

cudaError_t cudaHostGetFlags(unsigned* flags, void* pointer) {
  return call([&] {
    if (any_null(flags)) return Error::invalid_value;
    return host_flags(pointer, *flags);
  });
}

cudaError_t cudaHostGetDevicePointer(void** device, void* host, unsigned flags) {
  return call([&] {
    if (any_null(device)) return Error::invalid_value;
    const Region* region = find_region(host);
    if (flags != 0 || region == nullptr || region->kind != RegionKind::host) {
      return Error::invalid_value;
    }
    *device = host;
    return Error::success;
  });
}

cudaError_t cudaMemGetInfo(size_t* free, size_t* total) {
  return call([&] {
    if (total != nullptr) *total = total_memory();
    if (free != nullptr) *free = free_memory();
    return Error::success;
  });
}

cudaError_t cudaPointerGetAttributes(cudaPointerAttributes* attributes, const void* pointer) {
  return call([&] {
    if (any_null(attributes)) return Error::invalid_value;
    *attributes = cudaPointerAttributes{};
    const Region* region = find_region(pointer);
    attributes->device = -2;  // of no device; what CUDA gives for unregistered memory
    attributes->hostPointer = const_cast<void*>(pointer);
    if (region == nullptr) return Error::success;
    attributes->device = the_device;
    attributes->devicePointer = const_cast<void*>(pointer);
    switch (region->kind) {
      case RegionKind::device:
      case RegionKind::imported:
      case RegionKind::mapped:
        attributes->type = cudaMemoryTypeDevice;
        attributes->hostPointer = nullptr;
        break;
      case RegionKind::host:
        attributes->type = cudaMemoryTypeHost;
        break;
      case RegionKind::managed:
        attributes->type = cudaMemoryTypeManaged;
        break;
    }
    return Error::success;
  });
}

cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w,
                                            cudaChannelFormatKind kind) {
  return {x, y, z, w, kind};
}

}  // extern "C"
