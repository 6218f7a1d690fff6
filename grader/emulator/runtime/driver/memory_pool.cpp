// CUDA Driver API, "Stream Ordered Memory Allocator".
#include "emulator/runtime/state/memory_pool.h"

#include "emulator/runtime/driver/call.h"

using namespace tmaemu::runtime;

namespace {

template <class Action>
CUresult call_with(CUmemoryPool handle, Action&& action) {
  return call([&] {
    MemoryPool* pool = MemoryPools::instance().find(handle);
    return pool == nullptr ? Error::invalid_value : action(*pool);
  });
}

CUmemoryPool handle_of(MemoryPool* pool) {
  return reinterpret_cast<CUmemoryPool>(pool);
}

}  // namespace

extern "C" {

CUresult cuDeviceGetDefaultMemPool(CUmemoryPool* pool, CUdevice device) {
  return call_for(device, [&] {
    if (any_null(pool)) return Error::invalid_value;
    *pool = handle_of(MemoryPools::instance().default_pool());
    return Error::success;
  });
}

CUresult cuDeviceGetMemPool(CUmemoryPool* pool, CUdevice device) {
  return call_for(device, [&] {
    if (any_null(pool)) return Error::invalid_value;
    *pool = handle_of(MemoryPools::instance().current);
    return Error::success;
  });
}

CUresult cuDeviceSetMemPool(CUdevice device, CUmemoryPool handle) {
  return call_for(device, [&] {
    MemoryPool* pool = MemoryPools::instance().find(handle);
    if (pool == nullptr) return Error::invalid_value;
    MemoryPools::instance().current = pool;
    return Error::success;
  });
}

CUresult cuMemPoolCreate(CUmemoryPool* pool, const CUmemPoolProps* properties) {
  return call_without_context([&] {
    if (any_null(pool, properties)) return Error::invalid_value;
    const bool on_device = properties->allocType == CU_MEM_ALLOCATION_TYPE_PINNED &&
                           properties->location.type == CU_MEM_LOCATION_TYPE_DEVICE;
    if (!on_device || properties->handleTypes != CU_MEM_HANDLE_TYPE_NONE) {
      return not_modeled("a memory pool that is not the device's own");
    }
    if (properties->location.id != the_device) return Error::invalid_device;
    *pool = handle_of(MemoryPools::instance().create(properties->maxSize));
    return Error::success;
  });
}

CUresult cuMemPoolDestroy(CUmemoryPool handle) {
  return call_with(handle, [](MemoryPool& pool) {
    return MemoryPools::instance().destroy(&pool) ? Error::success : Error::invalid_value;
  });
}

CUresult cuMemPoolTrimTo(CUmemoryPool handle, size_t keep) {
  return call_with(handle, [&](MemoryPool& pool) {
    pool.trim(keep);
    return Error::success;
  });
}

CUresult cuMemPoolGetAttribute(CUmemoryPool handle, CUmemPool_attribute attribute, void* value) {
  return call_with(handle, [&](MemoryPool& pool) { return get_attribute(pool, attribute, value); });
}

CUresult cuMemPoolSetAttribute(CUmemoryPool handle, CUmemPool_attribute attribute, void* value) {
  return call_with(handle, [&](MemoryPool& pool) { return set_attribute(pool, attribute, value); });
}

CUresult cuMemAllocFromPoolAsync(CUdeviceptr* address, size_t size, CUmemoryPool handle,
                                 CUstream stream_handle) {
  return call_with(handle, [&](MemoryPool& pool) {
    if (any_null(address)) return Error::invalid_value;
    Stream* stream = Streams::instance().find(stream_handle);
    if (stream == nullptr) return Error::invalid_handle;
    void* pointer = nullptr;
    const Error error =
        size == 0 ? Error::invalid_value : allocate_in(*stream, pool, size, pointer);
    *address = reinterpret_cast<CUdeviceptr>(pointer);
    return error;
  });
}

}  // extern "C"
