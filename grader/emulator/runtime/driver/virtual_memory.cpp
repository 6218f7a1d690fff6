// CUDA Driver API, "Virtual Memory Management".
#include "emulator/runtime/state/virtual_memory.h"

#include <cstdint>
#include <string>

#include "emulator/runtime/driver/call.h"

using namespace tmaemu::runtime;

namespace {

// Memory of the one device, of which there is one kind.
Error check_properties(const CUmemAllocationProp* properties) {
  if (properties == nullptr) return Error::invalid_value;
  if (properties->type != CU_MEM_ALLOCATION_TYPE_PINNED) return Error::invalid_value;
  if (properties->location.type == CU_MEM_LOCATION_TYPE_DEVICE) {
    return properties->location.id == the_device ? Error::success : Error::invalid_device;
  }
  return not_modeled("memory that is not on the device (CUmemLocationType " +
                     std::to_string(properties->location.type) + ")");
}

Error check_handle_type(unsigned long long types) {
  const bool known =
      types == CU_MEM_HANDLE_TYPE_NONE || types == CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR;
  return known ? Error::success
               : not_modeled("a CUmemAllocationHandleType other than a POSIX file descriptor");
}

}  // namespace

extern "C" {

CUresult cuMemGetAllocationGranularity(size_t* granularity, const CUmemAllocationProp* properties,
                                       CUmemAllocationGranularity_flags option) {
  return call_without_context([&] {
    if (granularity == nullptr || (option != CU_MEM_ALLOC_GRANULARITY_MINIMUM &&
                                   option != CU_MEM_ALLOC_GRANULARITY_RECOMMENDED)) {
      return Error::invalid_value;
    }
    const Error error = check_properties(properties);
    if (error == Error::success) *granularity = VirtualMemory::granularity;
    return error;
  });
}

CUresult cuMemCreate(CUmemGenericAllocationHandle* handle, size_t size,
                     const CUmemAllocationProp* properties, unsigned long long flags) {
  return call_without_context([&] {
    if (any_null(properties)) return Error::invalid_value;
    if (handle == nullptr || flags != 0) return Error::invalid_value;
    if (const Error error = check_properties(properties); error != Error::success) return error;
    const unsigned long long types = properties->requestedHandleTypes;
    if (const Error error = check_handle_type(types); error != Error::success) return error;
    std::uint64_t made = 0;
    const Error error = VirtualMemory::instance().create(size, types != 0, made);
    *handle = made;
    return error;
  });
}

CUresult cuMemRelease(CUmemGenericAllocationHandle handle) {
  return call_without_context([&] { return VirtualMemory::instance().release(handle); });
}

CUresult cuMemRetainAllocationHandle(CUmemGenericAllocationHandle* handle, void* address) {
  return call_without_context([&] {
    if (any_null(handle)) return Error::invalid_value;
    std::uint64_t found = 0;
    const Error error =
        VirtualMemory::instance().retain(reinterpret_cast<std::uint64_t>(address), found);
    if (error == Error::success) *handle = found;
    return error;
  });
}

CUresult cuMemGetAllocationPropertiesFromHandle(CUmemAllocationProp* properties,
                                                CUmemGenericAllocationHandle handle) {
  return call_without_context([&] {
    bool shareable = false;
    const Error error = VirtualMemory::instance().is_shareable(handle, shareable);
    if (error != Error::success || properties == nullptr) return Error::invalid_value;
    *properties = {};
    properties->type = CU_MEM_ALLOCATION_TYPE_PINNED;
    properties->location = {CU_MEM_LOCATION_TYPE_DEVICE, {the_device}};
    properties->requestedHandleTypes =
        shareable ? CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR : CU_MEM_HANDLE_TYPE_NONE;
    return Error::success;
  });
}

CUresult cuMemExportToShareableHandle(void* shareable, CUmemGenericAllocationHandle handle,
                                      CUmemAllocationHandleType type, unsigned long long flags) {
  return call_without_context([&] {
    if (shareable == nullptr || flags != 0 || type != CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR) {
      return Error::invalid_value;
    }
    return VirtualMemory::instance().share(handle, *static_cast<int*>(shareable));
  });
}

CUresult cuMemImportFromShareableHandle(CUmemGenericAllocationHandle* handle, void* shareable,
                                        CUmemAllocationHandleType type) {
  return call_without_context([&] {
    if (handle == nullptr || type != CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR) {
      return Error::invalid_value;
    }
    std::uint64_t imported = 0;
    const auto file = static_cast<int>(reinterpret_cast<std::intptr_t>(shareable));
    const Error error = VirtualMemory::instance().import(file, imported);
    if (error == Error::success) *handle = imported;
    return error;
  });
}

// A wished-for address is a hint, which is not taken.
CUresult cuMemAddressReserve(CUdeviceptr* address, size_t size, size_t alignment, CUdeviceptr,
                             unsigned long long flags) {
  return call_without_context([&] {
    if (address == nullptr || flags != 0) return Error::invalid_value;
    std::uint64_t reserved = 0;
    const Error error = VirtualMemory::instance().reserve(size, alignment, reserved);
    if (error == Error::success) *address = reserved;
    return error;
  });
}

CUresult cuMemAddressFree(CUdeviceptr address, size_t size) {
  return call_without_context(
      [&] { return VirtualMemory::instance().release_range(address, size); });
}

CUresult cuMemMap(CUdeviceptr address, size_t size, size_t offset,
                  CUmemGenericAllocationHandle handle, unsigned long long flags) {
  return call_without_context([&] {
    if (flags != 0) return Error::invalid_value;
    return VirtualMemory::instance().map(address, size, offset, handle);
  });
}

// What runs on the device is done, or its fault is told, before memory goes.
CUresult cuMemUnmap(CUdeviceptr address, size_t size) {
  return call_without_context([&] {
    const Error error = FaultState::instance().synchronize();
    return error != Error::success ? error : VirtualMemory::instance().unmap(address, size);
  });
}

CUresult cuMemSetAccess(CUdeviceptr address, size_t size, const CUmemAccessDesc* descriptors,
                        size_t count) {
  return call_without_context([&] {
    if (descriptors == nullptr || count == 0) return Error::invalid_value;
    bool accessible = false;
    for (size_t i = 0; i < count; ++i) {
      const CUmemAccessDesc& descriptor = descriptors[i];
      if (descriptor.location.type != CU_MEM_LOCATION_TYPE_DEVICE) {
        return not_modeled("access to mapped memory from elsewhere than the device");
      }
      if (descriptor.location.id != the_device) return Error::invalid_device;
      switch (descriptor.flags) {
        case CU_MEM_ACCESS_FLAGS_PROT_NONE:
          accessible = false;
          break;
        case CU_MEM_ACCESS_FLAGS_PROT_READWRITE:
          accessible = true;
          break;
        case CU_MEM_ACCESS_FLAGS_PROT_READ:
          return not_modeled("memory that is mapped read-only");
        default:
          return Error::invalid_value;
      }
    }
    return VirtualMemory::instance().set_access(address, size, accessible);
  });
}

CUresult cuMemGetAccess(unsigned long long* flags, const CUmemLocation* location,
                        CUdeviceptr address) {
  return call_without_context([&] {
    if (flags == nullptr || location == nullptr || location->id != the_device) {
      return Error::invalid_value;
    }
    bool accessible = false;
    const Error error = VirtualMemory::instance().get_access(address, accessible);
    *flags = accessible ? CU_MEM_ACCESS_FLAGS_PROT_READWRITE : CU_MEM_ACCESS_FLAGS_PROT_NONE;
    return error;
  });
}

}  // extern "C"
