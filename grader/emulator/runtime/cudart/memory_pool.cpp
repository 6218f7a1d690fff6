// CUDA Runtime API, "Stream Ordered Memory Allocator".
#include "emulator/runtime/state/memory_pool.h"

#include <cuda_runtime_api.h>

#include "emulator/runtime/cudart/call.h"
#include "emulator/runtime/state/allocation.h"

using namespace tmaemu::runtime;

namespace {

template <class Action>
cudaError_t call_with(cudaMemPool_t handle, Action&& action) {
  return call([&] {
    MemoryPool* pool = MemoryPools::instance().find(handle);
    return pool == nullptr ? Error::invalid_value : action(*pool);
  });
}

cudaMemPool_t handle_of(MemoryPool* pool) {
  return reinterpret_cast<cudaMemPool_t>(pool);
}

}  // namespace

extern "C" {

cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t* pool, int device) {
  return call_for(device, [&] {
    if (any_null(pool)) return Error::invalid_value;
    *pool = handle_of(MemoryPools::instance().default_pool());
    return Error::success;
  });
}

cudaError_t cudaDeviceGetMemPool(cudaMemPool_t* pool, int device) {
  return call([&] {
    if (device != the_device || any_null(pool)) return Error::invalid_value;
    *pool = handle_of(MemoryPools::instance().current);
    return Error::success;
  });
}

cudaError_t cudaDeviceSetMemPool(int device, cudaMemPool_t handle) {
  if (device != the_device) return call([] { return Error::invalid_value; });
  return call_with(handle, [](MemoryPool& pool) {
    MemoryPools::instance().current = &pool;
    return Error::success;
  });
}

cudaError_t cudaMemPoolCreate(cudaMemPool_t* pool, const cudaMemPoolProps* properties) {
  return call([&] {
    if (any_null(pool, properties)) return Error::invalid_value;
    const bool on_device = properties->allocType == cudaMemAllocationTypePinned &&
                           properties->location.type == cudaMemLocationTypeDevice;
    if (!on_device || properties->handleTypes != cudaMemHandleTypeNone) {
      return not_modeled("a memory pool that is not the device's own");
    }
    if (properties->location.id != the_device) return Error::invalid_device;
    *pool = handle_of(MemoryPools::instance().create(properties->maxSize));
    return Error::success;
  });
}

cudaError_t cudaMemPoolDestroy(cudaMemPool_t handle) {
  return call_with(handle, [](MemoryPool& pool) {
    return MemoryPools::instance().destroy(&pool) ? Error::success : Error::invalid_value;
  });
}

cudaError_t cudaMemPoolTrimTo(cudaMemPool_t handle, size_t keep) {
  return call_with(handle, [&](MemoryPool& pool) {
    pool.trim(keep);
    return Error::success;
  });
}

cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t handle, cudaMemPoolAttr attribute, void* value) {
  return call_with(handle, [&](MemoryPool& pool) { return get_attribute(pool, attribute, value); });
}

cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t handle, cudaMemPoolAttr attribute, void* value) {
  return call_with(handle, [&](MemoryPool& pool) { return set_attribute(pool, attribute, value); });
}

// The one device has access to its own pools, for good.
cudaError_t cudaMemPoolSetAccess(cudaMemPool_t handle, const cudaMemAccessDesc* descriptors,
                                 size_t count) {
  return call_with(handle, [&](MemoryPool&) {
    if (count != 0 && any_null(descriptors)) return Error::invalid_value;
    for (size_t i = 0; i < count; ++i) {
      if (descriptors[i].location.id != the_device) return Error::invalid_device;
      if (descriptors[i].flags != cudaMemAccessFlagsProtReadWrite) return Error::invalid_value;
    }
    return Error::success;
  });
}

cudaError_t cudaMemPoolGetAccess(cudaMemAccessFlags* flags, cudaMemPool_t handle,
                                 cudaMemLocation* location) {
  return call_with(handle, [&](MemoryPool&) {
    if (any_null(flags, location)) return Error::invalid_value;
    if (location->id != the_device) return Error::invalid_device;
    *flags = cudaMemAccessFlagsProtReadWrite;
    return Error::success;
  });
}

cudaError_t cudaMallocFromPoolAsync(void** pointer, size_t size, cudaMemPool_t handle,
                                    cudaStream_t stream_handle) {
  return call_with(handle, [&](MemoryPool& pool) {
    if (any_null(pointer)) return Error::invalid_value;
    Stream* stream = Streams::instance().find(stream_handle);
    if (stream == nullptr) return Error::invalid_handle;
    return allocate_in(*stream, pool, size, *pointer);
  });
}

}  // extern "C"
