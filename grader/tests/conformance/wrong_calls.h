// Calls of CUDA's runtime and driver that are wrong, and what they need to be made.
#pragma once

#include <cuda.h>
#include <cuda_runtime.h>

#include <cstddef>
#include <functional>
#include <vector>

namespace conformance {

// Kernels, as cudaLaunchKernel knows them (wrong_calls_kernels.cu).
struct Kernels {
  const void* store;       // (int*): *p = 1
  const void* trap;        // (): __trap()
  const void* check;       // (int): assert(x == 3)
  const void* shared;      // (): with dynamic shared memory
  const void* free_twice;  // (): free(p); free(p)
  const void* jump;        // (void (*)()): calls it
  const void* print;   // (const char*): printf("%s\n", text), and formats that C leaves undefined
  const void* symbol;  // of 16 bytes
};
extern const Kernels kernels;

// One of everything that a call may be about, made anew for each call.
struct Things {
  Things();
  ~Things();
  Things(const Things&) = delete;
  Things& operator=(const Things&) = delete;

  // What is there. No call may leave any of these destroyed without saying so by a null.
  void* d = nullptr;       // 4096 bytes of device memory
  char* h = nullptr;       // 4096 bytes of ordinary host memory
  void* pinned = nullptr;  // 4096 bytes
  cudaStream_t s = nullptr;
  cudaEvent_t e = nullptr;  // recorded and over, as is
  cudaEvent_t e2 = nullptr;
  cudaGraph_t g = nullptr;  // of one empty node
  cudaGraphNode_t node = nullptr;
  cudaGraphExec_t exec = nullptr;
  cudaMemPool_t pool = nullptr;
  CUdeviceptr dp = 0;         // d
  CUmodule module = nullptr;  // of one kernel `k` without parameters and a variable `v` of 4 bytes
  CUfunction function = nullptr;

  // Where results go.
  void* q = nullptr;
  void* q2 = nullptr;
  std::size_t z = 0;
  std::size_t z2 = 0;
  int n = 0;
  int n2 = 0;
  unsigned u = 0;
  unsigned long long id = 0;
  float ms = 0;
  cudaStream_t new_s = nullptr;
  cudaEvent_t new_e = nullptr;
  cudaGraph_t new_g = nullptr;
  cudaGraphNode_t new_node = nullptr;
  cudaGraphExec_t new_exec = nullptr;
  cudaDeviceProp properties{};
  cudaFuncAttributes function_attributes{};
  cudaPointerAttributes pointer_attributes{};
  CUdeviceptr new_dp = 0;
  CUmodule new_module = nullptr;
  CUfunction new_function = nullptr;
  CUcontext context = nullptr;
  CUdevice device = 0;
};

struct WrongCall {
  const char* text;
  int (*make)(Things&);  // returns cudaError_t or CUresult: the same numbers
};

// The call's text is what it is recorded under.
#define WRONG_CALL(...)                                                                        \
  conformance::WrongCall {                                                                     \
#__VA_ARGS__,                                                                              \
        []([[maybe_unused]] conformance::Things & t) { return static_cast<int>(__VA_ARGS__); } \
  }

std::vector<WrongCall> wrong_memory_calls();
std::vector<WrongCall> wrong_copy_calls();
std::vector<WrongCall> wrong_stream_calls();
std::vector<WrongCall> wrong_capture_calls();
std::vector<WrongCall> wrong_graph_calls();
std::vector<WrongCall> wrong_device_calls();
std::vector<WrongCall> wrong_launch_calls();
std::vector<WrongCall> wrong_driver_calls();
std::vector<WrongCall> wrong_module_calls();

// A launch by cudaLaunchKernel, and what the device says of it afterward.
cudaError_t run_kernel(const void* kernel, dim3 grid, dim3 block, void** arguments,
                       std::size_t shared_bytes = 0);

// The answer to `call` while the stream captures, in the mode that CUDA takes for dangerous calls
// of every thread. The capture is over afterward, however it went.
int while_capturing(Things& things, const std::function<int()>& call);
// The answer that cudaStreamEndCapture gives after `call`.
int capture_after(Things& things, const std::function<int()>& call);
// The answer to `call` when a host function of the stream makes it.
int in_host_function(Things& things, const std::function<int()>& call);
// The answer to `call` in a child of this process, forked after it has used CUDA.
int in_forked_child(const std::function<int()>& call);

}  // namespace conformance
