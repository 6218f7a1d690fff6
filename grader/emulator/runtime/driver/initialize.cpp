// CUDA Driver API, "Error Handling", "Initialization", "Version Management".
#include "emulator/runtime/driver/call.h"
#include "emulator/runtime/state/device_attributes.h"

using namespace tmaemu::runtime;

extern "C" {

CUresult cuInit(unsigned flags) {
  if (flags != 0) return CUDA_ERROR_INVALID_VALUE;
  const std::lock_guard lock(tmaemu::Device::instance().mutex());
  if (const Error error = check_caller(); error != Error::success) return result_of(error);
  Contexts::instance().driver_initialized = true;
  return CUDA_SUCCESS;
}

CUresult cuDriverGetVersion(int* version) {
  if (version == nullptr) return CUDA_ERROR_INVALID_VALUE;
  *version = driver_version;
  return CUDA_SUCCESS;
}

CUresult cuGetErrorName(CUresult error, const char** name) {
  if (name == nullptr) return CUDA_ERROR_INVALID_VALUE;
  const ErrorText* text = find_error_text(error);
  const bool known = text != nullptr && *text->driver_name != '\0';
  *name = known ? text->driver_name : nullptr;
  return known ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

CUresult cuGetErrorString(CUresult error, const char** description) {
  if (description == nullptr) return CUDA_ERROR_INVALID_VALUE;
  const ErrorText* text = find_error_text(error);
  const bool known = text != nullptr && *text->driver_name != '\0';
  *description = known ? text->description : nullptr;
  return known ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

CUresult cuProfilerStart() {
  return CUDA_SUCCESS;
}
CUresult cuProfilerStop() {
  return CUDA_SUCCESS;
}

}  // extern "C"
