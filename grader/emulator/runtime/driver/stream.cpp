// CUDA Driver API, "Stream Management" and "Event Management".
#include "emulator/runtime/driver/call.h"

using namespace tmaemu::runtime;

// Its newest form has a number that depends on the toolkit.
#undef cuEventElapsedTime

namespace {

CUresult create(CUstream* handle, unsigned flags, int priority) {
  return call([&] {
    if (any_null(handle)) return Error::invalid_value;
    if ((flags & ~unsigned{CU_STREAM_NON_BLOCKING}) != 0) return Error::invalid_value;
    *handle = reinterpret_cast<CUstream>(Streams::instance().create(flags, priority));
    return Error::success;
  });
}

template <class Action>
CUresult call_with(CUevent handle, Action&& action) {
  return call([&] {
    Event* event = Events::instance().events.find(handle);
    return event == nullptr ? Error::invalid_handle : action(*event);
  });
}

}  // namespace

extern "C" {

CUresult cuStreamCreate(CUstream* stream, unsigned flags) {
  return create(stream, flags, 0);
}
CUresult cuStreamCreateWithPriority(CUstream* stream, unsigned flags, int priority) {
  return create(stream, flags, priority);
}

CUresult cuStreamDestroy(CUstream handle) {
  return call_on(handle, [](Stream& stream) {
    return Streams::instance().destroy(&stream) ? Error::success : Error::invalid_handle;
  });
}

CUresult cuStreamSynchronize(CUstream handle) {
  return call_on(handle, [](Stream& stream) {
    const Error error = Streams::instance().check_may_wait(stream);
    if (error != Error::success) return error;
    Streams::instance().host_waits_for(stream);
    return FaultState::instance().report();
  });
}
CUresult cuStreamQuery(CUstream handle) {
  return cuStreamSynchronize(handle);
}

CUresult cuStreamWaitEvent(CUstream handle, CUevent event_handle, unsigned flags) {
  return call_on(handle, [&](Stream& stream) {
    Event* event = Events::instance().events.find(event_handle);
    if (event == nullptr) return Error::invalid_handle;
    if ((flags & ~unsigned{CU_EVENT_WAIT_EXTERNAL}) != 0) return Error::invalid_value;
    return wait_event(stream, *event, (flags & CU_EVENT_WAIT_EXTERNAL) != 0);
  });
}

CUresult cuStreamAddCallback(CUstream handle, CUstreamCallback callback, void* data,
                             unsigned flags) {
  return call_on(handle, [&](Stream& stream) {
    if (flags != 0 || callback == nullptr) return Error::invalid_value;
    if (stream.capture) return Error::stream_capture_unsupported;
    callback(handle, CUDA_SUCCESS, data);
    return Error::success;
  });
}

CUresult cuStreamGetFlags(CUstream handle, unsigned* flags) {
  return call_on(handle, [&](Stream& stream) {
    if (any_null(flags)) return Error::invalid_value;
    *flags = stream.flags;
    return Error::success;
  });
}

CUresult cuStreamGetPriority(CUstream handle, int* priority) {
  return call_on(handle, [&](Stream& stream) {
    if (any_null(priority)) return Error::invalid_value;
    *priority = stream.priority;
    return Error::success;
  });
}

CUresult cuStreamGetId(CUstream handle, unsigned long long* id) {
  return call_on(handle, [&](Stream& stream) {
    if (any_null(id)) return Error::invalid_value;
    *id = stream.id;
    return Error::success;
  });
}

CUresult cuStreamGetCtx(CUstream handle, CUcontext* context) {
  return call_on(handle, [&](Stream&) {
    if (any_null(context)) return Error::invalid_value;
    *context = reinterpret_cast<CUcontext>(Contexts::current());
    return Error::success;
  });
}

CUresult cuStreamIsCapturing(CUstream handle, CUstreamCaptureStatus* status) {
  return call_on(handle, [&](Stream& stream) {
    if (any_null(status)) return Error::invalid_value;
    const CaptureStatus now = stream.capture ? stream.capture->status : CaptureStatus::none;
    *status = static_cast<CUstreamCaptureStatus>(now);
    return Error::success;
  });
}

CUresult cuStreamAttachMemAsync(CUstream handle, CUdeviceptr, size_t, unsigned) {
  return call_on(handle, [](Stream&) { return Error::success; });
}

CUresult cuEventCreate(CUevent* handle, unsigned flags) {
  return call([&] {
    if (any_null(handle)) return Error::invalid_value;
    Event* event = nullptr;
    const Error error = create_event(flags, event);
    *handle = reinterpret_cast<CUevent>(event);
    return error;
  });
}

CUresult cuEventDestroy(CUevent handle) {
  return call([&] {
    return Events::instance().events.remove(handle) ? Error::success : Error::invalid_handle;
  });
}

CUresult cuEventRecordWithFlags(CUevent handle, CUstream stream_handle, unsigned flags) {
  return call_with(handle, [&](Event& event) {
    Stream* stream = Streams::instance().find(stream_handle);
    if (stream == nullptr) return Error::invalid_handle;
    if ((flags & ~unsigned{CU_EVENT_RECORD_EXTERNAL}) != 0) return Error::invalid_value;
    return record(event, *stream, (flags & CU_EVENT_RECORD_EXTERNAL) != 0);
  });
}
CUresult cuEventRecord(CUevent handle, CUstream stream) {
  return cuEventRecordWithFlags(handle, stream, CU_EVENT_RECORD_DEFAULT);
}

CUresult cuEventQuery(CUevent handle) {
  return call_with(handle, [](Event& event) { return synchronize(event); });
}
CUresult cuEventSynchronize(CUevent handle) {
  return call_with(handle, [](Event& event) { return synchronize(event); });
}

CUresult cuEventElapsedTime_v2(float* milliseconds, CUevent start, CUevent end) {
  return call_with(start, [&](Event& from) {
    if (any_null(milliseconds)) return Error::invalid_handle;
    Event* to = Events::instance().events.find(end);
    if (to == nullptr) return Error::invalid_handle;
    return elapsed_milliseconds(from, *to, *milliseconds);
  });
}
CUresult cuEventElapsedTime(float* milliseconds, CUevent start, CUevent end) {
  return cuEventElapsedTime_v2(milliseconds, start, end);
}

}  // extern "C"
