// The driver's calls for graphs in the forms that programs for CUDA 11 and 12 ask for.
#include <cudaTypedefs.h>

#include "driver_test.h"

extern "C" __global__ void add(int* value, int amount) {
  *value += amount;
}

// The call in the form of that version.
template <class Form>
static Form form(const char* name, int version) {
  void* function = nullptr;
  CHECK_DRIVER(cuGetProcAddress(name, &function, version, CU_GET_PROC_ADDRESS_DEFAULT, nullptr));
  return reinterpret_cast<Form>(function);
}

static CUfunction adding = nullptr;
static CUdeviceptr device = 0;

static int launched(CUgraphExec executable) {
  int result = 0;
  CHECK_DRIVER(cuMemsetD32(device, 0, 1));
  CHECK_DRIVER(cuGraphLaunch(executable, nullptr));
  CHECK_DRIVER(cuCtxSynchronize());
  CHECK_DRIVER(cuMemcpyDtoH(&result, device, sizeof result));
  return result;
}

static CUDA_KERNEL_NODE_PARAMS_v1 one_thread(void** arguments) {
  return {adding, 1, 1, 1, 1, 1, 1, 0, arguments, nullptr};
}

static void kernel_nodes_have_a_function_alone() {
  const auto add_kernel = form<PFN_cuGraphAddKernelNode_v10000>("cuGraphAddKernelNode", 11000);
  const auto get = form<PFN_cuGraphKernelNodeGetParams_v10000>("cuGraphKernelNodeGetParams", 11000);
  const auto set = form<PFN_cuGraphKernelNodeSetParams_v10000>("cuGraphKernelNodeSetParams", 11000);
  const auto set_executable =
      form<PFN_cuGraphExecKernelNodeSetParams_v10010>("cuGraphExecKernelNodeSetParams", 11000);
  const auto update = form<PFN_cuGraphExecUpdate_v10020>("cuGraphExecUpdate", 11000);
  CUgraph graph = nullptr;
  CUgraphNode node = nullptr, culprit = nullptr;
  CUgraphExec executable = nullptr;
  CHECK_DRIVER(cuGraphCreate(&graph, 0));
  int amount = 4;
  void* arguments[] = {&device, &amount};
  CUDA_KERNEL_NODE_PARAMS_v1 parameters = one_thread(arguments), told{};
  CHECK_DRIVER(add_kernel(&node, graph, nullptr, 0, &parameters));
  CHECK_DRIVER(get(node, &told));
  CHECK(told.func == adding && *static_cast<int*>(told.kernelParams[1]) == 4);
  CHECK_DRIVER(cuGraphInstantiateWithFlags(&executable, graph, 0));
  CHECK(launched(executable) == 4);
  amount = 5;
  CHECK_DRIVER(set_executable(executable, node, &parameters));
  CHECK(launched(executable) == 5);
  amount = 6;
  CHECK_DRIVER(set(node, &parameters));
  CUgraphExecUpdateResult result = CU_GRAPH_EXEC_UPDATE_ERROR;
  CHECK_DRIVER(update(executable, graph, &culprit, &result));
  CHECK(result == CU_GRAPH_EXEC_UPDATE_SUCCESS);
  CHECK(launched(executable) == 6);
  CHECK_DRIVER(cuGraphExecDestroy(executable));
  CHECK_DRIVER(cuGraphDestroy(graph));
}

static void edges_have_no_data() {
  const auto add_edges = form<PFN_cuGraphAddDependencies_v10000>("cuGraphAddDependencies", 11000);
  const auto remove =
      form<PFN_cuGraphRemoveDependencies_v10000>("cuGraphRemoveDependencies", 11000);
  const auto edges = form<PFN_cuGraphGetEdges_v10000>("cuGraphGetEdges", 11000);
  const auto before =
      form<PFN_cuGraphNodeGetDependencies_v10000>("cuGraphNodeGetDependencies", 11000);
  const auto behind =
      form<PFN_cuGraphNodeGetDependentNodes_v10000>("cuGraphNodeGetDependentNodes", 11000);
  const auto add_any = form<PFN_cuGraphAddNode_v12020>("cuGraphAddNode", 12020);
  CUgraph graph = nullptr;
  CUgraphNode first = nullptr, second = nullptr, from = nullptr, to = nullptr;
  CHECK_DRIVER(cuGraphCreate(&graph, 0));
  CUgraphNodeParams nothing{};
  nothing.type = CU_GRAPH_NODE_TYPE_EMPTY;
  CHECK_DRIVER(add_any(&first, graph, nullptr, 0, &nothing));
  CHECK_DRIVER(add_any(&second, graph, nullptr, 0, &nothing));
  CHECK_DRIVER(add_edges(graph, &first, &second, 1));
  size_t count = 1;
  CHECK_DRIVER(edges(graph, &from, &to, &count));
  CHECK(count == 1 && from == first && to == second);
  CHECK_DRIVER(before(second, &from, &count));
  CHECK(count == 1 && from == first);
  CHECK_DRIVER(behind(first, &to, &count));
  CHECK(count == 1 && to == second);
  CHECK_DRIVER(remove(graph, &first, &second, 1));
  CHECK_DRIVER(edges(graph, nullptr, nullptr, &count));
  CHECK(count == 0);
  CHECK_DRIVER(cuGraphDestroy(graph));
}

static void captures_are_asked_for_without_edges() {
  const auto info = form<PFN_cuStreamGetCaptureInfo_v11030>("cuStreamGetCaptureInfo", 12000);
  const auto update = form<PFN_cuStreamUpdateCaptureDependencies_v11030>(
      "cuStreamUpdateCaptureDependencies", 12000);
  CUstream stream = nullptr;
  CHECK_DRIVER(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
  CHECK_DRIVER(cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_GLOBAL));
  CUstreamCaptureStatus status = CU_STREAM_CAPTURE_STATUS_NONE;
  CUgraph graph = nullptr;
  const CUgraphNode* tail = nullptr;
  size_t count = 1;
  CHECK_DRIVER(info(stream, &status, nullptr, &graph, &tail, &count));
  CHECK(status == CU_STREAM_CAPTURE_STATUS_ACTIVE && count == 0);
  CUgraphNode node = nullptr;
  CHECK_DRIVER(cuGraphAddEmptyNode(&node, graph, nullptr, 0));
  CHECK_DRIVER(update(stream, &node, 1, CU_STREAM_SET_CAPTURE_DEPENDENCIES));
  CHECK_DRIVER(info(stream, &status, nullptr, &graph, &tail, &count));
  CHECK(count == 1 && *tail == node);
  CHECK_DRIVER(cuStreamEndCapture(stream, &graph));
  CHECK_DRIVER(cuGraphDestroy(graph));
  CHECK_DRIVER(cuStreamDestroy(stream));
}

int main() {
  CHECK_OK(cudaFree(nullptr));
  CHECK_OK(cudaGetFuncBySymbol(reinterpret_cast<cudaFunction_t*>(&adding),
                               reinterpret_cast<const void*>(&add)));
  CHECK_DRIVER(cuMemAlloc(&device, sizeof(int)));
  kernel_nodes_have_a_function_alone();
  edges_have_no_data();
  captures_are_asked_for_without_edges();
  return runtime_test::result();
}
