// A program that uses the runtime, and the driver beside it, as torch does.
#include <thread>

#include "driver_test.h"

static void who_uses_the_runtime_has_initialized_the_driver_for_all_threads() {
  CHECK_OK(cudaFree(nullptr));
  std::thread([] {
    unsigned flags = 0;
    int active = 0;
    CHECK_DRIVER(cuDevicePrimaryCtxGetState(0, &flags, &active));
    CHECK(active == 1);
  }).join();
}

static void the_drivers_errors_are_not_the_runtimes() {
  CUdeviceptr memory = 0;
  CHECK_ERROR(cudaSuccess, cudaGetLastError());
  CHECK_RESULT(CUDA_ERROR_INVALID_VALUE, cuMemAlloc(&memory, 0));
  CHECK_ERROR(cudaSuccess, cudaPeekAtLastError());
  CHECK_ERROR(cudaErrorInvalidDevice, cudaSetDevice(-1));
  CHECK_DRIVER(cuMemAlloc(&memory, 4));
  CHECK_DRIVER(cuMemFree(memory));
  CHECK_ERROR(cudaErrorInvalidDevice, cudaGetLastError());
}

static void CUDA_CB hear(void*, CUlogLevel, char*, size_t) {}

static void a_listener_to_the_drivers_log_is_taken() {
  CUlogsCallbackHandle handle = nullptr;
  CHECK_DRIVER(cuLogsRegisterCallback(hear, nullptr, &handle));
  CHECK_DRIVER(cuLogsUnregisterCallback(handle));
}

int main() {
  who_uses_the_runtime_has_initialized_the_driver_for_all_threads();
  the_drivers_errors_are_not_the_runtimes();
  a_listener_to_the_drivers_log_is_taken();
  return runtime_test::result();
}
