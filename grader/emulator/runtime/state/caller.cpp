#include "emulator/runtime/state/caller.h"

#include <pthread.h>

#include <atomic>

#include "emulator/runtime/state/host_memory.h"
#include "emulator/runtime/state/stream.h"

namespace tmaemu::runtime {
namespace {

std::atomic<bool> forked_after_use = false;
thread_local int host_functions = 0;  // that the thread is inside of

// The first call marks the process; its children are told from it when they begin.
void note_use() {
  static const bool noted = [] {
    pthread_atfork(nullptr, nullptr, [] { forked_after_use = true; });
    return true;
  }();
  static_cast<void>(noted);
}

}  // namespace

Error check_process() {
  if (forked_after_use) {
    explain(
        "this process was forked by one that had used CUDA, and cannot use it; fork before the "
        "first CUDA call, or start the program anew with exec");
    return Error::not_initialized;
  }
  note_use();
  return Error::success;
}

Error check_caller() {
  if (const Error error = check_process(); error != Error::success) return error;
  if (host_functions != 0) {
    explain(
        "a host function (cudaLaunchHostFunc) must make no CUDA calls; let it tell another thread, "
        "which makes them");
    return Error::not_permitted;
  }
  return Error::success;
}

void run_host_function(const Work& function) {
  let_host_be();  // what is before it in its stream is over
  ++host_functions;
  function();
  --host_functions;
  if (const StreamPlace* const place = Streams::instance().current()) {
    Streams::instance().host_may_know(place->known);
  }
}

Work host_function(void (*function)(void*), void* data) {
  return [function, data] {
    run_host_function([&] {
      function(data);
      return Error::success;
    });
    return Error::success;
  };
}

}  // namespace tmaemu::runtime
