// Streams, events, host functions, and their errors.
#include <thread>

#include "runtime_test.h"

__global__ void add(int* value, int amount) {
  *value += amount;
}

static void work_of_a_stream_is_in_order() {
  cudaStream_t stream = nullptr;
  int* device = nullptr;
  int result = 0;
  CHECK_OK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  CHECK_OK(cudaMalloc(&device, sizeof(int)));
  CHECK_OK(cudaMemsetAsync(device, 0, sizeof(int), stream));
  for (int i = 1; i <= 10; ++i) add<<<1, 1, 0, stream>>>(device, i);
  CHECK_OK(cudaMemcpyAsync(&result, device, sizeof result, cudaMemcpyDeviceToHost, stream));
  CHECK_OK(cudaLaunchHostFunc(
      stream, [](void* data) { *static_cast<int*>(data) *= 2; }, &result));
  CHECK_OK(cudaStreamSynchronize(stream));
  CHECK(result == 110);
  CHECK_OK(cudaStreamQuery(stream));
  CHECK_OK(cudaStreamDestroy(stream));
  CHECK_OK(cudaFree(device));
}

static void events_measure_time() {
  cudaEvent_t start = nullptr, end = nullptr;
  float milliseconds = -1;
  CHECK_OK(cudaEventCreate(&start));
  CHECK_OK(cudaEventCreate(&end));
  CHECK_ERROR(cudaErrorInvalidResourceHandle, cudaEventElapsedTime(&milliseconds, start, end));
  CHECK_OK(cudaEventQuery(start));
  CHECK_OK(cudaEventRecord(start));
  CHECK_OK(cudaEventRecord(end));
  CHECK_OK(cudaEventSynchronize(end));
  CHECK_OK(cudaEventElapsedTime(&milliseconds, start, end));
  CHECK(milliseconds >= 0);
  cudaGetLastError();
  CHECK_OK(cudaEventDestroy(start));
  CHECK_OK(cudaEventDestroy(end));
}

static void events_without_timing_have_no_time() {
  cudaEvent_t event = nullptr;
  float milliseconds = 0;
  CHECK_OK(cudaEventCreateWithFlags(&event, cudaEventDisableTiming));
  CHECK_OK(cudaEventRecord(event));
  CHECK_OK(cudaStreamWaitEvent(nullptr, event));
  CHECK_ERROR(cudaErrorInvalidResourceHandle, cudaEventElapsedTime(&milliseconds, event, event));
  cudaGetLastError();
  CHECK_OK(cudaEventDestroy(event));
}

static void each_thread_has_its_last_error() {
  CHECK_ERROR(cudaErrorInvalidDevice, cudaSetDevice(99));
  std::thread([] { CHECK_OK(cudaGetLastError()); }).join();
  CHECK_ERROR(cudaErrorInvalidDevice, cudaGetLastError());
}

int main() {
  work_of_a_stream_is_in_order();
  events_measure_time();
  events_without_timing_have_no_time();
  each_thread_has_its_last_error();
  return runtime_test::result();
}
