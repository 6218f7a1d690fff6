// CUDA Driver API, "Memory Management": allocation.
#include "emulator/runtime/driver/call.h"
#include "emulator/runtime/state/allocation.h"
#include "emulator/runtime/state/memory_pool.h"
#include "emulator/runtime/state/virtual_memory.h"

using namespace tmaemu::runtime;
using tmaemu::Region;
using tmaemu::RegionKind;

// Their newest forms have numbers that depend on the toolkit.
#undef cuMemAdvise
#undef cuMemPrefetchAsync

namespace {

CUresult give(CUdeviceptr* address, size_t size, Error (*allocate)(size_t, void*&)) {
  return call_unseen([&] {
    if (any_null(address)) return Error::invalid_value;
    void* pointer = nullptr;
    if (size == 0) return Error::invalid_value;  // where the runtime gives a null pointer
    const Error error = allocate(size, pointer);
    *address = reinterpret_cast<CUdeviceptr>(pointer);
    return error;
  });
}

// Hints about where managed memory should be: it is in one place here.
Error check_hint(CUdeviceptr address, size_t size) {
  const Region* region = find_region(pointer_to(address));
  const bool managed = region != nullptr && region->kind == RegionKind::managed;
  const bool inside = managed && size != 0 && size <= region->size - (address - region->address);
  return inside ? Error::success : Error::invalid_value;
}

bool is_advice(CUmem_advise advice) {
  return advice >= CU_MEM_ADVISE_SET_READ_MOSTLY && advice <= CU_MEM_ADVISE_UNSET_ACCESSED_BY;
}

}  // namespace

extern "C" {

CUresult cuMemAlloc(CUdeviceptr* address, size_t size) {
  return give(address, size, &allocate_device);
}

CUresult cuMemAllocAsync(CUdeviceptr* address, size_t size, CUstream stream_handle) {
  return call_on(stream_handle, [&](Stream& stream) {
    if (any_null(address)) return Error::invalid_value;
    void* pointer = nullptr;
    MemoryPool& pool = *MemoryPools::instance().current;
    const Error error = size == 0 ? Error::invalid_value : allocate_in(stream, pool, size, pointer);
    *address = reinterpret_cast<CUdeviceptr>(pointer);
    return error;
  });
}

CUresult cuMemAllocPitch(CUdeviceptr* address, size_t* pitch, size_t width, size_t height,
                         unsigned element_size) {
  return call_unseen([&] {
    if (any_null(address, pitch)) return Error::invalid_value;
    const bool known = element_size == 4 || element_size == 8 || element_size == 16;
    if (!known || width == 0 || height == 0) return Error::invalid_value;
    void* pointer = nullptr;
    const Error error = allocate_pitched(width, height, pointer, *pitch);
    *address = reinterpret_cast<CUdeviceptr>(pointer);
    return error;
  });
}

CUresult cuMemAllocManaged(CUdeviceptr* address, size_t size, unsigned flags) {
  if (flags != CU_MEM_ATTACH_GLOBAL && flags != CU_MEM_ATTACH_HOST) return CUDA_ERROR_INVALID_VALUE;
  return give(address, size, &allocate_managed);
}

CUresult cuMemFree(CUdeviceptr address) {
  return call_unseen([&] {
    const Error error = FaultState::instance().synchronize();
    return error != Error::success ? error : free_device("cuMemFree", pointer_to(address));
  });
}

CUresult cuMemFreeAsync(CUdeviceptr address, CUstream stream) {
  return call_on(stream,
                 [&](Stream& on) { return free_in(on, "cuMemFreeAsync", pointer_to(address)); });
}

CUresult cuMemAllocHost(void** pointer, size_t size) {
  return call([&] {
    if (any_null(pointer)) return Error::invalid_value;
    return allocate_host(size, 0, *pointer);
  });
}

CUresult cuMemHostAlloc(void** pointer, size_t size, unsigned flags) {
  return call_unseen([&] {
    if (any_null(pointer)) return Error::invalid_value;
    return allocate_host(size, flags, *pointer);
  });
}

CUresult cuMemFreeHost(void* pointer) {
  return call_unseen([&] {
    const Error error = FaultState::instance().synchronize();
    return error != Error::success ? error : free_host("cuMemFreeHost", pointer);
  });
}

CUresult cuMemHostRegister(void* pointer, size_t size, unsigned flags) {
  return call_unseen([&] { return register_host(pointer, size, flags); });
}

CUresult cuMemHostUnregister(void* pointer) {
  return call_unseen([&] { return unregister_host(pointer); });
}

CUresult cuMemHostGetFlags(unsigned* flags, void* pointer) {
  return call([&] {
    if (any_null(flags)) return Error::invalid_value;
    return host_flags(pointer, *flags);
  });
}

CUresult cuMemHostGetDevicePointer(CUdeviceptr* address, void* pointer, unsigned flags) {
  return call([&] {
    if (any_null(address)) return Error::invalid_value;
    const Region* region = find_region(pointer);
    if (flags != 0 || region == nullptr || region->kind != RegionKind::host) {
      return Error::invalid_value;
    }
    *address = reinterpret_cast<CUdeviceptr>(pointer);
    return Error::success;
  });
}

CUresult cuMemGetInfo(size_t* free, size_t* total) {
  return call([&] {
    if (total != nullptr) *total = total_memory();
    if (free != nullptr) *free = free_memory();
    return Error::success;
  });
}

CUresult cuMemGetAddressRange(CUdeviceptr* base, size_t* size, CUdeviceptr address) {
  return call([&] {
    const Region* region = find_region(pointer_to(address));
    if (region == nullptr) return Error::symbol_not_found;
    if (region->kind == RegionKind::mapped) {
      std::uint64_t start = 0;
      std::size_t bytes = 0;
      VirtualMemory::instance().find_mapping(address, start, bytes);
      if (base != nullptr) *base = start;
      if (size != nullptr) *size = bytes;
      return Error::success;
    }
    if (base != nullptr) *base = region->address;
    if (size != nullptr) *size = region->size;
    return Error::success;
  });
}

CUresult cuMemAdvise(CUdeviceptr address, size_t size, CUmem_advise advice, CUdevice) {
  return call([&] { return is_advice(advice) ? check_hint(address, size) : Error::invalid_value; });
}
CUresult cuMemAdvise_v2(CUdeviceptr address, size_t size, CUmem_advise advice, CUmemLocation) {
  return call([&] { return is_advice(advice) ? check_hint(address, size) : Error::invalid_value; });
}
CUresult cuMemPrefetchAsync(CUdeviceptr address, size_t size, CUdevice, CUstream stream) {
  return call_on(stream, [&](Stream&) { return check_hint(address, size); });
}
CUresult cuMemPrefetchAsync_v2(CUdeviceptr address, size_t size, CUmemLocation, unsigned,
                               CUstream stream) {
  return call_on(stream, [&](Stream&) { return check_hint(address, size); });
}

}  // extern "C"
