// What every entry point of the runtime does around its work.
#pragma once

#include <driver_types.h>

#include <mutex>
#include <new>
#include <utility>

#include "emulator/device/device.h"
#include "emulator/runtime/state/caller.h"
#include "emulator/runtime/state/context.h"
#include "emulator/runtime/state/error.h"
#include "emulator/runtime/state/event.h"
#include "emulator/runtime/state/stream.h"

namespace tmaemu::runtime {

inline constexpr int the_device = 0;

// Runs `action`, which returns an Error, with the device locked, where `check` has nothing against
// the caller; keeps its error as the thread's last error. After a kernel has faulted, every call
// returns that fault instead.
template <class Action>
cudaError_t call_if(Error (*check)(), Action&& action) {
  const std::lock_guard lock(Device::instance().mutex());
  Error error = check();
  if (error == Error::success) {
    Contexts::instance().ensure_current();
    error = FaultState::instance().sticky();
  }
  if (error == Error::success) {
    try {
      error = std::forward<Action>(action)();
    } catch (const std::bad_alloc&) {
      error = Error::out_of_memory;
    }
  }
  if (error != Error::success) last_error() = error;
  return static_cast<cudaError_t>(error);
}

template <class Action>
cudaError_t call(Action&& action) {
  return call_if(check_caller, std::forward<Action>(action));
}

// The same for a call that may do work on the device unseen, as those that allocate: while a stream
// captures it may be refused.
template <class Action>
cudaError_t call_unseen(Action&& action) {
  return call([&] {
    const Error error = Streams::instance().check_may_act_unseen();
    return error != Error::success ? error : std::forward<Action>(action)();
  });
}

// A fact that needs no device, and is told after a fault as well.
template <class Value>
cudaError_t tell(Value* place, Value value) {
  const Error error = any_null(place) ? Error::invalid_value : Error::success;
  if (error != Error::success) {
    last_error() = error;
    return static_cast<cudaError_t>(error);
  }
  *place = value;
  return cudaSuccess;
}

// As tell(), of a device: `fill` writes the facts.
template <class Value, class Fill>
cudaError_t tell_of(int device, Value* place, Fill&& fill) {
  const Error error = any_null(place)        ? Error::invalid_value
                      : device != the_device ? Error::invalid_device
                                             : Error::success;
  if (error == Error::success) {
    std::forward<Fill>(fill)(*place);
  } else {
    last_error() = error;
  }
  return static_cast<cudaError_t>(error);
}

// A call on a stream: `action` gets the stream.
template <class Action>
cudaError_t call_on(cudaStream_t handle, Action&& action) {
  return call([&] {
    Stream* stream = Streams::instance().find(handle);
    return stream == nullptr ? Error::invalid_handle : std::forward<Action>(action)(*stream);
  });
}

// The same for a call that may name any device, of which there is one.
template <class Action>
cudaError_t call_for(int device, Action&& action) {
  return call([&] {
    return device != the_device ? Error::invalid_device : std::forward<Action>(action)();
  });
}

}  // namespace tmaemu::runtime
