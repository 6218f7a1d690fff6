// CUDA Runtime API, "Error Handling".
#include "emulator/runtime/state/error.h"

#include <cuda_runtime_api.h>

#include <utility>

#include "emulator/runtime/cudart/call.h"
#include "emulator/runtime/state/refused_launches.h"

using namespace tmaemu::runtime;

extern "C" {

// Both tell only what the thread's calls have returned. After a kernel's fault every other call
// returns that fault again, and so makes it the last error again; these two by themselves do not.
cudaError_t cudaGetLastError() {
  RefusedLaunches::instance().asked();
  return static_cast<cudaError_t>(std::exchange(last_error(), Error::success));
}

cudaError_t cudaPeekAtLastError() {
  RefusedLaunches::instance().asked();
  return static_cast<cudaError_t>(last_error());
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
