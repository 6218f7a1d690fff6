// CUDA Runtime API, "Error Handling".
#include "emulator/runtime/state/error.h"

#include <cuda_runtime_api.h>

#include "emulator/runtime/cudart/call.h"

using namespace tmaemu::runtime;

extern "C" {

cudaError_t cudaGetLastError() {
  const Error sticky = FaultState::instance().sticky();
  const Error error = sticky != Error::success ? sticky : last_error();
  last_error() = Error::success;
  return static_cast<cudaError_t>(error);
}

cudaError_t cudaPeekAtLastError() {
  const Error sticky = FaultState::instance().sticky();
  return static_cast<cudaError_t>(sticky != Error::success ? sticky : last_error());
}

const char* cudaGetErrorName(cudaError_t error) {
  const ErrorText* text = find_error_text(error);
  return text == nullptr || *text->runtime_name == '\0' ? "unrecognized error code"
                                                        : text->runtime_name;
}

const char* cudaGetErrorString(cudaError_t error) {
  const ErrorText* text = find_error_text(error);
  return text == nullptr || *text->runtime_name == '\0' ? "unrecognized error code"
                                                        : text->description;
}

}  // extern "C"
