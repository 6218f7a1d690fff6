// Other parameters for the nodes of graphs, and of what was instantiated from them.
#include "runtime_test.h"

__global__ void add(int* value, int amount) {
  *value += amount;
}
__global__ void multiply(int* value, int factor) {
  *value *= factor;
}

static int* device = nullptr;

static void set_value(int value) {
  CHECK_OK(cudaMemcpy(device, &value, sizeof value, cudaMemcpyHostToDevice));
}

static int value() {
  int result = 0;
  CHECK_OK(cudaMemcpy(&result, device, sizeof result, cudaMemcpyDeviceToHost));
  return result;
}

using Kernel = void (*)(int*, int);

// A graph of one kernel node, instantiated.
struct OneKernel {
  cudaGraph_t graph = nullptr;
  cudaGraphNode_t node = nullptr;
  cudaGraphExec_t executable = nullptr;

  OneKernel() {
    CHECK_OK(cudaGraphCreate(&graph, 0));
    with(add, 1, [&](const cudaKernelNodeParams& parameters) {
      CHECK_OK(cudaGraphAddKernelNode(&node, graph, nullptr, 0, &parameters));
    });
    CHECK_OK(cudaGraphInstantiate(&executable, graph, 0));
  }
  ~OneKernel() {
    CHECK_OK(cudaGraphExecDestroy(executable));
    CHECK_OK(cudaGraphDestroy(graph));
  }

  template <class Action>
  static void with(Kernel kernel, int operand, Action&& action) {
    void* arguments[] = {&device, &operand};
    cudaKernelNodeParams parameters{};
    parameters.func = reinterpret_cast<void*>(kernel);
    parameters.gridDim = parameters.blockDim = dim3(1);
    parameters.kernelParams = arguments;
    action(parameters);
  }

  int result() const {
    set_value(5);
    CHECK_OK(cudaGraphLaunch(executable, nullptr));
    CHECK_OK(cudaDeviceSynchronize());
    return value();
  }
};

static void an_executable_graphs_kernel_gets_other_arguments_and_another_function() {
  OneKernel one;
  CHECK(one.result() == 6);
  OneKernel::with(add, 10, [&](const cudaKernelNodeParams& parameters) {
    CHECK_OK(cudaGraphExecKernelNodeSetParams(one.executable, one.node, &parameters));
  });
  CHECK(one.result() == 15);
  OneKernel::with(multiply, 3, [&](const cudaKernelNodeParams& parameters) {
    CHECK_OK(cudaGraphExecKernelNodeSetParams(one.executable, one.node, &parameters));
  });
  CHECK(one.result() == 15);
}

static void a_graph_and_what_was_instantiated_from_it_do_not_change_each_other() {
  OneKernel one;
  OneKernel::with(add, 100, [&](const cudaKernelNodeParams& parameters) {
    CHECK_OK(cudaGraphKernelNodeSetParams(one.node, &parameters));
  });
  CHECK(one.result() == 6);
  CHECK_OK(cudaGraphExecDestroy(one.executable));
  CHECK_OK(cudaGraphInstantiate(&one.executable, one.graph, 0));
  CHECK(one.result() == 105);
}

static void only_nodes_of_its_kind_and_of_the_graph_are_changed() {
  OneKernel one, other;
  cudaMemsetParams memset_parameters{};
  memset_parameters.dst = device;
  memset_parameters.elementSize = 4;
  memset_parameters.width = memset_parameters.height = 1;
  CHECK_ERROR(cudaErrorInvalidValue,
              cudaGraphExecMemsetNodeSetParams(one.executable, one.node, &memset_parameters));
  OneKernel::with(add, 1, [&](const cudaKernelNodeParams& parameters) {
    CHECK_ERROR(cudaErrorInvalidValue,
                cudaGraphExecKernelNodeSetParams(one.executable, other.node, &parameters));
  });
  CHECK_ERROR(cudaErrorInvalidValue, cudaGraphKernelNodeSetParams(one.node, nullptr));
  cudaGetLastError();
  CHECK(one.result() == 6);
}

static cudaGraph_t captured(int amount, int kernels) {
  cudaGraph_t graph = nullptr;
  cudaStream_t stream = nullptr;
  CHECK_OK(cudaStreamCreate(&stream));
  CHECK_OK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  for (int i = 0; i < kernels; ++i) add<<<1, 1, 0, stream>>>(device, amount);
  CHECK_OK(cudaStreamEndCapture(stream, &graph));
  CHECK_OK(cudaStreamDestroy(stream));
  return graph;
}

static void an_equal_graph_brings_its_parameters() {
  OneKernel one;
  cudaGraphExecUpdateResultInfo info{};
  const cudaGraph_t graph = captured(20, 1);
  CHECK_OK(cudaGraphExecUpdate(one.executable, graph, &info));
  CHECK(info.result == cudaGraphExecUpdateSuccess && info.errorNode == nullptr);
  CHECK_OK(cudaGraphDestroy(graph));
  CHECK(one.result() == 25);
}

static void another_graph_changes_nothing() {
  OneKernel one;
  cudaGraphExecUpdateResultInfo info{};
  const cudaGraph_t longer = captured(20, 2);
  CHECK_ERROR(cudaErrorGraphExecUpdateFailure, cudaGraphExecUpdate(one.executable, longer, &info));
  CHECK(info.result == cudaGraphExecUpdateErrorTopologyChanged && info.errorNode == nullptr);
  cudaGraph_t empty = nullptr;
  cudaGraphNode_t node = nullptr;
  CHECK_OK(cudaGraphCreate(&empty, 0));
  CHECK_OK(cudaGraphAddEmptyNode(&node, empty, nullptr, 0));
  CHECK_ERROR(cudaErrorGraphExecUpdateFailure, cudaGraphExecUpdate(one.executable, empty, &info));
  CHECK(info.result == cudaGraphExecUpdateErrorNodeTypeChanged && info.errorNode == node);
  cudaGetLastError();
  CHECK_OK(cudaGraphDestroy(longer));
  CHECK_OK(cudaGraphDestroy(empty));
  CHECK(one.result() == 6);
}

int main() {
  CHECK_OK(cudaMalloc(&device, sizeof(int)));
  an_executable_graphs_kernel_gets_other_arguments_and_another_function();
  a_graph_and_what_was_instantiated_from_it_do_not_change_each_other();
  only_nodes_of_its_kind_and_of_the_graph_are_changed();
  an_equal_graph_brings_its_parameters();
  another_graph_changes_nothing();
  return runtime_test::result();
}
