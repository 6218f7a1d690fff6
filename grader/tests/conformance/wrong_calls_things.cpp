#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>

#include "tests/conformance/wrong_calls.h"

namespace conformance {
namespace {

constexpr char module_text[] =
    ".version 8.0\n.target sm_90\n.address_size 64\n"
    ".visible .global .align 4 .u32 v;\n"
    ".visible .entry k() { ret; }\n";

void require(int result, const char* what) {
  if (result == 0) return;
  std::fprintf(stderr, "conformance_calls: %s: CUDA error %d\n", what, result);
  std::exit(3);
}

void call_it(void* call) {
  (*static_cast<std::function<void()>*>(call))();
}

}  // namespace

Things::Things() {
  require(cudaMalloc(&d, 4096), "cudaMalloc");
  dp = reinterpret_cast<CUdeviceptr>(d);
  h = static_cast<char*>(std::calloc(4096, 1));
  require(cudaMallocHost(&pinned, 4096), "cudaMallocHost");
  require(cudaStreamCreate(&s), "cudaStreamCreate");
  require(cudaEventCreate(&e), "cudaEventCreate");
  require(cudaEventCreate(&e2), "cudaEventCreate");
  require(cudaEventRecord(e, s), "cudaEventRecord");
  require(cudaEventRecord(e2, s), "cudaEventRecord");
  require(cudaGraphCreate(&g, 0), "cudaGraphCreate");
  require(cudaGraphAddEmptyNode(&node, g, nullptr, 0), "cudaGraphAddEmptyNode");
  require(cudaGraphInstantiate(&exec, g, 0), "cudaGraphInstantiate");
  require(cudaDeviceGetDefaultMemPool(&pool, 0), "cudaDeviceGetDefaultMemPool");
  require(cuModuleLoadData(&module, module_text), "cuModuleLoadData");
  require(cuModuleGetFunction(&function, module, "k"), "cuModuleGetFunction");
  cudaFuncSetAttribute(kernels.shared, cudaFuncAttributeMaxDynamicSharedMemorySize, 0);
  require(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
}

// What a wrong call has left behind is of no interest here: the next process starts afresh.
Things::~Things() {
  if (exec != nullptr) cudaGraphExecDestroy(exec);
  if (g != nullptr) cudaGraphDestroy(g);
  if (module != nullptr) cuModuleUnload(module);
  if (e != nullptr) cudaEventDestroy(e);
  if (e2 != nullptr) cudaEventDestroy(e2);
  if (s != nullptr) cudaStreamDestroy(s);
  if (d != nullptr) cudaFree(d);
  if (pinned != nullptr) cudaFreeHost(pinned);
  std::free(h);
}

cudaError_t run_kernel(const void* kernel, dim3 grid, dim3 block, void** arguments,
                       std::size_t shared_bytes) {
  const cudaError_t launched =
      cudaLaunchKernel(kernel, grid, block, arguments, shared_bytes, nullptr);
  return launched != cudaSuccess ? launched : cudaDeviceSynchronize();
}

int while_capturing(Things& things, const std::function<int()>& call) {
  require(cudaStreamBeginCapture(things.s, cudaStreamCaptureModeGlobal), "cudaStreamBeginCapture");
  const int answer = call();
  cudaGraph_t graph = nullptr;
  if (things.s != nullptr) cudaStreamEndCapture(things.s, &graph);
  if (graph != nullptr) cudaGraphDestroy(graph);
  return answer;
}

int capture_after(Things& things, const std::function<int()>& call) {
  require(cudaStreamBeginCapture(things.s, cudaStreamCaptureModeGlobal), "cudaStreamBeginCapture");
  call();
  cudaGraph_t graph = nullptr;
  const int answer = cudaStreamEndCapture(things.s, &graph);
  if (graph != nullptr) cudaGraphDestroy(graph);
  return answer;
}

int in_host_function(Things& things, const std::function<int()>& call) {
  int answer = -1;
  std::function<void()> action = [&] { answer = call(); };
  require(cudaLaunchHostFunc(things.s, call_it, &action), "cudaLaunchHostFunc");
  require(cudaStreamSynchronize(things.s), "cudaStreamSynchronize");
  return answer;
}

int in_forked_child(const std::function<int()>& call) {
  std::fflush(nullptr);
  const pid_t child = fork();
  if (child == 0) {
    alarm(10);
    const int answer = call();
    _exit(answer > 250 ? 250 : answer);
  }
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

}  // namespace conformance
