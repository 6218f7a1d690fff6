// Memory and events shared with another process.
#include <sys/wait.h>
#include <unistd.h>

#include "runtime_test.h"

struct Handles {
  cudaIpcMemHandle_t memory;
  cudaIpcEventHandle_t event;
};

__global__ void increment(int* values) {
  values[threadIdx.x] += 1;
}

// The other process: adds one to the memory that it was given.
static int child(int from_parent) {
  Handles handles{};
  if (read(from_parent, &handles, sizeof handles) != sizeof handles) return EXIT_FAILURE;
  int* values = nullptr;
  cudaEvent_t event = nullptr;
  CHECK_OK(cudaIpcOpenMemHandle(reinterpret_cast<void**>(&values), handles.memory,
                                cudaIpcMemLazyEnablePeerAccess));
  CHECK_OK(cudaIpcOpenEventHandle(&event, handles.event));
  CHECK_OK(cudaStreamWaitEvent(nullptr, event));
  increment<<<1, 32>>>(values);
  CHECK_OK(cudaDeviceSynchronize());
  CHECK_OK(cudaIpcCloseMemHandle(values));
  return runtime_test::failures;
}

static void parent(int to_child, pid_t pid) {
  int* values = nullptr;
  int back[32] = {};
  int status = -1;
  Handles handles{};
  cudaEvent_t event = nullptr;
  CHECK_OK(cudaMalloc(&values, sizeof back));
  CHECK_OK(cudaMemset(values, 0, sizeof back));
  CHECK_OK(cudaEventCreateWithFlags(&event, cudaEventDisableTiming | cudaEventInterprocess));
  CHECK_OK(cudaEventRecord(event));
  CHECK_OK(cudaIpcGetMemHandle(&handles.memory, values));
  CHECK_OK(cudaIpcGetEventHandle(&handles.event, event));
  CHECK(write(to_child, &handles, sizeof handles) == sizeof handles);
  CHECK(waitpid(pid, &status, 0) == pid && status == 0);
  CHECK_OK(cudaMemcpy(back, values, sizeof back, cudaMemcpyDeviceToHost));
  CHECK(back[0] == 1 && back[31] == 1);
  CHECK_OK(cudaFree(values));
}

int main() {
  int pipe_ends[2];
  if (pipe(pipe_ends) != 0) return EXIT_FAILURE;
  const pid_t pid = fork();  // before the first CUDA call
  if (pid == 0) _exit(child(pipe_ends[0]));
  parent(pipe_ends[1], pid);
  return runtime_test::result();
}
