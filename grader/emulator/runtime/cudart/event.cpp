// CUDA Runtime API, "Event Management".
#include "emulator/runtime/state/event.h"

#include <cuda_runtime_api.h>

#include "emulator/runtime/cudart/call.h"

using namespace tmaemu::runtime;

namespace {

template <class Action>
cudaError_t call_with(cudaEvent_t handle, Action&& action, Error (*check)() = check_caller) {
  return call_if(check, [&] {
    Event* event = Events::instance().events.find(handle);
    return event == nullptr ? Error::invalid_handle : action(*event);
  });
}

}  // namespace

extern "C" {

cudaError_t cudaEventCreateWithFlags(cudaEvent_t* handle, unsigned flags) {
  return call([&] {
    if (any_null(handle)) return Error::invalid_value;
    Event* event = nullptr;
    const Error error = create_event(flags, event);
    *handle = reinterpret_cast<cudaEvent_t>(event);
    return error;
  });
}

cudaError_t cudaEventCreate(cudaEvent_t* handle) {
  return cudaEventCreateWithFlags(handle, 0);
}

cudaError_t cudaEventDestroy(cudaEvent_t handle) {
  return call([&] {
    return Events::instance().events.remove(handle) ? Error::success : Error::invalid_handle;
  });
}

cudaError_t cudaEventRecordWithFlags(cudaEvent_t handle, cudaStream_t stream_handle,
                                     unsigned flags) {
  return call_with(handle, [&](Event& event) {
    Stream* stream = Streams::instance().find(stream_handle);
    if (stream == nullptr) return Error::invalid_handle;
    if ((flags & ~unsigned{cudaEventRecordExternal}) != 0) return Error::invalid_value;
    return record(event, *stream, (flags & cudaEventRecordExternal) != 0);
  });
}

cudaError_t cudaEventRecord(cudaEvent_t handle, cudaStream_t stream) {
  return cudaEventRecordWithFlags(handle, stream, cudaEventRecordDefault);
}

// The driver lets host functions ask this.
cudaError_t cudaEventQuery(cudaEvent_t handle) {
  return call_with(
      handle, [](Event& event) { return synchronize(event); }, check_process);
}

cudaError_t cudaEventSynchronize(cudaEvent_t handle) {
  return call_with(handle, [](Event& event) { return synchronize(event); });
}

cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t start, cudaEvent_t end) {
  if (any_null(milliseconds)) return call([] { return Error::invalid_value; });
  return call_with(start, [&](Event& from) {
    Event* to = Events::instance().events.find(end);
    if (to == nullptr) return Error::invalid_handle;
    return elapsed_milliseconds(from, *to, *milliseconds);
  });
}

}  // extern "C"
