// CUDA Runtime API, "Device Management" and "Version Management".
#include <cuda_runtime_api.h>

#include <cstdio>
#include <cstring>

#include "emulator/runtime/cudart/call.h"
#include "emulator/runtime/cudart/version.h"
#include "emulator/runtime/state/context.h"
#include "emulator/runtime/state/device_attributes.h"

using namespace tmaemu::runtime;

namespace {

unsigned& device_flags() {
  static unsigned flags = cudaDeviceScheduleAuto;
  return flags;
}

// How the host waits, and hints that change no result: kept to be asked for.
Error set_flags(unsigned flags) {
  if ((flags & ~unsigned{cudaDeviceMask}) != 0) return Error::invalid_value;
  device_flags() = flags;
  return Error::success;
}

}  // namespace

extern "C" {

cudaError_t cudaGetDeviceCount(int* count) {
  return tell(count, 1);
}

cudaError_t cudaGetDevice(int* device) {
  if (check_caller() != Error::success) return call([] { return Error::success; });
  return tell(device, the_device);
}

cudaError_t cudaSetDevice(int device) {
  return call_for(device, [] { return Error::success; });
}

cudaError_t cudaInitDevice(int device, unsigned device_flags_wanted, unsigned flags) {
  return call_for(device, [&] {
    if ((flags & ~unsigned{cudaInitDeviceFlagsAreValid}) != 0) return Error::invalid_value;
    return flags == 0 ? Error::success : set_flags(device_flags_wanted);
  });
}

cudaError_t cudaSetValidDevices(int* devices, int count) {
  return call([&] {
    if (any_null(devices)) return Error::invalid_value;
    for (int i = 0; i < count; ++i) {
      if (devices[i] != the_device) return Error::invalid_device;
    }
    return Error::success;
  });
}

cudaError_t cudaChooseDevice(int* device, const cudaDeviceProp* wanted) {
  if (any_null(wanted)) return call([] { return Error::invalid_value; });
  return tell(device, the_device);
}

cudaError_t cudaSetDeviceFlags(unsigned flags) {
  return call([&] { return set_flags(flags); });
}

cudaError_t cudaGetDeviceFlags(unsigned* flags) {
  return call([&] {
    if (any_null(flags)) return Error::invalid_value;
    *flags = device_flags() | cudaDeviceMapHost;
    return Error::success;
  });
}

cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr attribute, int device) {
  return call_for(device, [&] {
    if (any_null(value)) return Error::invalid_value;
    const auto found = device_attribute(attribute);
    if (!found) return Error::invalid_value;
    *value = *found;
    return Error::success;
  });
}

cudaError_t cudaDeviceSynchronize() {
  return call([] {
    const Error error = Streams::instance().check_may_wait_for_device();
    return error != Error::success ? error : FaultState::instance().synchronize();
  });
}

// The one call that a kernel's fault does not stop. The thread's last error stays until it is
// taken.
cudaError_t cudaDeviceReset() {
  const std::lock_guard lock(tmaemu::Device::instance().mutex());
  const Error error = reset_device("cudaDeviceReset");
  if (error != Error::success) last_error() = error;
  return static_cast<cudaError_t>(error);
}

cudaError_t cudaDeviceGetLimit(size_t* value, cudaLimit limit) {
  return call([&] {
    if (any_null(value)) return Error::invalid_value;
    const auto found = device_limit(limit);
    if (!found) return unknown_limit(limit);
    *value = *found;
    return Error::success;
  });
}

cudaError_t cudaDeviceSetLimit(cudaLimit limit, size_t value) {
  return call_unseen([&] { return set_device_limit(limit, value); });
}

cudaError_t cudaDeviceGetStreamPriorityRange(int* least, int* greatest) {
  return call([&] {
    if (least != nullptr) *least = 0;
    if (greatest != nullptr) *greatest = -5;
    return Error::success;
  });
}

cudaError_t cudaDeviceGetCacheConfig(cudaFuncCache* config) {
  return tell(config, cudaFuncCachePreferNone);
}

cudaError_t cudaDeviceSetCacheConfig(cudaFuncCache) {
  return cudaSuccess;
}

cudaError_t cudaDeviceGetSharedMemConfig(cudaSharedMemConfig* config) {
  return tell(config, cudaSharedMemBankSizeFourByte);
}

cudaError_t cudaDeviceSetSharedMemConfig(cudaSharedMemConfig) {
  return cudaSuccess;
}

cudaError_t cudaCtxResetPersistingL2Cache() {
  return cudaSuccess;
}

cudaError_t cudaDeviceGetPCIBusId(char* id, int length, int device) {
  return call_for(device, [&] {
    if (any_null(id)) return Error::invalid_value;
    if (static_cast<size_t>(length) <= std::strlen(pci_bus_id)) return Error::invalid_value;
    std::snprintf(id, static_cast<size_t>(length), "%s", pci_bus_id);
    return Error::success;
  });
}

cudaError_t cudaDeviceGetByPCIBusId(int* device, const char* id) {
  return call([&] {
    if (any_null(device, id) || std::strchr(id, ':') == nullptr) return Error::invalid_value;
    if (std::strcmp(id, pci_bus_id) != 0) return Error::invalid_device;
    *device = the_device;
    return Error::success;
  });
}

// There is one device, so there are no peers.
cudaError_t cudaDeviceCanAccessPeer(int* can, int device, int peer) {
  return call([&] {
    if (any_null(can)) return Error::invalid_value;
    if (device != the_device || peer != the_device) return Error::invalid_device;
    *can = 0;
    return Error::success;
  });
}

cudaError_t cudaDeviceEnablePeerAccess(int peer, unsigned) {
  return call_for(peer, [] { return Error::peer_access_unsupported; });
}

cudaError_t cudaDeviceDisablePeerAccess(int peer) {
  return call_for(peer, [] { return Error::peer_access_not_enabled; });
}

cudaError_t cudaDriverGetVersion(int* version) {
  return tell(version, driver_version);
}

cudaError_t cudaRuntimeGetVersion(int* version) {
  return tell(version, runtime_version);
}

cudaError_t cudaProfilerStart() {
  return cudaSuccess;
}
cudaError_t cudaProfilerStop() {
  return cudaSuccess;
}

}  // extern "C"
