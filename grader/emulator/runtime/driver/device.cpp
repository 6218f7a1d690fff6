// CUDA Driver API, "Device Management".
#include <cstdio>
#include <cstring>

#include "emulator/runtime/driver/call.h"
#include "emulator/runtime/state/device_attributes.h"

using namespace tmaemu::runtime;

#undef cuDeviceGetUuid

extern "C" {

CUresult cuDeviceGet(CUdevice* device, int ordinal) {
  return call_for(ordinal, [&] {
    if (any_null(device)) return Error::invalid_value;
    *device = the_device;
    return Error::success;
  });
}

CUresult cuDeviceGetCount(int* count) {
  return call_without_context([&] {
    if (any_null(count)) return Error::invalid_value;
    *count = 1;
    return Error::success;
  });
}

CUresult cuDeviceGetName(char* name, int length, CUdevice device) {
  return call_for(device, [&] {
    if (any_null(name) || length <= 0) return Error::invalid_value;
    std::snprintf(name, static_cast<size_t>(length), "%s", device_name);
    return Error::success;
  });
}

CUresult cuDeviceGetUuid_v2(CUuuid* uuid, CUdevice device) {
  return call_for(device, [&] {
    if (any_null(uuid)) return Error::invalid_value;
    std::memcpy(uuid, device_uuid.data(), device_uuid.size());
    return Error::success;
  });
}

CUresult cuDeviceGetUuid(CUuuid* uuid, CUdevice device) {
  return cuDeviceGetUuid_v2(uuid, device);
}

CUresult cuDeviceTotalMem(size_t* bytes, CUdevice device) {
  return call_for(device, [&] {
    if (any_null(bytes)) return Error::invalid_value;
    *bytes = tmaemu::Device::instance().memory().capacity();
    return Error::success;
  });
}

CUresult cuDeviceGetAttribute(int* value, CUdevice_attribute attribute, CUdevice device) {
  return call_for(device, [&] {
    if (any_null(value)) return Error::invalid_value;
    const auto found = device_attribute(attribute);
    if (!found) return Error::invalid_value;
    *value = *found;
    return Error::success;
  });
}

CUresult cuDeviceComputeCapability(int* major, int* minor, CUdevice device) {
  return call_for(device, [&] {
    if (any_null(major, minor)) return Error::invalid_value;
    *major = *device_attribute(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR);
    *minor = *device_attribute(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR);
    return Error::success;
  });
}

CUresult cuDeviceGetPCIBusId(char* id, int length, CUdevice device) {
  return call_for(device, [&] {
    if (length <= static_cast<int>(std::strlen(pci_bus_id))) return Error::invalid_value;
    std::snprintf(id, static_cast<size_t>(length), "%s", pci_bus_id);
    return Error::success;
  });
}

CUresult cuDeviceGetByPCIBusId(CUdevice* device, const char* id) {
  return call_without_context([&] {
    if (any_null(device)) return Error::invalid_value;
    if (std::strcmp(id, pci_bus_id) != 0) return Error::invalid_device;
    *device = the_device;
    return Error::success;
  });
}

// There is one device, so there are no peers.
CUresult cuDeviceCanAccessPeer(int* can, CUdevice device, CUdevice peer) {
  return call_for(device, [&] {
    if (any_null(can)) return Error::invalid_value;
    if (peer != the_device) return Error::invalid_device;
    *can = 0;
    return Error::success;
  });
}

}  // extern "C"
