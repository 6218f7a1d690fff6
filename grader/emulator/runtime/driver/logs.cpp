// CUDA Driver API, "Error Log Management Functions": whom the driver tells of its errors. What the
// emulator has to tell goes to stderr, where the program's user sees it; nobody is called.
#include "emulator/runtime/driver/call.h"
#include "emulator/runtime/state/handles.h"

using namespace tmaemu::runtime;

namespace {

struct Callback {};

Handles<Callback>& callbacks() {
  static auto* all = new Handles<Callback>;  // a program's own static objects may unregister theirs
  return *all;
}

}  // namespace

extern "C" {

CUresult cuLogsRegisterCallback(CUlogsCallback function, void*, CUlogsCallbackHandle* handle) {
  if (any_null(handle) || function == nullptr) return CUDA_ERROR_INVALID_VALUE;
  const std::lock_guard lock(tmaemu::Device::instance().mutex());
  Callback* const added = callbacks().add(std::make_unique<Callback>());
  *handle = reinterpret_cast<CUlogsCallbackHandle>(added);
  return CUDA_SUCCESS;
}

CUresult cuLogsUnregisterCallback(CUlogsCallbackHandle handle) {
  const std::lock_guard lock(tmaemu::Device::instance().mutex());
  return callbacks().remove(handle) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

}  // extern "C"
