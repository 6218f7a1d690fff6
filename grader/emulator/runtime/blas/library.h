// What every entry point of cuBLAS does around its work, and a program's handles.
#pragma once

#include <mutex>
#include <new>
#include <string>
#include <utility>

#include "emulator/device/device.h"
#include "emulator/runtime/blas/abi.h"
#include "emulator/runtime/state/handles.h"

namespace tmaemu::runtime {

// A cublasHandle_t, which is a cublasLtHandle_t as well.
struct BlasHandle {
  const void* stream = nullptr;
  PointerMode pointer_mode = PointerMode::host;
  int math_mode = 0;
  int atomics_mode = 0;
  int sm_count_target = 0;
};

// The live ones.
Handles<BlasHandle>& blas_handles();

struct BlasStatusText {
  const char* name;         // "CUBLAS_STATUS_INVALID_VALUE"
  const char* description;  // "an unsupported value or parameter was passed to the function"
};
BlasStatusText blas_status_text(int status);

// Says on stderr why the call is refused, and returns the status.
BlasStatus refuse(BlasStatus status, const char* call, const std::string& why);

// Whether the caller may use the device, as the status of a call that may not.
BlasStatus check_blas_caller();

// Runs `action`, which returns a BlasStatus, with the device locked.
template <class Action>
int blas_call(Action&& action) {
  const std::lock_guard lock(Device::instance().mutex());
  BlasStatus status = check_blas_caller();
  if (status == BlasStatus::success) {
    try {
      status = std::forward<Action>(action)();
    } catch (const std::bad_alloc&) {
      status = BlasStatus::alloc_failed;
    }
  }
  return static_cast<int>(status);
}

// The same with what a handle stands for.
template <class Action>
int blas_call_on(const void* handle, Action&& action) {
  return blas_call([&] {
    BlasHandle* const found = blas_handles().find(handle);
    return found == nullptr ? BlasStatus::not_initialized : std::forward<Action>(action)(*found);
  });
}

// cublasGetProperty and cublasLtGetProperty. `version`: major * 10000 + minor * 100 + patch.
int blas_property(int version, int property, int* value);

int create_blas_handle(void** handle);
int destroy_blas_handle(void* handle);

}  // namespace tmaemu::runtime

// What the generated entry points of calls that are not modeled jump to (exports/make_stubs.py).
extern "C" int tmaemu_blas_not_modeled(const char* call);
