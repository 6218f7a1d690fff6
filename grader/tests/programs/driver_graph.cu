// The driver's calls for graphs: nodes made one by one, asked for, changed, and updated as a whole.
#include "driver_test.h"

extern "C" __global__ void add(int* value, int amount) {
  *value += amount;
}
extern "C" __global__ void set(CUgraphConditionalHandle handle, unsigned value) {
  cudaGraphSetConditional(handle, value);
}

static CUcontext context = nullptr;
static CUfunction adding = nullptr;
static CUdeviceptr device = 0;

static int value() {
  int result = 0;
  CHECK_DRIVER(cuMemcpyDtoH(&result, device, sizeof result));
  return result;
}

static int launched(CUgraphExec executable) {
  CHECK_DRIVER(cuMemsetD32(device, 0, 1));
  CHECK_DRIVER(cuGraphLaunch(executable, nullptr));
  CHECK_DRIVER(cuCtxSynchronize());
  return value();
}

static int launched(CUgraph graph) {
  CUgraphExec executable = nullptr;
  CHECK_DRIVER(cuGraphInstantiate(&executable, graph, 0));
  const int result = launched(executable);
  CHECK_DRIVER(cuGraphExecDestroy(executable));
  return result;
}

static CUgraph new_graph() {
  CUgraph graph = nullptr;
  CHECK_DRIVER(cuGraphCreate(&graph, 0));
  return graph;
}

static CUDA_KERNEL_NODE_PARAMS one_thread(CUfunction function, void** arguments) {
  CUDA_KERNEL_NODE_PARAMS parameters{};
  parameters.func = function;
  parameters.gridDimX = parameters.gridDimY = parameters.gridDimZ = 1;
  parameters.blockDimX = parameters.blockDimY = parameters.blockDimZ = 1;
  parameters.kernelParams = arguments;
  return parameters;
}

static CUgraphNode add_adding(CUgraph graph, CUgraphNode after, int amount) {
  void* arguments[] = {&device, &amount};
  const CUDA_KERNEL_NODE_PARAMS parameters = one_thread(adding, arguments);
  CUgraphNode node = nullptr;
  CHECK_DRIVER(cuGraphAddKernelNode(&node, graph, &after, after == nullptr ? 0 : 1, &parameters));
  return node;
}

static void nodes_run_after_their_dependencies() {
  const CUgraph graph = new_graph();
  CUDA_MEMSET_NODE_PARAMS filling{};
  filling.dst = device;
  filling.value = 40;
  filling.elementSize = 4;
  filling.width = filling.height = 1;
  int result = 0, told = 0;
  CUDA_MEMCPY3D copying{};
  copying.srcMemoryType = CU_MEMORYTYPE_DEVICE;
  copying.srcDevice = device;
  copying.dstMemoryType = CU_MEMORYTYPE_HOST;
  copying.dstHost = &result;
  copying.WidthInBytes = sizeof result;
  copying.Height = copying.Depth = 1;
  struct Told {
    int *from, *to;
  } telling{&result, &told};
  CUDA_HOST_NODE_PARAMS hosting{};
  hosting.fn = [](void* data) {
    const auto* telling = static_cast<const Told*>(data);
    *telling->to = *telling->from;
  };
  hosting.userData = &telling;
  CUgraphNode fill = nullptr, copy = nullptr, host = nullptr, empty = nullptr;
  CHECK_DRIVER(cuGraphAddMemsetNode(&fill, graph, nullptr, 0, &filling, context));
  const CUgraphNode kernel = add_adding(graph, fill, 2);
  CHECK_DRIVER(cuGraphAddMemcpyNode(&copy, graph, &kernel, 1, &copying, context));
  CHECK_DRIVER(cuGraphAddHostNode(&host, graph, &copy, 1, &hosting));
  CHECK_DRIVER(cuGraphAddEmptyNode(&empty, graph, &host, 1));
  CHECK(launched(graph) == 42);
  CHECK(told == 42);
  CHECK_DRIVER(cuGraphDestroy(graph));
}

static void edges_are_added_asked_for_and_removed() {
  const CUgraph graph = new_graph();
  CUgraphNode first = nullptr, second = nullptr, from = nullptr, to = nullptr;
  CHECK_DRIVER(cuGraphAddEmptyNode(&first, graph, nullptr, 0));
  CHECK_DRIVER(cuGraphAddEmptyNode(&second, graph, nullptr, 0));
  CHECK_DRIVER(cuGraphAddDependencies(graph, &first, &second, nullptr, 1));
  size_t count = 1;
  CHECK_DRIVER(cuGraphGetEdges(graph, &from, &to, nullptr, &count));
  CHECK(count == 1 && from == first && to == second);
  CHECK_DRIVER(cuGraphNodeGetDependentNodes(first, &to, nullptr, &count));
  CHECK(count == 1 && to == second);
  CHECK_DRIVER(cuGraphGetRootNodes(graph, nullptr, &count));
  CHECK(count == 1);
  CHECK_DRIVER(cuGraphRemoveDependencies(graph, &first, &second, nullptr, 1));
  CHECK_DRIVER(cuGraphNodeGetDependencies(second, nullptr, nullptr, &count));
  CHECK(count == 0);
  CHECK_DRIVER(cuGraphDestroyNode(second));
  CHECK_DRIVER(cuGraphGetNodes(graph, nullptr, &count));
  CHECK(count == 1);
  CHECK_DRIVER(cuGraphDestroy(graph));
}

static void kernel_nodes_tell_and_take_parameters() {
  const CUgraph graph = new_graph();
  const CUgraphNode node = add_adding(graph, nullptr, 6);
  CUgraphNodeType type{};
  CHECK_DRIVER(cuGraphNodeGetType(node, &type));
  CHECK(type == CU_GRAPH_NODE_TYPE_KERNEL);
  CUDA_KERNEL_NODE_PARAMS told{};
  CHECK_DRIVER(cuGraphKernelNodeGetParams(node, &told));
  CHECK(told.func == adding && told.blockDimX == 1);
  CHECK(*static_cast<int*>(told.kernelParams[1]) == 6);
  CUgraphExec executable = nullptr;
  CHECK_DRIVER(cuGraphInstantiate(&executable, graph, 0));
  int amount = 9;
  void* arguments[] = {&device, &amount};
  told.kernelParams = arguments;
  CHECK_DRIVER(cuGraphExecKernelNodeSetParams(executable, node, &told));
  CHECK(launched(executable) == 9);
  amount = 11;
  CHECK_DRIVER(cuGraphKernelNodeSetParams(node, &told));
  CHECK(launched(executable) == 9);
  CUgraphExecUpdateResultInfo info{};
  CHECK_DRIVER(cuGraphExecUpdate(executable, graph, &info));
  CHECK(info.result == CU_GRAPH_EXEC_UPDATE_SUCCESS);
  CHECK(launched(executable) == 11);
  CHECK_DRIVER(cuGraphNodeSetEnabled(executable, node, 0));
  CHECK(launched(executable) == 0);
  CHECK_DRIVER(cuGraphExecDestroy(executable));
  CHECK_DRIVER(cuGraphDestroy(graph));
}

// CU_LAUNCH_PARAM_BUFFER_POINTER, as cuLaunchKernel takes them.
static void kernel_nodes_take_packed_parameters() {
  const CUgraph graph = new_graph();
  struct Packed {
    CUdeviceptr value;
    int amount;
  } packed{device, 13};
  size_t size = sizeof packed.value + sizeof packed.amount;
  void* extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, &packed, CU_LAUNCH_PARAM_BUFFER_SIZE, &size,
                   CU_LAUNCH_PARAM_END};
  CUDA_KERNEL_NODE_PARAMS parameters = one_thread(adding, nullptr);
  parameters.extra = extra;
  CUgraphNode node = nullptr;
  CHECK_DRIVER(cuGraphAddKernelNode(&node, graph, nullptr, 0, &parameters));
  CHECK(launched(graph) == 13);
  size = sizeof packed;  // and what lies behind them
  CHECK_RESULT(CUDA_ERROR_INVALID_VALUE,
               cuGraphAddKernelNode(&node, graph, nullptr, 0, &parameters));
  CHECK_DRIVER(cuGraphDestroy(graph));
}

static void child_graphs_are_copied_or_moved() {
  const CUgraph parent = new_graph(), child = new_graph();
  add_adding(child, nullptr, 1);
  CUgraphNode copied = nullptr, moved = nullptr;
  CHECK_DRIVER(cuGraphAddChildGraphNode(&copied, parent, nullptr, 0, child));
  CUgraphNodeParams moving{};
  moving.type = CU_GRAPH_NODE_TYPE_GRAPH;
  moving.graph.graph = child;
  moving.graph.ownership = CU_GRAPH_CHILD_GRAPH_OWNERSHIP_MOVE;
  CHECK_DRIVER(cuGraphAddNode(&moved, parent, &copied, nullptr, 1, &moving));
  CUgraph inside = nullptr;
  CHECK_DRIVER(cuGraphChildGraphNodeGetGraph(moved, &inside));
  CHECK(inside == child);
  CHECK_DRIVER(cuGraphChildGraphNodeGetGraph(copied, &inside));
  CHECK(inside != child);
  CHECK(launched(parent) == 2);
  CHECK_DRIVER(cuGraphDestroy(parent));
}

static void a_condition_decides_what_runs(CUfunction setting) {
  const CUgraph graph = new_graph();
  CUgraphConditionalHandle handle = 0;
  CHECK_DRIVER(cuGraphConditionalHandleCreate(&handle, graph, context, 0, 0));
  unsigned chosen = 1;
  void* arguments[] = {&handle, &chosen};
  CUDA_KERNEL_NODE_PARAMS parameters = one_thread(setting, arguments);
  CUgraphNode set_node = nullptr, decide = nullptr;
  CHECK_DRIVER(cuGraphAddKernelNode(&set_node, graph, nullptr, 0, &parameters));
  CUgraphNodeParams deciding{};
  deciding.type = CU_GRAPH_NODE_TYPE_CONDITIONAL;
  deciding.conditional.handle = handle;
  deciding.conditional.type = CU_GRAPH_COND_TYPE_SWITCH;
  deciding.conditional.size = 2;
  deciding.conditional.ctx = context;
  CHECK_DRIVER(cuGraphAddNode(&decide, graph, &set_node, nullptr, 1, &deciding));
  add_adding(deciding.conditional.phGraph_out[0], nullptr, 3);
  add_adding(deciding.conditional.phGraph_out[1], nullptr, 4);
  CHECK(launched(graph) == 4);
  chosen = 0;
  CHECK_DRIVER(cuGraphKernelNodeSetParams(set_node, &parameters));
  CHECK(launched(graph) == 3);
  CHECK_DRIVER(cuGraphDestroy(graph));
}

static void graphs_allocate_memory() {
  const CUgraph graph = new_graph();
  CUDA_MEM_ALLOC_NODE_PARAMS allocation{};
  allocation.poolProps.allocType = CU_MEM_ALLOCATION_TYPE_PINNED;
  allocation.poolProps.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
  allocation.bytesize = 64;
  CUgraphNode allocate = nullptr, release = nullptr;
  CHECK_DRIVER(cuGraphAddMemAllocNode(&allocate, graph, nullptr, 0, &allocation));
  CHECK_DRIVER(cuGraphAddMemFreeNode(&release, graph, &allocate, 1, allocation.dptr));
  CUdeviceptr freed = 0;
  CHECK_DRIVER(cuGraphMemFreeNodeGetParams(release, &freed));
  CHECK(freed == allocation.dptr);
  CHECK(launched(graph) == 0);
  CHECK_DRIVER(cuGraphDestroy(graph));
}

static void a_capture_can_be_asked_for_and_goes_into_a_graph() {
  CUstream stream = nullptr;
  CHECK_DRIVER(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
  const CUgraph graph = new_graph();
  const CUgraphNode first = add_adding(graph, nullptr, 1);
  CHECK_DRIVER(cuStreamBeginCaptureToGraph(stream, graph, &first, nullptr, 1,
                                           CU_STREAM_CAPTURE_MODE_GLOBAL));
  CUstreamCaptureStatus status = CU_STREAM_CAPTURE_STATUS_NONE;
  CUgraph told = nullptr;
  const CUgraphNode* tail = nullptr;
  size_t count = 0;
  CHECK_DRIVER(cuStreamGetCaptureInfo(stream, &status, nullptr, &told, &tail, nullptr, &count));
  CHECK(status == CU_STREAM_CAPTURE_STATUS_ACTIVE && told == graph);
  CHECK(count == 1 && *tail == first);
  int amount = 70;
  void* arguments[] = {&device, &amount};
  CHECK_DRIVER(cuLaunchKernel(adding, 1, 1, 1, 1, 1, 1, 0, stream, arguments, nullptr));
  CHECK_DRIVER(cuStreamEndCapture(stream, &told));
  CHECK(launched(graph) == 71);
  CHECK_DRIVER(cuGraphDestroy(graph));
  CHECK_DRIVER(cuStreamDestroy(stream));
}

static void what_is_missing_is_invalid() {
  const CUgraph graph = new_graph();
  CUgraphNode node = nullptr;
  CHECK_RESULT(CUDA_ERROR_INVALID_VALUE, cuGraphAddEmptyNode(nullptr, graph, nullptr, 0));
  CHECK_RESULT(CUDA_ERROR_INVALID_VALUE, cuGraphAddKernelNode(&node, graph, nullptr, 0, nullptr));
  CHECK_RESULT(CUDA_ERROR_INVALID_VALUE,
               cuGraphAddNode(&node, graph, nullptr, nullptr, 0, nullptr));
  CHECK_RESULT(CUDA_ERROR_INVALID_VALUE, cuGraphGetNodes(graph, nullptr, nullptr));
  CHECK_DRIVER(cuGraphDestroy(graph));
}

int main() {
  CUfunction setting = nullptr;
  CHECK_OK(cudaFree(nullptr));
  CHECK_DRIVER(cuCtxGetCurrent(&context));
  CHECK_OK(cudaGetFuncBySymbol(reinterpret_cast<cudaFunction_t*>(&adding),
                               reinterpret_cast<const void*>(&add)));
  CHECK_OK(cudaGetFuncBySymbol(reinterpret_cast<cudaFunction_t*>(&setting),
                               reinterpret_cast<const void*>(&set)));
  CHECK_DRIVER(cuMemAlloc(&device, sizeof(int)));
  nodes_run_after_their_dependencies();
  edges_are_added_asked_for_and_removed();
  kernel_nodes_tell_and_take_parameters();
  kernel_nodes_take_packed_parameters();
  child_graphs_are_copied_or_moved();
  a_condition_decides_what_runs(setting);
  graphs_allocate_memory();
  a_capture_can_be_asked_for_and_goes_into_a_graph();
  what_is_missing_is_invalid();
  return runtime_test::result();
}
