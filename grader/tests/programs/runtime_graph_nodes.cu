// Nodes of graphs: made of one structure for all kinds, asked for what they do, moved into other
// graphs, found in copies, switched off.
#include "runtime_test.h"

__global__ void add(int* value, int amount) {
  *value += amount;
}

__device__ int variable;

static int* device = nullptr;

static int value() {
  int result = 0;
  CHECK_OK(cudaMemcpy(&result, device, sizeof result, cudaMemcpyDeviceToHost));
  return result;
}

static void clear() {
  CHECK_OK(cudaMemset(device, 0, sizeof(int)));
}

// What *device is after a launch that begins at 0.
static int launched(cudaGraphExec_t executable) {
  clear();
  CHECK_OK(cudaGraphLaunch(executable, nullptr));
  CHECK_OK(cudaDeviceSynchronize());
  return value();
}

static int launched(cudaGraph_t graph) {
  cudaGraphExec_t executable = nullptr;
  CHECK_OK(cudaGraphInstantiate(&executable, graph, 0));
  const int result = launched(executable);
  CHECK_OK(cudaGraphExecDestroy(executable));
  return result;
}

static cudaGraphNode_t add_adding(cudaGraph_t graph, cudaGraphNode_t after, int amount) {
  void* arguments[] = {&device, &amount};
  cudaKernelNodeParams parameters{};
  parameters.func = reinterpret_cast<void*>(&add);
  parameters.gridDim = parameters.blockDim = dim3(1);
  parameters.kernelParams = arguments;
  cudaGraphNode_t node = nullptr;
  CHECK_OK(cudaGraphAddKernelNode(&node, graph, &after, after == nullptr ? 0 : 1, &parameters));
  return node;
}

static cudaGraph_t graph_that_adds(int amount) {
  cudaGraph_t graph = nullptr;
  CHECK_OK(cudaGraphCreate(&graph, 0));
  add_adding(graph, nullptr, amount);
  return graph;
}

static cudaGraphNode_t first_node(cudaGraph_t graph) {
  cudaGraphNode_t node = nullptr;
  size_t count = 1;
  CHECK_OK(cudaGraphGetNodes(graph, &node, &count));
  return node;
}

static void one_structure_makes_nodes_of_all_kinds() {
  cudaGraph_t graph = nullptr;
  CHECK_OK(cudaGraphCreate(&graph, 0));
  int host = 20, sink = 0, amount = 3;
  cudaGraphNode_t copy = nullptr, kernel = nullptr, empty = nullptr, back = nullptr;
  cudaGraphNodeParams copying{};
  copying.type = cudaGraphNodeTypeMemcpy;
  copying.memcpy.copyParams.srcPtr = make_cudaPitchedPtr(&host, sizeof host, 1, 1);
  copying.memcpy.copyParams.dstPtr = make_cudaPitchedPtr(device, sizeof host, 1, 1);
  copying.memcpy.copyParams.extent = make_cudaExtent(sizeof host, 1, 1);
  copying.memcpy.copyParams.kind = cudaMemcpyHostToDevice;
  CHECK_OK(cudaGraphAddNode(&copy, graph, nullptr, nullptr, 0, &copying));
  void* arguments[] = {&device, &amount};
  cudaGraphNodeParams adding{};
  adding.type = cudaGraphNodeTypeKernel;
  adding.kernel.func = reinterpret_cast<void*>(&add);
  adding.kernel.gridDim = adding.kernel.blockDim = dim3(1);
  adding.kernel.kernelParams = arguments;
  CHECK_OK(cudaGraphAddNode(&kernel, graph, &copy, nullptr, 1, &adding));
  cudaGraphNodeParams nothing{};
  nothing.type = cudaGraphNodeTypeEmpty;
  CHECK_OK(cudaGraphAddNode(&empty, graph, &kernel, nullptr, 1, &nothing));
  copying.memcpy.copyParams.srcPtr = make_cudaPitchedPtr(device, sizeof host, 1, 1);
  copying.memcpy.copyParams.dstPtr = make_cudaPitchedPtr(&sink, sizeof host, 1, 1);
  copying.memcpy.copyParams.kind = cudaMemcpyDeviceToHost;
  CHECK_OK(cudaGraphAddNode(&back, graph, &empty, nullptr, 1, &copying));
  CHECK(launched(graph) == 23);
  CHECK(sink == 23);
  CHECK_OK(cudaGraphDestroy(graph));
}

static void what_is_reserved_must_be_zero() {
  cudaGraph_t graph = nullptr;
  CHECK_OK(cudaGraphCreate(&graph, 0));
  cudaGraphNode_t node = nullptr;
  cudaGraphNodeParams nothing{};
  nothing.type = cudaGraphNodeTypeEmpty;
  nothing.reserved0[0] = 1;
  CHECK_ERROR(cudaErrorInvalidValue, cudaGraphAddNode(&node, graph, nullptr, nullptr, 0, &nothing));
  cudaGetLastError();
  CHECK_OK(cudaGraphDestroy(graph));
}

static void a_moved_child_belongs_to_its_parent() {
  cudaGraph_t parent = nullptr, inside = nullptr;
  CHECK_OK(cudaGraphCreate(&parent, 0));
  cudaGraphNodeParams moving{};
  moving.type = cudaGraphNodeTypeGraph;
  moving.graph.graph = graph_that_adds(4);
  moving.graph.ownership = cudaGraphChildGraphOwnershipMove;
  cudaGraphNode_t node = nullptr;
  CHECK_OK(cudaGraphAddNode(&node, parent, nullptr, nullptr, 0, &moving));
  CHECK_OK(cudaGraphChildGraphNodeGetGraph(node, &inside));
  CHECK(inside == moving.graph.graph);
  add_adding(inside, first_node(inside), 10);
  CHECK(launched(parent) == 14);
  CHECK(cudaGraphDestroy(inside) != cudaSuccess);
  cudaGraphExec_t executable = nullptr;
  CHECK(cudaGraphInstantiate(&executable, inside, 0) != cudaSuccess);
  cudaGetLastError();
  CHECK_OK(cudaGraphDestroy(parent));
}

static void a_moved_child_may_allocate_memory() {
  cudaGraph_t parent = nullptr, child = nullptr;
  CHECK_OK(cudaGraphCreate(&parent, 0));
  CHECK_OK(cudaGraphCreate(&child, 0));
  cudaMemAllocNodeParams allocation{};
  allocation.poolProps.allocType = cudaMemAllocationTypePinned;
  allocation.poolProps.location = {cudaMemLocationTypeDevice, 0};
  allocation.bytesize = sizeof(int);
  cudaGraphNode_t allocate = nullptr, fill = nullptr, copy = nullptr, release = nullptr;
  CHECK_OK(cudaGraphAddMemAllocNode(&allocate, child, nullptr, 0, &allocation));
  cudaMemsetParams filling{};
  filling.dst = allocation.dptr;
  filling.elementSize = 4;
  filling.value = 77;
  filling.width = filling.height = 1;
  CHECK_OK(cudaGraphAddMemsetNode(&fill, child, &allocate, 1, &filling));
  CHECK_OK(cudaGraphAddMemcpyNode1D(&copy, child, &fill, 1, device, allocation.dptr, sizeof(int),
                                    cudaMemcpyDeviceToDevice));
  CHECK_OK(cudaGraphAddMemFreeNode(&release, child, &copy, 1, allocation.dptr));
  cudaMemAllocNodeParams told{};
  CHECK_OK(cudaGraphMemAllocNodeGetParams(allocate, &told));
  CHECK(told.dptr == allocation.dptr && told.bytesize == sizeof(int));
  cudaGraphNodeParams moving{};
  moving.type = cudaGraphNodeTypeGraph;
  moving.graph.graph = child;
  cudaGraphNode_t node = nullptr;
  CHECK(cudaGraphAddNode(&node, parent, nullptr, nullptr, 0, &moving) != cudaSuccess);  // a copy
  cudaGetLastError();
  moving.graph.ownership = cudaGraphChildGraphOwnershipMove;
  CHECK_OK(cudaGraphAddNode(&node, parent, nullptr, nullptr, 0, &moving));
  CHECK(launched(parent) == 77);
  CHECK_OK(cudaGraphDestroy(parent));
}

static void a_copied_child_can_be_changed_by_its_node() {
  cudaGraph_t parent = nullptr, inside = nullptr;
  const cudaGraph_t child = graph_that_adds(1);
  CHECK_OK(cudaGraphCreate(&parent, 0));
  cudaGraphNode_t node = nullptr;
  CHECK_OK(cudaGraphAddChildGraphNode(&node, parent, nullptr, 0, child));
  CHECK_OK(cudaGraphChildGraphNodeGetGraph(node, &inside));
  CHECK(inside != child);
  add_adding(inside, first_node(inside), 20);
  CHECK(launched(parent) == 21);
  CHECK(launched(child) == 1);
  CHECK_OK(cudaGraphDestroy(child));
  CHECK_OK(cudaGraphDestroy(parent));
}

static void an_executable_graph_takes_another_child() {
  cudaGraph_t parent = nullptr;
  const cudaGraph_t child = graph_that_adds(1), other = graph_that_adds(8);
  CHECK_OK(cudaGraphCreate(&parent, 0));
  cudaGraphNode_t node = nullptr;
  CHECK_OK(cudaGraphAddChildGraphNode(&node, parent, nullptr, 0, child));
  cudaGraphExec_t executable = nullptr;
  CHECK_OK(cudaGraphInstantiate(&executable, parent, 0));
  CHECK_OK(cudaGraphExecChildGraphNodeSetParams(executable, node, other));
  CHECK(launched(executable) == 8);
  add_adding(other, nullptr, 1);  // another topology
  CHECK(cudaGraphExecChildGraphNodeSetParams(executable, node, other) != cudaSuccess);
  cudaGetLastError();
  CHECK_OK(cudaGraphExecDestroy(executable));
  for (const cudaGraph_t graph : {parent, child, other}) CHECK_OK(cudaGraphDestroy(graph));
}

static void a_kernel_node_tells_what_it_launches() {
  const cudaGraph_t graph = graph_that_adds(6);
  const cudaGraphNode_t node = first_node(graph);
  cudaKernelNodeParams told{};
  CHECK_OK(cudaGraphKernelNodeGetParams(node, &told));
  CHECK(told.gridDim.x == 1 && told.blockDim.y == 1);
  CHECK(*static_cast<int**>(told.kernelParams[0]) == device);
  CHECK(*static_cast<int*>(told.kernelParams[1]) == 6);
  int other = 9;
  void* arguments[] = {&device, &other};
  told.kernelParams = arguments;
  CHECK_OK(cudaGraphKernelNodeSetParams(node, &told));
  CHECK(launched(graph) == 9);
  CHECK_OK(cudaGraphDestroy(graph));
}

// What a program does that changes a captured kernel's arguments from launch to launch.
static void captured_nodes_tell_what_they_do() {
  cudaStream_t stream = nullptr;
  cudaGraph_t graph = nullptr;
  CHECK_OK(cudaStreamCreate(&stream));
  CHECK_OK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  CHECK_OK(cudaMemsetAsync(device, 0, sizeof(int), stream));
  add<<<1, 1, 0, stream>>>(device, 5);
  CHECK_OK(cudaStreamEndCapture(stream, &graph));
  cudaGraphNode_t nodes[2] = {};
  size_t count = 2;
  CHECK_OK(cudaGraphGetNodes(graph, nodes, &count));
  cudaMemsetParams fill{};
  CHECK_OK(cudaGraphMemsetNodeGetParams(nodes[0], &fill));
  CHECK(fill.dst == device && fill.value == 0);
  cudaGraphExec_t executable = nullptr;
  CHECK_OK(cudaGraphInstantiate(&executable, graph, 0));
  CHECK(launched(executable) == 5);
  cudaKernelNodeParams told{};
  CHECK_OK(cudaGraphKernelNodeGetParams(nodes[1], &told));
  int other = 50;
  void* arguments[] = {told.kernelParams[0], &other};
  told.kernelParams = arguments;
  CHECK_OK(cudaGraphExecKernelNodeSetParams(executable, nodes[1], &told));
  CHECK(launched(executable) == 50);
  CHECK_OK(cudaGraphExecDestroy(executable));
  CHECK_OK(cudaGraphDestroy(graph));
  CHECK_OK(cudaStreamDestroy(stream));
}

static void a_node_is_found_in_a_copy() {
  const cudaGraph_t graph = graph_that_adds(2);
  cudaGraph_t copy = nullptr;
  const cudaGraphNode_t node = first_node(graph);
  cudaGraphNode_t counterpart = nullptr;
  CHECK_OK(cudaGraphClone(&copy, graph));
  CHECK_OK(cudaGraphNodeFindInClone(&counterpart, node, copy));
  CHECK_OK(cudaGraphDestroyNode(counterpart));
  CHECK(launched(copy) == 0);
  CHECK(launched(graph) == 2);
  CHECK_ERROR(cudaErrorInvalidValue, cudaGraphNodeFindInClone(&counterpart, node, copy));
  cudaGetLastError();
  CHECK_OK(cudaGraphDestroy(graph));
  CHECK_OK(cudaGraphDestroy(copy));
}

static void a_node_that_is_switched_off_does_nothing() {
  cudaGraph_t graph = nullptr;
  CHECK_OK(cudaGraphCreate(&graph, 0));
  const cudaGraphNode_t first = add_adding(graph, nullptr, 1);
  const cudaGraphNode_t second = add_adding(graph, first, 2);
  cudaGraphExec_t executable = nullptr;
  unsigned enabled = 0;
  CHECK_OK(cudaGraphInstantiate(&executable, graph, 0));
  CHECK_OK(cudaGraphNodeGetEnabled(executable, second, &enabled));
  CHECK(enabled == 1);
  CHECK_OK(cudaGraphNodeSetEnabled(executable, second, 0));
  CHECK(launched(executable) == 1);
  CHECK_OK(cudaGraphNodeSetEnabled(executable, second, 1));
  CHECK(launched(executable) == 3);
  CHECK_OK(cudaGraphExecDestroy(executable));
  CHECK_OK(cudaGraphDestroy(graph));
}

static void nodes_copy_to_and_from_variables() {
  cudaGraph_t graph = nullptr;
  CHECK_OK(cudaGraphCreate(&graph, 0));
  const int source = 31;
  cudaGraphNode_t to = nullptr, from = nullptr;
  CHECK_OK(cudaGraphAddMemcpyNodeToSymbol(&to, graph, nullptr, 0, variable, &source, sizeof source,
                                          0, cudaMemcpyHostToDevice));
  CHECK_OK(cudaGraphAddMemcpyNodeFromSymbol(&from, graph, &to, 1, device, variable, sizeof source,
                                            0, cudaMemcpyDeviceToDevice));
  CHECK(launched(graph) == 31);
  CHECK_OK(cudaGraphDestroy(graph));
}

static void events_of_nodes_can_be_asked_for_and_changed() {
  cudaGraph_t graph = nullptr;
  cudaEvent_t first = nullptr, second = nullptr, told = nullptr;
  CHECK_OK(cudaEventCreate(&first));
  CHECK_OK(cudaEventCreate(&second));
  CHECK_OK(cudaGraphCreate(&graph, 0));
  cudaGraphNode_t node = nullptr;
  CHECK_OK(cudaGraphAddEventRecordNode(&node, graph, nullptr, 0, first));
  CHECK_OK(cudaGraphEventRecordNodeGetEvent(node, &told));
  CHECK(told == first);
  CHECK_OK(cudaGraphEventRecordNodeSetEvent(node, second));
  CHECK_OK(cudaGraphEventRecordNodeGetEvent(node, &told));
  CHECK(told == second);
  CHECK_OK(cudaGraphDestroy(graph));
  CHECK_OK(cudaEventDestroy(first));
  CHECK_OK(cudaEventDestroy(second));
}

static void kernel_nodes_keep_their_attributes() {
  cudaGraph_t graph = nullptr;
  CHECK_OK(cudaGraphCreate(&graph, 0));
  const cudaGraphNode_t node = add_adding(graph, nullptr, 1), other = add_adding(graph, node, 1);
  cudaLaunchAttributeValue given{}, told{};
  given.priority = -1;
  CHECK_OK(cudaGraphKernelNodeSetAttribute(node, cudaLaunchAttributePriority, &given));
  CHECK_OK(cudaGraphKernelNodeCopyAttributes(other, node));
  CHECK_OK(cudaGraphKernelNodeGetAttribute(other, cudaLaunchAttributePriority, &told));
  CHECK(told.priority == -1);
  CHECK(launched(graph) == 2);
  CHECK_OK(cudaGraphDestroy(graph));
}

int main() {
  CHECK_OK(cudaMalloc(&device, sizeof(int)));
  one_structure_makes_nodes_of_all_kinds();
  what_is_reserved_must_be_zero();
  a_moved_child_belongs_to_its_parent();
  a_moved_child_may_allocate_memory();
  a_copied_child_can_be_changed_by_its_node();
  an_executable_graph_takes_another_child();
  a_kernel_node_tells_what_it_launches();
  captured_nodes_tell_what_they_do();
  a_node_is_found_in_a_copy();
  a_node_that_is_switched_off_does_nothing();
  nodes_copy_to_and_from_variables();
  events_of_nodes_can_be_asked_for_and_changed();
  kernel_nodes_keep_their_attributes();
  return runtime_test::result();
}
