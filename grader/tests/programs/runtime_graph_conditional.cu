// Graphs with conditional nodes: which body runs, and how often, says a value that kernels set.
#include "runtime_test.h"

__global__ void set(cudaGraphConditionalHandle handle, const unsigned* value) {
  cudaGraphSetConditional(handle, *value);
}
__global__ void add(int* value, int amount) {
  *value += amount;
}
__global__ void count_down(cudaGraphConditionalHandle handle, int* left, int* turns) {
  ++*turns;
  cudaGraphSetConditional(handle, --*left);
}

struct Conditional {
  cudaGraph_t graph = nullptr;
  cudaGraphConditionalHandle handle = 0;
  cudaGraphNode_t node = nullptr;
  cudaGraph_t* bodies = nullptr;
};

static unsigned* condition = nullptr;
static int* result = nullptr;

static int value_of(const int* place) {
  int value = 0;
  CHECK_OK(cudaMemcpy(&value, place, sizeof value, cudaMemcpyDeviceToHost));
  return value;
}

static cudaGraphNodeParams kernel(void* function, void** arguments) {
  cudaGraphNodeParams parameters{};
  parameters.type = cudaGraphNodeTypeKernel;
  parameters.kernel.func = function;
  parameters.kernel.gridDim = dim3(1);
  parameters.kernel.blockDim = dim3(1);
  parameters.kernel.kernelParams = arguments;
  return parameters;
}

static cudaError_t add_node(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* after,
                            cudaGraphNodeParams* parameters) {
  return cudaGraphAddNode(node, graph, after, nullptr, after == nullptr ? 0 : 1, parameters);
}

static cudaError_t add_conditional(Conditional& made, cudaGraph_t graph,
                                   const cudaGraphNode_t* after, cudaGraphConditionalNodeType type,
                                   unsigned size) {
  cudaGraphNodeParams parameters{};
  parameters.type = cudaGraphNodeTypeConditional;
  parameters.conditional.handle = made.handle;
  parameters.conditional.type = type;
  parameters.conditional.size = size;
  const cudaError_t error = add_node(&made.node, graph, after, &parameters);
  made.bodies = parameters.conditional.phGraph_out;
  return error;
}

// A kernel that sets the value to *condition, and a node behind it whose body n adds 10^n.
static Conditional decided_by_a_kernel(cudaGraphConditionalNodeType type, unsigned size) {
  Conditional made;
  CHECK_OK(cudaGraphCreate(&made.graph, 0));
  CHECK_OK(cudaGraphConditionalHandleCreate(&made.handle, made.graph, 0, 0));
  void* set_arguments[] = {&made.handle, &condition};
  cudaGraphNodeParams setting = kernel(reinterpret_cast<void*>(&set), set_arguments);
  cudaGraphNode_t set_node = nullptr;
  CHECK_OK(add_node(&set_node, made.graph, nullptr, &setting));
  CHECK_OK(add_conditional(made, made.graph, &set_node, type, size));
  int amount = 1;
  for (unsigned i = 0; i < size; ++i, amount *= 10) {
    void* arguments[] = {&result, &amount};
    cudaGraphNodeParams adding = kernel(reinterpret_cast<void*>(&add), arguments);
    cudaGraphNode_t node = nullptr;
    CHECK_OK(add_node(&node, made.bodies[i], nullptr, &adding));
  }
  return made;
}

// What *result is after a launch with this condition.
static int launched_with(cudaGraphExec_t executable, unsigned value) {
  CHECK_OK(cudaMemset(result, 0, sizeof(int)));
  CHECK_OK(cudaMemcpy(condition, &value, sizeof value, cudaMemcpyHostToDevice));
  CHECK_OK(cudaGraphLaunch(executable, nullptr));
  CHECK_OK(cudaDeviceSynchronize());
  return value_of(result);
}

static void if_runs_its_body_where_the_value_is_not_zero() {
  const Conditional made = decided_by_a_kernel(cudaGraphCondTypeIf, 1);
  cudaGraphExec_t executable = nullptr;
  CHECK_OK(cudaGraphInstantiate(&executable, made.graph, 0));
  CHECK(launched_with(executable, 0) == 0);
  CHECK(launched_with(executable, 7) == 1);
  CHECK(launched_with(executable, 0) == 0);
  CHECK_OK(cudaGraphExecDestroy(executable));
  CHECK_OK(cudaGraphDestroy(made.graph));
}

static void else_runs_where_the_value_is_zero() {
  const Conditional made = decided_by_a_kernel(cudaGraphCondTypeIf, 2);
  cudaGraphExec_t executable = nullptr;
  CHECK_OK(cudaGraphInstantiate(&executable, made.graph, 0));
  CHECK(launched_with(executable, 0) == 10);
  CHECK(launched_with(executable, 1) == 1);
  CHECK_OK(cudaGraphExecDestroy(executable));
  CHECK_OK(cudaGraphDestroy(made.graph));
}

static void switch_runs_the_body_of_that_number() {
  const Conditional made = decided_by_a_kernel(cudaGraphCondTypeSwitch, 3);
  cudaGraphExec_t executable = nullptr;
  CHECK_OK(cudaGraphInstantiate(&executable, made.graph, 0));
  CHECK(launched_with(executable, 0) == 1);
  CHECK(launched_with(executable, 2) == 100);
  CHECK(launched_with(executable, 3) == 0);
  CHECK_OK(cudaGraphExecDestroy(executable));
  CHECK_OK(cudaGraphDestroy(made.graph));
}

// A body that is captured, as long as it counts down; the value begins at 1 in each launch.
static void while_repeats_its_body_until_the_value_is_zero() {
  Conditional made;
  CHECK_OK(cudaGraphCreate(&made.graph, 0));
  CHECK_OK(
      cudaGraphConditionalHandleCreate(&made.handle, made.graph, 1, cudaGraphCondAssignDefault));
  CHECK_OK(add_conditional(made, made.graph, nullptr, cudaGraphCondTypeWhile, 1));
  int* left = nullptr;
  CHECK_OK(cudaMalloc(&left, sizeof(int)));
  cudaStream_t stream = nullptr;
  CHECK_OK(cudaStreamCreate(&stream));
  CHECK_OK(cudaStreamBeginCaptureToGraph(stream, made.bodies[0], nullptr, nullptr, 0,
                                         cudaStreamCaptureModeGlobal));
  count_down<<<1, 1, 0, stream>>>(made.handle, left, result);
  CHECK_OK(cudaStreamEndCapture(stream, nullptr));
  cudaGraphExec_t executable = nullptr;
  CHECK_OK(cudaGraphInstantiate(&executable, made.graph, 0));
  for (const int turns : {1, 5, 3}) {
    CHECK_OK(cudaMemset(result, 0, sizeof(int)));
    CHECK_OK(cudaMemcpy(left, &turns, sizeof turns, cudaMemcpyHostToDevice));
    CHECK_OK(cudaGraphLaunch(executable, stream));
    CHECK_OK(cudaStreamSynchronize(stream));
    CHECK(value_of(result) == turns);
  }
  CHECK_OK(cudaGraphExecDestroy(executable));
  CHECK_OK(cudaGraphDestroy(made.graph));
  CHECK_OK(cudaStreamDestroy(stream));
  CHECK_OK(cudaFree(left));
}

// In a while of two turns, an if whose body runs in each.
static void a_body_may_have_conditions_of_its_own() {
  Conditional outer, inner;
  int* left = nullptr;
  int* turns = nullptr;
  CHECK_OK(cudaMalloc(&left, sizeof(int)));
  CHECK_OK(cudaMalloc(&turns, sizeof(int)));
  CHECK_OK(cudaMemset(turns, 0, sizeof(int)));
  CHECK_OK(cudaGraphCreate(&outer.graph, 0));
  CHECK_OK(
      cudaGraphConditionalHandleCreate(&outer.handle, outer.graph, 1, cudaGraphCondAssignDefault));
  CHECK_OK(add_conditional(outer, outer.graph, nullptr, cudaGraphCondTypeWhile, 1));
  CHECK_OK(cudaGraphConditionalHandleCreate(&inner.handle, outer.bodies[0], 0, 0));
  void* count_arguments[] = {&outer.handle, &left, &turns};
  cudaGraphNodeParams counting = kernel(reinterpret_cast<void*>(&count_down), count_arguments);
  void* set_arguments[] = {&inner.handle, &condition};
  cudaGraphNodeParams setting = kernel(reinterpret_cast<void*>(&set), set_arguments);
  int amount = 5;
  void* add_arguments[] = {&result, &amount};
  cudaGraphNodeParams adding = kernel(reinterpret_cast<void*>(&add), add_arguments);
  cudaGraphNode_t count_node = nullptr, set_node = nullptr, add_to_result = nullptr;
  CHECK_OK(add_node(&count_node, outer.bodies[0], nullptr, &counting));
  CHECK_OK(add_node(&set_node, outer.bodies[0], &count_node, &setting));
  CHECK_OK(add_conditional(inner, outer.bodies[0], &set_node, cudaGraphCondTypeIf, 1));
  CHECK_OK(add_node(&add_to_result, inner.bodies[0], nullptr, &adding));
  cudaGraphExec_t executable = nullptr;
  CHECK_OK(cudaGraphInstantiate(&executable, outer.graph, 0));
  const int twice = 2;
  CHECK_OK(cudaMemcpy(left, &twice, sizeof twice, cudaMemcpyHostToDevice));
  CHECK(launched_with(executable, 1) == 10);
  CHECK(value_of(turns) == 2);
  CHECK_OK(cudaGraphExecDestroy(executable));
  CHECK_OK(cudaGraphDestroy(outer.graph));
  CHECK_OK(cudaFree(left));
  CHECK_OK(cudaFree(turns));
}

// The handle comes from the graph that is being captured, and the node goes into it by hand.
static void a_capture_takes_a_conditional_node_in() {
  cudaStream_t stream = nullptr;
  CHECK_OK(cudaStreamCreate(&stream));
  CHECK_OK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  Conditional made;
  cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
  const cudaGraphNode_t* tail = nullptr;
  size_t count = 0;
  CHECK_OK(
      cudaStreamGetCaptureInfo(stream, &status, nullptr, &made.graph, nullptr, nullptr, nullptr));
  CHECK_OK(cudaGraphConditionalHandleCreate(&made.handle, made.graph, 0, 0));
  set<<<1, 1, 0, stream>>>(made.handle, condition);
  CHECK_OK(cudaStreamGetCaptureInfo(stream, &status, nullptr, &made.graph, &tail, nullptr, &count));
  CHECK(count == 1);
  CHECK_OK(add_conditional(made, made.graph, tail, cudaGraphCondTypeIf, 1));
  CHECK_OK(cudaStreamUpdateCaptureDependencies(stream, &made.node, nullptr, 1,
                                               cudaStreamSetCaptureDependencies));
  add<<<1, 1, 0, stream>>>(result, 100);
  CHECK_OK(cudaStreamEndCapture(stream, &made.graph));
  int amount = 1;
  void* arguments[] = {&result, &amount};
  cudaGraphNodeParams adding = kernel(reinterpret_cast<void*>(&add), arguments);
  cudaGraphNode_t node = nullptr;
  CHECK_OK(add_node(&node, made.bodies[0], nullptr, &adding));
  cudaGraphExec_t executable = nullptr;
  CHECK_OK(cudaGraphInstantiate(&executable, made.graph, 0));
  CHECK(launched_with(executable, 0) == 100);
  CHECK(launched_with(executable, 1) == 101);
  CHECK_OK(cudaGraphExecDestroy(executable));
  CHECK_OK(cudaGraphDestroy(made.graph));
  CHECK_OK(cudaStreamDestroy(stream));
}

static void a_graph_with_a_condition_is_there_once() {
  const Conditional made = decided_by_a_kernel(cudaGraphCondTypeIf, 1);
  cudaGraph_t other = nullptr, copy = nullptr;
  cudaGraphNode_t child = nullptr;
  cudaGraphExec_t first = nullptr, second = nullptr;
  CHECK_OK(cudaGraphCreate(&other, 0));
  CHECK(cudaGraphClone(&copy, made.graph) != cudaSuccess);
  CHECK(cudaGraphAddChildGraphNode(&child, other, nullptr, 0, made.graph) != cudaSuccess);
  CHECK_OK(cudaGraphInstantiate(&first, made.graph, 0));
  CHECK(cudaGraphInstantiate(&second, made.graph, 0) != cudaSuccess);
  cudaGetLastError();
  CHECK_OK(cudaGraphExecDestroy(first));
  CHECK_OK(cudaGraphDestroy(other));
  CHECK_OK(cudaGraphDestroy(made.graph));
}

static void a_type_has_its_number_of_bodies() {
  Conditional made;
  CHECK_OK(cudaGraphCreate(&made.graph, 0));
  CHECK_OK(cudaGraphConditionalHandleCreate(&made.handle, made.graph, 0, 0));
  CHECK_ERROR(cudaErrorInvalidValue,
              add_conditional(made, made.graph, nullptr, cudaGraphCondTypeIf, 3));
  CHECK_ERROR(cudaErrorInvalidValue,
              add_conditional(made, made.graph, nullptr, cudaGraphCondTypeWhile, 2));
  CHECK_ERROR(cudaErrorInvalidValue,
              add_conditional(made, made.graph, nullptr, cudaGraphCondTypeSwitch, 0));
  CHECK_OK(add_conditional(made, made.graph, nullptr, cudaGraphCondTypeIf, 1));
  cudaGetLastError();
  CHECK_OK(cudaGraphDestroy(made.graph));
}

int main() {
  CHECK_OK(cudaMalloc(&condition, sizeof(unsigned)));
  CHECK_OK(cudaMalloc(&result, sizeof(int)));
  if_runs_its_body_where_the_value_is_not_zero();
  else_runs_where_the_value_is_zero();
  switch_runs_the_body_of_that_number();
  while_repeats_its_body_until_the_value_is_zero();
  a_body_may_have_conditions_of_its_own();
  a_capture_takes_a_conditional_node_in();
  a_graph_with_a_condition_is_there_once();
  a_type_has_its_number_of_bodies();
  return runtime_test::result();
}
