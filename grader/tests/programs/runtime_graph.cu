// Graphs: captured from streams, with forks; and made node by node.
#include "runtime_test.h"

__global__ void add(int* value, int amount) {
  *value += amount;
}
__global__ void multiply(int* value, int factor) {
  *value *= factor;
}

static int* device = nullptr;

static int value() {
  int result = 0;
  CHECK_OK(cudaMemcpy(&result, device, sizeof result, cudaMemcpyDeviceToHost));
  return result;
}

static void captured_work_runs_when_launched() {
  cudaStream_t stream = nullptr;
  cudaGraph_t graph = nullptr;
  cudaGraphExec_t executable = nullptr;
  CHECK_OK(cudaStreamCreate(&stream));
  CHECK_OK(cudaMemset(device, 0, sizeof(int)));
  CHECK_OK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  add<<<1, 1, 0, stream>>>(device, 3);
  multiply<<<1, 1, 0, stream>>>(device, 2);
  CHECK_OK(cudaStreamEndCapture(stream, &graph));
  CHECK(value() == 0);
  CHECK_OK(cudaGraphInstantiate(&executable, graph, 0));
  CHECK_OK(cudaGraphLaunch(executable, stream));
  CHECK_OK(cudaGraphLaunch(executable, stream));
  CHECK_OK(cudaStreamSynchronize(stream));
  CHECK(value() == 18);
  CHECK_OK(cudaGraphExecDestroy(executable));
  CHECK_OK(cudaGraphDestroy(graph));
  CHECK_OK(cudaStreamDestroy(stream));
}

static void events_fork_and_join_captures() {
  cudaStream_t first = nullptr, second = nullptr;
  cudaEvent_t fork = nullptr, join = nullptr;
  cudaGraph_t graph = nullptr;
  size_t count = 0;
  cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
  CHECK_OK(cudaStreamCreate(&first));
  CHECK_OK(cudaStreamCreate(&second));
  CHECK_OK(cudaEventCreateWithFlags(&fork, cudaEventDisableTiming));
  CHECK_OK(cudaEventCreateWithFlags(&join, cudaEventDisableTiming));
  CHECK_OK(cudaStreamBeginCapture(first, cudaStreamCaptureModeGlobal));
  add<<<1, 1, 0, first>>>(device, 1);
  CHECK_OK(cudaEventRecord(fork, first));
  CHECK_OK(cudaStreamWaitEvent(second, fork));
  CHECK_OK(cudaStreamIsCapturing(second, &status));
  CHECK(status == cudaStreamCaptureStatusActive);
  add<<<1, 1, 0, second>>>(device, 1);
  CHECK_OK(cudaEventRecord(join, second));
  CHECK_OK(cudaStreamWaitEvent(first, join));
  CHECK_OK(cudaStreamEndCapture(first, &graph));
  CHECK_OK(cudaGraphGetNodes(graph, nullptr, &count));
  CHECK(count == 2);
  CHECK_OK(cudaGraphDestroy(graph));
  CHECK_OK(cudaStreamDestroy(first));
  CHECK_OK(cudaStreamDestroy(second));
}

static void waiting_invalidates_a_capture() {
  cudaStream_t stream = nullptr;
  cudaGraph_t graph = nullptr;
  CHECK_OK(cudaStreamCreate(&stream));
  CHECK_OK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  CHECK_ERROR(cudaErrorStreamCaptureUnsupported, cudaStreamSynchronize(stream));
  CHECK_ERROR(cudaErrorStreamCaptureInvalidated, cudaStreamEndCapture(stream, &graph));
  CHECK(graph == nullptr);
  cudaGetLastError();
  CHECK_OK(cudaStreamDestroy(stream));
}

static void nodes_run_after_their_dependencies() {
  cudaGraph_t graph = nullptr;
  cudaGraphNode_t clear = nullptr, first = nullptr, second = nullptr;
  cudaGraphExec_t executable = nullptr;
  int amount = 5, factor = 3;
  void* add_arguments[] = {&device, &amount};
  void* multiply_arguments[] = {&device, &factor};
  cudaKernelNodeParams add_parameters{};
  add_parameters.func = reinterpret_cast<void*>(&add);
  add_parameters.gridDim = dim3(1);
  add_parameters.blockDim = dim3(1);
  add_parameters.kernelParams = add_arguments;
  cudaKernelNodeParams multiply_parameters = add_parameters;
  multiply_parameters.func = reinterpret_cast<void*>(&multiply);
  multiply_parameters.kernelParams = multiply_arguments;
  cudaMemsetParams memset_parameters{};
  memset_parameters.dst = device;
  memset_parameters.elementSize = 4;
  memset_parameters.width = 1;
  memset_parameters.height = 1;
  CHECK_OK(cudaGraphCreate(&graph, 0));
  CHECK_OK(cudaGraphAddMemsetNode(&clear, graph, nullptr, 0, &memset_parameters));
  CHECK_OK(cudaGraphAddKernelNode(&first, graph, &clear, 1, &add_parameters));
  CHECK_OK(cudaGraphAddKernelNode(&second, graph, &first, 1, &multiply_parameters));
  amount = factor = 0;  // arguments are copied when the node is made
  CHECK_OK(cudaGraphInstantiate(&executable, graph, 0));
  CHECK_OK(cudaGraphLaunch(executable, nullptr));
  CHECK_OK(cudaDeviceSynchronize());
  CHECK(value() == 15);
  CHECK_OK(cudaGraphExecDestroy(executable));
  CHECK_OK(cudaGraphDestroy(graph));
}

static void launches_of_one_executable_graph_come_one_after_another() {
  cudaStream_t first = nullptr, second = nullptr;
  cudaGraph_t graph = nullptr;
  cudaGraphExec_t executable = nullptr;
  CHECK_OK(cudaMemset(device, 0, sizeof(int)));
  CHECK_OK(cudaDeviceSynchronize());
  CHECK_OK(cudaStreamCreateWithFlags(&first, cudaStreamNonBlocking));
  CHECK_OK(cudaStreamCreateWithFlags(&second, cudaStreamNonBlocking));
  CHECK_OK(cudaStreamBeginCapture(first, cudaStreamCaptureModeGlobal));
  add<<<1, 1, 0, first>>>(device, 3);
  multiply<<<1, 1, 0, first>>>(device, 2);
  CHECK_OK(cudaStreamEndCapture(first, &graph));
  CHECK_OK(cudaGraphInstantiate(&executable, graph, 0));
  CHECK_OK(cudaGraphLaunch(executable, first));
  CHECK_OK(cudaGraphLaunch(executable, second));
  CHECK_OK(cudaStreamSynchronize(second));
  CHECK(value() == 18);
  CHECK_OK(cudaGraphExecDestroy(executable));
  CHECK_OK(cudaGraphDestroy(graph));
  CHECK_OK(cudaStreamDestroy(first));
  CHECK_OK(cudaStreamDestroy(second));
}

int main() {
  CHECK_OK(cudaMalloc(&device, sizeof(int)));
  captured_work_runs_when_launched();
  events_fork_and_join_captures();
  waiting_invalidates_a_capture();
  nodes_run_after_their_dependencies();
  launches_of_one_executable_graph_come_one_after_another();
  return runtime_test::result();
}
