// CUDA Driver API, "Unified Addressing" and the sharing of memory between processes.
#include <cstring>
#include <string>

#include "emulator/runtime/driver/call.h"
#include "emulator/runtime/state/allocation.h"

using namespace tmaemu::runtime;
using tmaemu::Region;
using tmaemu::RegionKind;

namespace {

bool on_host(const Region& region) {
  return region.kind == RegionKind::host || region.kind == RegionKind::managed;
}

template <class Value>
Error give(void* data, Value value) {
  std::memcpy(data, &value, sizeof value);
  return Error::success;
}

Error attribute_of(const Region& region, CUpointer_attribute attribute, CUdeviceptr address,
                   void* data) {
  switch (attribute) {
    case CU_POINTER_ATTRIBUTE_CONTEXT:
      return give(data, Contexts::current());
    case CU_POINTER_ATTRIBUTE_MEMORY_TYPE:
      return give(data, region.kind == RegionKind::host ? unsigned{CU_MEMORYTYPE_HOST}
                                                        : unsigned{CU_MEMORYTYPE_DEVICE});
    case CU_POINTER_ATTRIBUTE_DEVICE_POINTER:
      return give(data, address);
    case CU_POINTER_ATTRIBUTE_HOST_POINTER:
      return on_host(region) ? give(data, address) : Error::invalid_value;
    case CU_POINTER_ATTRIBUTE_SYNC_MEMOPS:
      return give(data, 0u);
    case CU_POINTER_ATTRIBUTE_BUFFER_ID:
      return give(data, static_cast<unsigned long long>(region.address));
    case CU_POINTER_ATTRIBUTE_IS_MANAGED:
      return give(data, region.kind == RegionKind::managed ? 1u : 0u);
    case CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL:
      return give(data, int{the_device});
    case CU_POINTER_ATTRIBUTE_IS_LEGACY_CUDA_IPC_CAPABLE:
      return give(data, region.kind == RegionKind::device ? 1u : 0u);
    case CU_POINTER_ATTRIBUTE_RANGE_START_ADDR:
      return give(data, region.address);
    case CU_POINTER_ATTRIBUTE_RANGE_SIZE:
      return give(data, region.size);
    case CU_POINTER_ATTRIBUTE_MAPPED:
      return give(data, 1u);
    case CU_POINTER_ATTRIBUTE_ACCESS_FLAGS:
      return give(data, 3ull);  // read and write
    default:
      if (attribute > CU_POINTER_ATTRIBUTE_IS_HW_DECOMPRESS_CAPABLE) return Error::invalid_value;
      return not_modeled("a pointer attribute (" + std::to_string(attribute) + ")");
  }
}

}  // namespace

extern "C" {

CUresult cuPointerGetAttribute(void* data, CUpointer_attribute attribute, CUdeviceptr address) {
  return call([&] {
    if (any_null(data)) return Error::invalid_value;
    const Region* region = find_region(pointer_to(address));
    return region == nullptr ? Error::invalid_value
                             : attribute_of(*region, attribute, address, data);
  });
}

// Unlike the call for one attribute, this takes pointers that CUDA does not know: zeros for them.
CUresult cuPointerGetAttributes(unsigned count, CUpointer_attribute* attributes, void** data,
                                CUdeviceptr address) {
  return call([&] {
    if (any_null(attributes, data)) return Error::invalid_value;
    const Region* region = find_region(pointer_to(address));
    for (unsigned i = 0; i < count; ++i) {
      if (region != nullptr) {
        const Error error = attribute_of(*region, attributes[i], address, data[i]);
        if (error == Error::not_supported) return error;
      } else if (attributes[i] == CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL) {
        give(data[i], -2);
      } else {
        give(data[i], 0u);
      }
    }
    return Error::success;
  });
}

CUresult cuIpcGetMemHandle(CUipcMemHandle* handle, CUdeviceptr address) {
  return call([&] {
    if (any_null(handle)) return Error::invalid_value;
    tmaemu::SharedHandle shared;
    const Error error = share(pointer_to(address), shared);
    if (error == Error::success) std::memcpy(handle, shared.data(), shared.size());
    return error;
  });
}

CUresult cuIpcOpenMemHandle(CUdeviceptr* address, CUipcMemHandle handle, unsigned flags) {
  return call([&] {
    if (any_null(address)) return Error::invalid_value;
    if (flags != CU_IPC_MEM_LAZY_ENABLE_PEER_ACCESS) return Error::invalid_value;
    tmaemu::SharedHandle shared;
    std::memcpy(shared.data(), &handle, shared.size());
    void* pointer = nullptr;
    const Error error = open_shared(shared, pointer);
    *address = reinterpret_cast<CUdeviceptr>(pointer);
    return error;
  });
}

CUresult cuIpcCloseMemHandle(CUdeviceptr address) {
  return call([&] { return close_shared(pointer_to(address)); });
}

}  // extern "C"
