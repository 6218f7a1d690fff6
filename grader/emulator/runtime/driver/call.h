// What every entry point of the driver does around its work.
#pragma once

#include <cuda.h>

#include <mutex>
#include <new>
#include <utility>

#include "emulator/device/device.h"
#include "emulator/runtime/state/caller.h"
#include "emulator/runtime/state/context.h"
#include "emulator/runtime/state/error.h"
#include "emulator/runtime/state/event.h"
#include "emulator/runtime/state/module.h"
#include "emulator/runtime/state/stream.h"

namespace tmaemu::runtime {

inline constexpr CUdevice the_device = 0;

// The runtime has finer codes than the driver for bad arguments.
inline CUresult result_of(Error error) {
  switch (error) {
    case Error::invalid_configuration:
    case Error::invalid_pitch:
    case Error::invalid_memcpy_direction:
      return CUDA_ERROR_INVALID_VALUE;
    case Error::invalid_symbol:
      return CUDA_ERROR_NOT_FOUND;
    case Error::invalid_device_function:
      return CUDA_ERROR_INVALID_HANDLE;
    default:
      return static_cast<CUresult>(error);
  }
}

// Runs `action`, which returns an Error, with the device locked. `needs_context`: not allowed while
// the thread has no current context.
template <class Action>
CUresult guarded(bool needs_context, Action&& action) {
  const std::lock_guard lock(Device::instance().mutex());
  if (!Contexts::instance().driver_initialized) return CUDA_ERROR_NOT_INITIALIZED;
  if (needs_context && Contexts::current() == nullptr) return CUDA_ERROR_INVALID_CONTEXT;
  if (const Error refused = check_caller(); refused != Error::success) return result_of(refused);
  if (const Error sticky = FaultState::instance().sticky(); sticky != Error::success) {
    return result_of(sticky);
  }
  try {
    return result_of(std::forward<Action>(action)());
  } catch (const std::bad_alloc&) {
    return CUDA_ERROR_OUT_OF_MEMORY;
  }
}

// A call in the current context.
template <class Action>
CUresult call(Action&& action) {
  return guarded(true, std::forward<Action>(action));
}

// The same for a call that may do work on the device unseen, as those that allocate: while a stream
// captures it may be refused.
template <class Action>
CUresult call_unseen(Action&& action) {
  return call([&] {
    const Error error = Streams::instance().check_may_act_unseen();
    return error != Error::success ? error : std::forward<Action>(action)();
  });
}

// A call that works without a context.
template <class Action>
CUresult call_without_context(Action&& action) {
  return guarded(false, std::forward<Action>(action));
}

template <class Action>
CUresult call_on(CUstream handle, Action&& action) {
  return call([&] {
    Stream* stream = Streams::instance().find(handle);
    return stream == nullptr ? Error::invalid_handle : std::forward<Action>(action)(*stream);
  });
}

// Of a CUfunction or a CUkernel, which both are a Function.
template <class Action>
CUresult call_with_function(const void* handle, Action&& action) {
  return call([&] {
    Function* function = Registry::instance().find_function(handle);
    if (function == nullptr) return Error::invalid_handle;
    const Error error = function->resolve();
    return error != Error::success ? error : std::forward<Action>(action)(*function);
  });
}

template <class Action>
CUresult call_for(CUdevice device, Action&& action) {
  return call_without_context([&] {
    return device != the_device ? Error::invalid_device : std::forward<Action>(action)();
  });
}

inline void* pointer_to(CUdeviceptr address) {
  return reinterpret_cast<void*>(address);
}

}  // namespace tmaemu::runtime
