// CUDA Runtime API, "Stream Management", without capture (graph.cpp).
#include "emulator/runtime/state/stream.h"

#include <cuda_runtime_api.h>

#include <cstring>

#include "emulator/runtime/cudart/call.h"
#include "emulator/runtime/state/allocation.h"

using namespace tmaemu::runtime;

static_assert(sizeof(cudaStreamAttrValue) == sizeof(StreamAttribute));

namespace {

cudaError_t create(cudaStream_t* handle, unsigned flags, int priority) {
  return call([&] {
    if (any_null(handle)) return Error::invalid_value;
    if ((flags & ~unsigned{cudaStreamNonBlocking}) != 0) return Error::invalid_value;
    *handle = reinterpret_cast<cudaStream_t>(Streams::instance().create(flags, priority));
    return Error::success;
  });
}

bool is_stream_attribute(cudaStreamAttrID attribute) {
  switch (attribute) {
    case cudaStreamAttributeAccessPolicyWindow:
    case cudaStreamAttributeSynchronizationPolicy:
    case cudaStreamAttributeMemSyncDomainMap:
    case cudaStreamAttributeMemSyncDomain:
    case cudaStreamAttributePriority:
      return true;
    default:
      return false;
  }
}

// What an attribute is before it is set (driver_types.h).
cudaStreamAttrValue initial_value(cudaStreamAttrID attribute, const Stream& stream) {
  cudaStreamAttrValue value{};
  if (attribute == cudaStreamAttributeSynchronizationPolicy) value.syncPolicy = cudaSyncPolicyAuto;
  if (attribute == cudaStreamAttributeMemSyncDomainMap) value.memSyncDomainMap.remote = 1;
  if (attribute == cudaStreamAttributePriority) value.priority = stream.priority;
  return value;
}

}  // namespace

extern "C" {

cudaError_t cudaStreamCreate(cudaStream_t* stream) {
  return create(stream, 0, 0);
}

cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned flags) {
  return create(stream, flags, 0);
}

cudaError_t cudaStreamCreateWithPriority(cudaStream_t* stream, unsigned flags, int priority) {
  return create(stream, flags, priority);
}

cudaError_t cudaStreamDestroy(cudaStream_t handle) {
  return call_on(handle, [](Stream& stream) {
    return Streams::instance().destroy(&stream) ? Error::success : Error::invalid_handle;
  });
}

cudaError_t cudaStreamSynchronize(cudaStream_t handle) {
  return call_on(handle, [](Stream& stream) {
    const Error error = Streams::instance().check_may_wait(stream);
    if (error != Error::success) return error;
    Streams::instance().host_waits_for(stream);
    return FaultState::instance().report();
  });
}

cudaError_t cudaStreamQuery(cudaStream_t handle) {
  return cudaStreamSynchronize(handle);
}

cudaError_t cudaStreamWaitEvent(cudaStream_t handle, cudaEvent_t event_handle, unsigned flags) {
  return call_on(handle, [&](Stream& stream) {
    Event* event = Events::instance().events.find(event_handle);
    if (event == nullptr) return Error::invalid_handle;
    if ((flags & ~unsigned{cudaEventWaitExternal}) != 0) return Error::invalid_value;
    return wait_event(stream, *event, (flags & cudaEventWaitExternal) != 0);
  });
}

cudaError_t cudaStreamAddCallback(cudaStream_t handle, cudaStreamCallback_t callback, void* data,
                                  unsigned flags) {
  return call_on(handle, [&](Stream& stream) {
    if (flags != 0 || callback == nullptr) return Error::invalid_value;
    if (stream.capture) return Error::stream_capture_unsupported;
    return Streams::instance().submit(stream, NodeKind::host, [&] {
      run_host_function([&] {
        callback(handle, cudaSuccess, data);
        return Error::success;
      });
      return Error::success;
    });
  });
}

cudaError_t cudaStreamGetFlags(cudaStream_t handle, unsigned* flags) {
  return call_on(handle, [&](Stream& stream) {
    if (any_null(flags)) return Error::invalid_value;
    *flags = stream.flags;
    return Error::success;
  });
}

cudaError_t cudaStreamGetPriority(cudaStream_t handle, int* priority) {
  return call_on(handle, [&](Stream& stream) {
    if (any_null(priority)) return Error::invalid_value;
    *priority = stream.priority;
    return Error::success;
  });
}

cudaError_t cudaStreamGetId(cudaStream_t handle, unsigned long long* id) {
  return call_on(handle, [&](Stream& stream) {
    if (any_null(id)) return Error::invalid_value;
    *id = stream.id;
    return Error::success;
  });
}

cudaError_t cudaStreamGetDevice(cudaStream_t handle, int* device) {
  return call_on(handle, [&](Stream&) {
    if (any_null(device)) return Error::invalid_value;
    *device = the_device;
    return Error::success;
  });
}

// A stream's attributes change no result: kept as set.
cudaError_t cudaStreamSetAttribute(cudaStream_t handle, cudaStreamAttrID attribute,
                                   const cudaStreamAttrValue* value) {
  return call_on(handle, [&](Stream& stream) {
    if (any_null(value)) return Error::invalid_value;
    if (!is_stream_attribute(attribute)) return Error::invalid_value;
    if (attribute == cudaStreamAttributePriority) {
      return not_modeled("the priority of a stream that exists");
    }
    std::memcpy(stream.attributes[attribute].data(), value, sizeof *value);
    return Error::success;
  });
}

cudaError_t cudaStreamGetAttribute(cudaStream_t handle, cudaStreamAttrID attribute,
                                   cudaStreamAttrValue* value) {
  return call_on(handle, [&](Stream& stream) {
    if (any_null(value)) return Error::invalid_value;
    if (!is_stream_attribute(attribute)) return Error::invalid_value;
    const auto kept = stream.attributes.find(attribute);
    *value = initial_value(attribute, stream);
    if (kept != stream.attributes.end()) std::memcpy(value, kept->second.data(), sizeof *value);
    return Error::success;
  });
}

cudaError_t cudaStreamCopyAttributes(cudaStream_t destination, cudaStream_t source) {
  return call_on(destination, [&](Stream& to) {
    const Stream* from = Streams::instance().find(source);
    if (from == nullptr) return Error::invalid_handle;
    to.attributes = from->attributes;
    return Error::success;
  });
}

// Managed memory is one memory here: attaching it to a stream changes nothing.
cudaError_t cudaStreamAttachMemAsync(cudaStream_t handle, void* pointer, size_t, unsigned) {
  return call_on(handle, [&](Stream&) {
    const tmaemu::Region* region = find_region(pointer);
    const bool managed = region != nullptr && region->kind == tmaemu::RegionKind::managed;
    return managed ? Error::success : Error::invalid_value;
  });
}

}  // extern "C"
