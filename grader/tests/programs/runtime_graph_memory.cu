// Memory that a graph allocates and frees: CUDA Programming Guide, "Graph Memory Nodes".
#include "runtime_test.h"

__global__ void put(int* place, int value) {
  *place = value;
}
__global__ void get(int* out, const int* place) {
  *out = *place;
}

static int* result = nullptr;

static cudaMemAllocNodeParams bytes(size_t size) {
  cudaMemAllocNodeParams parameters{};
  parameters.poolProps.allocType = cudaMemAllocationTypePinned;
  parameters.poolProps.location.type = cudaMemLocationTypeDevice;
  parameters.bytesize = size;
  return parameters;
}

static cudaGraphNode_t add_put(cudaGraph_t graph, cudaGraphNode_t after, void* place, int value) {
  void* arguments[] = {&place, &value};
  cudaKernelNodeParams parameters{};
  parameters.func = reinterpret_cast<void*>(&put);
  parameters.gridDim = parameters.blockDim = dim3(1);
  parameters.kernelParams = arguments;
  cudaGraphNode_t node = nullptr;
  CHECK_OK(cudaGraphAddKernelNode(&node, graph, &after, 1, &parameters));
  return node;
}

// A graph that allocates, writes a number there, and copies it to `result`.
struct Allocating {
  cudaGraph_t graph = nullptr;
  cudaGraphNode_t allocation = nullptr, copy = nullptr;
  void* memory = nullptr;

  Allocating() {
    CHECK_OK(cudaGraphCreate(&graph, 0));
    cudaMemAllocNodeParams parameters = bytes(1000);
    CHECK_OK(cudaGraphAddMemAllocNode(&allocation, graph, nullptr, 0, &parameters));
    memory = parameters.dptr;
    const cudaGraphNode_t written = add_put(graph, allocation, memory, 7);
    CHECK_OK(cudaGraphAddMemcpyNode1D(&copy, graph, &written, 1, result, memory, sizeof(int),
                                      cudaMemcpyDeviceToDevice));
  }
  ~Allocating() { CHECK_OK(cudaGraphDestroy(graph)); }

  cudaGraphExec_t instantiate(unsigned long long flags = 0) const {
    cudaGraphExec_t executable = nullptr;
    CHECK_OK(cudaGraphInstantiate(&executable, graph, flags));
    return executable;
  }
};

static int given() {
  int value = 0;
  CHECK_OK(cudaMemcpy(&value, result, sizeof value, cudaMemcpyDeviceToHost));
  CHECK_OK(cudaMemset(result, 0, sizeof(int)));
  return value;
}

static void what_a_graph_frees_it_has_anew_at_the_same_place_in_each_launch() {
  Allocating made;
  cudaGraphNode_t freed = nullptr;
  void* named = nullptr;
  CHECK(made.memory != nullptr);
  CHECK_OK(cudaGraphAddMemFreeNode(&freed, made.graph, &made.copy, 1, made.memory));
  CHECK_OK(cudaGraphMemFreeNodeGetParams(freed, &named));
  CHECK(named == made.memory);
  const cudaGraphExec_t executable = made.instantiate();
  for (int i = 0; i < 2; ++i) {
    CHECK_OK(cudaGraphLaunch(executable, nullptr));
    CHECK_OK(cudaDeviceSynchronize());
    CHECK(given() == 7);
  }
  CHECK_ERROR(cudaErrorInvalidValue, cudaFree(made.memory));
  cudaGetLastError();
  CHECK_OK(cudaGraphExecDestroy(executable));
}

static void what_it_does_not_free_is_there_until_somebody_does() {
  Allocating made;
  const cudaGraphExec_t executable = made.instantiate();
  CHECK_OK(cudaGraphLaunch(executable, nullptr));
  get<<<1, 1>>>(result, static_cast<const int*>(made.memory));
  CHECK(given() == 7);
  CHECK_ERROR(cudaErrorInvalidValue, cudaGraphLaunch(executable, nullptr));
  cudaGetLastError();
  CHECK_OK(cudaFreeAsync(made.memory, nullptr));
  CHECK_OK(cudaGraphLaunch(executable, nullptr));
  CHECK_OK(cudaDeviceSynchronize());
  CHECK(given() == 7);
  CHECK_OK(cudaFree(made.memory));
  CHECK_OK(cudaGraphExecDestroy(executable));
}

static void a_launch_may_free_what_the_one_before_left() {
  Allocating made;
  const cudaGraphExec_t executable = made.instantiate(cudaGraphInstantiateFlagAutoFreeOnLaunch);
  CHECK_OK(cudaGraphLaunch(executable, nullptr));
  CHECK_OK(cudaGraphLaunch(executable, nullptr));
  CHECK_OK(cudaDeviceSynchronize());
  CHECK(given() == 7);
  CHECK_OK(cudaFree(made.memory));
  CHECK_OK(cudaGraphExecDestroy(executable));
}

static void another_graph_may_free_it() {
  Allocating made;
  cudaGraph_t other = nullptr;
  cudaGraphNode_t node = nullptr;
  cudaGraphExec_t freeing = nullptr;
  const cudaGraphExec_t executable = made.instantiate();
  CHECK_OK(cudaGraphCreate(&other, 0));
  CHECK_OK(cudaGraphAddMemFreeNode(&node, other, nullptr, 0, made.memory));
  CHECK_OK(cudaGraphInstantiate(&freeing, other, 0));
  for (int i = 0; i < 2; ++i) {
    CHECK_OK(cudaGraphLaunch(executable, nullptr));
    CHECK_OK(cudaGraphLaunch(freeing, nullptr));
  }
  CHECK_OK(cudaDeviceSynchronize());
  CHECK(given() == 7);
  CHECK_OK(cudaGraphExecDestroy(freeing));
  CHECK_OK(cudaGraphExecDestroy(executable));
  CHECK_OK(cudaGraphDestroy(other));
}

static void captured_streams_allocate_and_free_in_the_graph() {
  cudaStream_t stream = nullptr;
  cudaGraph_t graph = nullptr;
  cudaGraphExec_t executable = nullptr;
  int* place = nullptr;
  CHECK_OK(cudaStreamCreate(&stream));
  CHECK_OK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  CHECK_OK(cudaMallocAsync(&place, sizeof(int), stream));
  put<<<1, 1, 0, stream>>>(place, 11);
  get<<<1, 1, 0, stream>>>(result, place);
  CHECK_OK(cudaFreeAsync(place, stream));
  CHECK_OK(cudaStreamEndCapture(stream, &graph));
  CHECK_OK(cudaGraphInstantiate(&executable, graph, 0));
  CHECK_OK(cudaGraphLaunch(executable, stream));
  CHECK_OK(cudaGraphLaunch(executable, stream));
  CHECK_OK(cudaStreamSynchronize(stream));
  CHECK(given() == 11);
  CHECK_OK(cudaGraphExecDestroy(executable));
  CHECK_OK(cudaGraphDestroy(graph));
  CHECK_OK(cudaStreamDestroy(stream));
}

static void a_graph_frees_what_a_graph_allocated_and_that_once() {
  Allocating made;
  cudaGraphNode_t node = nullptr;
  CHECK_ERROR(cudaErrorInvalidValue,
              cudaGraphAddMemFreeNode(&node, made.graph, &made.copy, 1, result));
  CHECK_OK(cudaGraphAddMemFreeNode(&node, made.graph, &made.copy, 1, made.memory));
  CHECK_ERROR(cudaErrorInvalidValue,
              cudaGraphAddMemFreeNode(&node, made.graph, &made.copy, 1, made.memory));
  cudaGetLastError();
}

static size_t attribute(cudaGraphMemAttributeType which) {
  unsigned long long value = 0;
  CHECK_OK(cudaDeviceGetGraphMemAttribute(0, which, &value));
  return value;
}

static void what_graphs_used_stays_theirs_until_it_is_trimmed() {
  CHECK_OK(cudaDeviceGraphMemTrim(0));
  CHECK(attribute(cudaGraphMemAttrReservedMemCurrent) == 0);
  Allocating made;
  const cudaGraphExec_t executable = made.instantiate();
  CHECK(attribute(cudaGraphMemAttrReservedMemCurrent) == 0);
  CHECK_OK(cudaGraphLaunch(executable, nullptr));
  CHECK_OK(cudaDeviceSynchronize());
  CHECK_OK(cudaDeviceGraphMemTrim(0));
  CHECK(attribute(cudaGraphMemAttrReservedMemCurrent) >= 1000);
  CHECK_OK(cudaFree(made.memory));
  CHECK(attribute(cudaGraphMemAttrReservedMemCurrent) >= 1000);
  CHECK_OK(cudaDeviceGraphMemTrim(0));
  CHECK(attribute(cudaGraphMemAttrReservedMemCurrent) == 0);
  CHECK(attribute(cudaGraphMemAttrReservedMemHigh) >= 1000);
  CHECK_OK(cudaGraphExecDestroy(executable));
}

static void an_upload_has_the_memory_before_the_launch_and_in_pages_of_32_mib() {
  constexpr size_t page = size_t{32} << 20;
  CHECK_OK(cudaDeviceGraphMemTrim(0));
  Allocating made;
  const cudaGraphExec_t executable = made.instantiate();
  CHECK_OK(cudaGraphUpload(executable, nullptr));
  CHECK_OK(cudaDeviceSynchronize());
  CHECK(attribute(cudaGraphMemAttrReservedMemCurrent) == page);
  CHECK(attribute(cudaGraphMemAttrUsedMemCurrent) == page);
  CHECK_OK(cudaGraphExecDestroy(executable));
}

static void each_high_water_mark_is_reset_by_itself() {
  unsigned long long zero = 0;
  CHECK_OK(cudaDeviceGraphMemTrim(0));
  CHECK_OK(cudaDeviceSetGraphMemAttribute(0, cudaGraphMemAttrUsedMemHigh, &zero));
  CHECK(attribute(cudaGraphMemAttrUsedMemHigh) == 0);
  CHECK(attribute(cudaGraphMemAttrReservedMemHigh) > 0);
  CHECK_OK(cudaDeviceSetGraphMemAttribute(0, cudaGraphMemAttrReservedMemHigh, &zero));
  CHECK(attribute(cudaGraphMemAttrReservedMemHigh) == 0);
}

static void a_graph_with_memory_is_one_graph() {
  Allocating made;
  cudaGraph_t other = nullptr;
  cudaGraphNode_t child = nullptr;
  cudaGraphExec_t second = nullptr;
  cudaGraphExecUpdateResultInfo info{};
  CHECK_ERROR(cudaErrorNotSupported, cudaGraphClone(&other, made.graph));
  CHECK_OK(cudaGraphCreate(&other, 0));
  CHECK_ERROR(cudaErrorNotSupported,
              cudaGraphAddChildGraphNode(&child, other, nullptr, 0, made.graph));
  CHECK_ERROR(cudaErrorNotSupported, cudaGraphDestroyNode(made.copy));
  const cudaGraphExec_t executable = made.instantiate();
  CHECK_ERROR(cudaErrorNotSupported, cudaGraphInstantiate(&second, made.graph, 0));
  CHECK_OK(cudaGraphExecUpdate(executable, made.graph, &info));
  CHECK(info.result == cudaGraphExecUpdateSuccess);
  cudaGetLastError();
  CHECK_OK(cudaGraphExecDestroy(executable));
  CHECK_OK(cudaGraphDestroy(other));
}

static void a_graph_allocates_on_a_device_that_is_there() {
  cudaGraph_t graph = nullptr;
  cudaGraphNode_t node = nullptr;
  CHECK_OK(cudaGraphCreate(&graph, 0));
  cudaMemAllocNodeParams parameters = bytes(100);
  parameters.poolProps.location.id = 7;
  CHECK_ERROR(cudaErrorInvalidValue,
              cudaGraphAddMemAllocNode(&node, graph, nullptr, 0, &parameters));
  parameters = bytes(0);
  CHECK_ERROR(cudaErrorInvalidValue,
              cudaGraphAddMemAllocNode(&node, graph, nullptr, 0, &parameters));
  cudaGetLastError();
  CHECK_OK(cudaGraphDestroy(graph));
}

int main() {
  CHECK_OK(cudaMalloc(&result, sizeof(int)));
  CHECK_OK(cudaMemset(result, 0, sizeof(int)));
  what_a_graph_frees_it_has_anew_at_the_same_place_in_each_launch();
  what_it_does_not_free_is_there_until_somebody_does();
  a_launch_may_free_what_the_one_before_left();
  another_graph_may_free_it();
  captured_streams_allocate_and_free_in_the_graph();
  a_graph_frees_what_a_graph_allocated_and_that_once();
  what_graphs_used_stays_theirs_until_it_is_trimmed();
  an_upload_has_the_memory_before_the_launch_and_in_pages_of_32_mib();
  each_high_water_mark_is_reset_by_itself();
  a_graph_with_memory_is_one_graph();
  a_graph_allocates_on_a_device_that_is_there();
  return runtime_test::result();
}
