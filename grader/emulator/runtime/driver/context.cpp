// CUDA Driver API, "Primary Context Management" and "Context Management".
#include "emulator/runtime/state/context.h"

#include "emulator/runtime/driver/call.h"
#include "emulator/runtime/state/device_attributes.h"

using namespace tmaemu::runtime;

// Its newest form has a number that depends on the toolkit.
#undef cuCtxCreate

namespace {

CUcontext handle_of(ContextHandle* context) {
  return reinterpret_cast<CUcontext>(context);
}

CUresult create_context(CUcontext* handle, unsigned flags, CUdevice device) {
  return call_for(device, [&] {
    if (any_null(handle)) return Error::invalid_value;
    ContextHandle* context = Contexts::instance().create(flags);
    Contexts::stack().push_back(context);
    *handle = handle_of(context);
    return Error::success;
  });
}

}  // namespace

extern "C" {

CUresult cuDevicePrimaryCtxRetain(CUcontext* handle, CUdevice device) {
  return call_for(device, [&] {
    if (any_null(handle)) return Error::invalid_value;
    ++Contexts::instance().primary_references;
    *handle = handle_of(Contexts::instance().primary());
    return Error::success;
  });
}

CUresult cuDevicePrimaryCtxRelease(CUdevice device) {
  return call_for(device, [] {
    int& references = Contexts::instance().primary_references;
    if (references == 0) return Error::invalid_context;
    --references;
    return Error::success;
  });
}

CUresult cuDevicePrimaryCtxReset(CUdevice device) {
  if (device != the_device) return CUDA_ERROR_INVALID_DEVICE;
  const std::lock_guard lock(tmaemu::Device::instance().mutex());
  return result_of(reset_device("cuDevicePrimaryCtxReset"));
}

CUresult cuDevicePrimaryCtxSetFlags(CUdevice device, unsigned flags) {
  return call_for(device, [&] {
    Contexts::instance().primary()->flags = flags;
    return Error::success;
  });
}

CUresult cuDevicePrimaryCtxGetState(CUdevice device, unsigned* flags, int* active) {
  return call_for(device, [&] {
    if (any_null(flags, active)) return Error::invalid_value;
    Contexts& contexts = Contexts::instance();
    *flags = contexts.primary()->flags;
    *active = contexts.primary_references > 0 || contexts.runtime_uses_primary ? 1 : 0;
    return Error::success;
  });
}

CUresult cuCtxCreate_v2(CUcontext* handle, unsigned flags, CUdevice device) {
  return create_context(handle, flags, device);
}

CUresult cuCtxCreate_v4(CUcontext* handle, CUctxCreateParams* parameters, unsigned flags,
                        CUdevice device) {
  // Without a share of the SMs and without a client of graphics it is a context like any other.
  const bool is_plain = parameters == nullptr || (parameters->numExecAffinityParams == 0 &&
                                                  parameters->cigParams == nullptr);
  if (!is_plain) {
    return call_without_context([] { return not_modeled("cuCtxCreate with parameters"); });
  }
  return create_context(handle, flags, device);
}

CUresult cuCtxDestroy(CUcontext handle) {
  return call_without_context([&] {
    const Error error = FaultState::instance().synchronize();
    if (error != Error::success) return error;
    if (any_null(handle)) return Error::invalid_value;
    return Contexts::instance().destroy(handle) ? Error::success : Error::invalid_context;
  });
}

CUresult cuCtxGetCurrent(CUcontext* handle) {
  return call_without_context([&] {
    if (any_null(handle)) return Error::invalid_value;
    *handle = handle_of(Contexts::current());
    return Error::success;
  });
}

CUresult cuCtxSetCurrent(CUcontext handle) {
  return call_without_context([&] {
    ContextHandle* context = Contexts::instance().find(handle);
    if (handle != nullptr && context == nullptr) return Error::invalid_context;
    Contexts::instance().set_current(context);
    return Error::success;
  });
}

CUresult cuCtxPushCurrent(CUcontext handle) {
  return call_without_context([&] {
    if (any_null(handle)) return Error::invalid_value;
    ContextHandle* context = Contexts::instance().find(handle);
    if (context == nullptr) return Error::invalid_context;
    Contexts::stack().push_back(context);
    return Error::success;
  });
}

CUresult cuCtxPopCurrent(CUcontext* handle) {
  return call([&] {
    if (handle != nullptr) *handle = handle_of(Contexts::current());
    Contexts::stack().pop_back();
    return Error::success;
  });
}

CUresult cuCtxGetDevice(CUdevice* device) {
  return call([&] {
    if (any_null(device)) return Error::invalid_value;
    *device = the_device;
    return Error::success;
  });
}

CUresult cuCtxGetId(CUcontext handle, unsigned long long* id) {
  return call_without_context([&] {
    if (any_null(id)) return Error::invalid_value;
    const ContextHandle* context =
        handle == nullptr ? Contexts::current() : Contexts::instance().find(handle);
    if (context == nullptr) return Error::invalid_context;
    *id = context->id;
    return Error::success;
  });
}

CUresult cuCtxGetFlags(unsigned* flags) {
  return call([&] {
    if (any_null(flags)) return Error::invalid_value;
    *flags = Contexts::current()->flags;
    return Error::success;
  });
}

CUresult cuCtxGetApiVersion(CUcontext handle, unsigned* version) {
  return call_without_context([&] {
    if (any_null(version)) return Error::invalid_value;
    if (handle != nullptr && Contexts::instance().find(handle) == nullptr) {
      return Error::invalid_context;
    }
    *version = 3020;
    return Error::success;
  });
}

CUresult cuCtxSynchronize() {
  return call([] {
    const Error error = Streams::instance().check_may_wait_for_device();
    return error != Error::success ? error : FaultState::instance().synchronize();
  });
}

CUresult cuCtxGetLimit(size_t* value, CUlimit limit) {
  return call([&] {
    if (any_null(value)) return Error::invalid_value;
    const auto found = device_limit(limit);
    if (!found) return unknown_limit(limit);
    *value = *found;
    return Error::success;
  });
}

CUresult cuCtxSetLimit(CUlimit limit, size_t value) {
  return call([&] { return set_device_limit(limit, value); });
}

CUresult cuCtxGetStreamPriorityRange(int* least, int* greatest) {
  return call([&] {
    if (least != nullptr) *least = 0;
    if (greatest != nullptr) *greatest = -5;
    return Error::success;
  });
}

CUresult cuCtxGetCacheConfig(CUfunc_cache* config) {
  return call([&] {
    if (any_null(config)) return Error::invalid_value;
    *config = CU_FUNC_CACHE_PREFER_NONE;
    return Error::success;
  });
}

CUresult cuCtxSetCacheConfig(CUfunc_cache) {
  return call([] { return Error::success; });
}

CUresult cuCtxResetPersistingL2Cache() {
  return call([] { return Error::success; });
}

}  // extern "C"
