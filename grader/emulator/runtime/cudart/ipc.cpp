// CUDA Runtime API, "Device Management": sharing with other processes that run under the emulator.
#include <cuda_runtime_api.h>

#include <cstring>

#include "emulator/runtime/cudart/call.h"
#include "emulator/runtime/state/allocation.h"

using namespace tmaemu::runtime;
using tmaemu::SharedHandle;

static_assert(sizeof(SharedHandle) == sizeof(cudaIpcMemHandle_t));

namespace {

// Work is done when it is submitted, so an event of another process is done whenever it is asked
// about: the handle has to carry nothing but that it is one.
constexpr char event_mark[] = "tmaemu event";

}  // namespace

extern "C" {

cudaError_t cudaIpcGetMemHandle(cudaIpcMemHandle_t* handle, void* pointer) {
  return call([&] {
    if (any_null(handle)) return Error::invalid_value;
    SharedHandle shared;
    const Error error = share(pointer, shared);
    if (error == Error::success) std::memcpy(handle, shared.data(), shared.size());
    return error;
  });
}

cudaError_t cudaIpcOpenMemHandle(void** pointer, cudaIpcMemHandle_t handle, unsigned flags) {
  return call([&] {
    if (any_null(pointer)) return Error::invalid_value;
    if (flags != cudaIpcMemLazyEnablePeerAccess) return Error::invalid_value;
    SharedHandle shared;
    std::memcpy(shared.data(), &handle, shared.size());
    return open_shared(shared, *pointer);
  });
}

cudaError_t cudaIpcCloseMemHandle(void* pointer) {
  return call([&] { return close_shared(pointer); });
}

cudaError_t cudaIpcGetEventHandle(cudaIpcEventHandle_t* handle, cudaEvent_t event_handle) {
  return call([&] {
    if (any_null(handle)) return Error::invalid_handle;
    const Event* event = Events::instance().events.find(event_handle);
    if (event == nullptr) return Error::invalid_handle;
    if ((event->flags & event_interprocess) == 0) return Error::invalid_value;
    std::memset(handle, 0, sizeof *handle);
    std::memcpy(handle, event_mark, sizeof event_mark);
    return Error::success;
  });
}

cudaError_t cudaIpcOpenEventHandle(cudaEvent_t* event_handle, cudaIpcEventHandle_t handle) {
  return call([&] {
    if (any_null(event_handle)) return Error::invalid_value;
    if (std::memcmp(&handle, event_mark, sizeof event_mark) != 0) return Error::invalid_value;
    Event* event = nullptr;
    const Error error = create_event(event_disable_timing | event_interprocess, event);
    *event_handle = reinterpret_cast<cudaEvent_t>(event);
    return error;
  });
}

}  // extern "C"
