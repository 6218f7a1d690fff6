// Kernels and other work of different streams, of a graph, or of launches that may start early,
// that nothing orders.
#include "harness.h"
#include "ptx-fence.h"

// Two streams that wait neither for the default stream nor for each other.
struct Streams {
  cudaStream_t first = nullptr;
  cudaStream_t second = nullptr;
  cudaEvent_t event = nullptr;

  Streams() {
    note(cudaDeviceSynchronize());
    note(cudaStreamCreateWithFlags(&first, cudaStreamNonBlocking));
    note(cudaStreamCreateWithFlags(&second, cudaStreamNonBlocking));
    note(cudaEventCreateWithFlags(&event, cudaEventDisableTiming));
  }
  ~Streams() {
    cudaStreamDestroy(first);
    cudaStreamDestroy(second);
    cudaEventDestroy(event);
  }
  Streams(const Streams&) = delete;
  Streams& operator=(const Streams&) = delete;

  // The second stream goes on when the first one is where it is now; and the other way round.
  void second_waits() const {
    note(cudaEventRecord(event, first));
    note(cudaStreamWaitEvent(second, event));
  }
  void first_waits() const {
    note(cudaEventRecord(event, second));
    note(cudaStreamWaitEvent(first, event));
  }
};

constexpr int BYTES = 128 * sizeof(int);

//: pair graph_without_an_edge
__global__ void writes(const int* in, int* message) {
  message[threadIdx.x] = in[threadIdx.x];  //: other
}
__global__ void reads(const int* message, int* out) {
  out[threadIdx.x] = message[127 - threadIdx.x];  //: data-race
}
template <bool mistaken>
Outcome graph_without_an_edge() {
  const Memory memory;
  cudaGraph_t graph;
  note(cudaGraphCreate(&graph, 0));
  cudaGraphNode_t writing, reading;
  void* written[] = {const_cast<int**>(&memory.in), const_cast<int**>(&memory.scratch)};
  void* read[] = {const_cast<int**>(&memory.scratch), const_cast<int**>(&memory.out)};
  cudaKernelNodeParams node{};
  node.gridDim = dim3(1);
  node.blockDim = dim3(128);
  node.func = reinterpret_cast<void*>(writes);
  node.kernelParams = written;
  note(cudaGraphAddKernelNode(&writing, graph, nullptr, 0, &node));
  node.func = reinterpret_cast<void*>(reads);
  node.kernelParams = read;
  note(cudaGraphAddKernelNode(&reading, graph, &writing, mistaken ? 0 : 1, &node));
  cudaGraphExec_t executable;
  note(cudaGraphInstantiate(&executable, graph, 0));
  note(cudaGraphLaunch(executable, nullptr));
  const Outcome outcome = memory.compare(mirrored, 128);
  note(cudaGraphExecDestroy(executable));
  note(cudaGraphDestroy(graph));
  return outcome;
}

//: pair captured_branches
// The second stream's branch begins behind the first kernel, or before it.
__global__ void writes_first(const int* in, int* message) {
  message[threadIdx.x] = in[threadIdx.x];  //: other
}
__global__ void reads_aside(const int* message, int* out) {
  out[threadIdx.x] = message[127 - threadIdx.x];  //: data-race
}
template <bool mistaken>
Outcome captured_branches() {
  const Memory memory;
  const Streams streams;
  note(cudaStreamBeginCapture(streams.first, cudaStreamCaptureModeGlobal));
  if constexpr (mistaken) streams.second_waits();
  writes_first<<<1, 128, 0, streams.first>>>(memory.in, memory.scratch);
  if constexpr (!mistaken) streams.second_waits();
  reads_aside<<<1, 128, 0, streams.second>>>(memory.scratch, memory.out);
  streams.first_waits();
  cudaGraph_t graph;
  note(cudaStreamEndCapture(streams.first, &graph));
  cudaGraphExec_t executable;
  note(cudaGraphInstantiate(&executable, graph, 0));
  note(cudaGraphLaunch(executable, streams.first));
  note(cudaStreamSynchronize(streams.first));
  const Outcome outcome = memory.compare(mirrored, 128);
  note(cudaGraphExecDestroy(executable));
  note(cudaGraphDestroy(graph));
  return outcome;
}

//: pair used_before_it_is_allocated
__global__ void writes_new_memory(const int* in, int* memory) {
  memory[threadIdx.x] = in[threadIdx.x];  //: data-race
}
template <bool mistaken>
Outcome used_before_it_is_allocated() {
  const Memory memory;
  const Streams streams;
  int* allocated;
  note(cudaMallocAsync(&allocated, BYTES, streams.first));
  if constexpr (!mistaken) streams.second_waits();
  writes_new_memory<<<1, 128, 0, streams.second>>>(memory.in, allocated);
  note(cudaMemcpyAsync(memory.out, allocated, BYTES, cudaMemcpyDeviceToDevice, streams.second));
  note(cudaFreeAsync(allocated, streams.second));
  return memory.compare(the_input, 128);
}

//: pair freed_while_it_is_used
__global__ void reads_old_memory(const int* memory, int* out) {
  out[threadIdx.x] = memory[threadIdx.x];  //: data-race
}
template <bool mistaken>
Outcome freed_while_it_is_used() {
  const Memory memory;
  const Streams streams;
  int* allocated;
  note(cudaMallocAsync(&allocated, BYTES, streams.first));
  note(cudaMemcpyAsync(allocated, memory.in, BYTES, cudaMemcpyDeviceToDevice, streams.first));
  reads_old_memory<<<1, 128, 0, streams.first>>>(allocated, memory.out);
  if constexpr (!mistaken) streams.second_waits();
  note(cudaFreeAsync(allocated, streams.second));
  return memory.compare(the_input, 128);
}

//: pair copied_while_it_is_written
__global__ void writes_what_is_copied(const int* in, int* message) {
  message[threadIdx.x] = in[threadIdx.x];  //: data-race
}
template <bool mistaken>
Outcome copied_while_it_is_written() {
  const Memory memory;
  const Streams streams;
  writes_what_is_copied<<<1, 128, 0, streams.first>>>(memory.in, memory.scratch);
  if constexpr (!mistaken) streams.second_waits();
  note(
      cudaMemcpyAsync(memory.out, memory.scratch, BYTES, cudaMemcpyDeviceToDevice, streams.second));
  return memory.compare(the_input, 128);
}

//: pair cleared_while_it_is_counted_in
__global__ void counts(int* numbers) {
  atomicAdd(&numbers[threadIdx.x % 16], 1);  //: data-race
}
int eight_each(int) {
  return 8;
}
template <bool mistaken>
Outcome cleared_while_it_is_counted_in() {
  const Memory memory;
  const Streams streams;
  note(cudaMemsetAsync(memory.out, 0, BYTES, streams.first));
  if constexpr (!mistaken) streams.second_waits();
  counts<<<1, 128, 0, streams.second>>>(memory.out);
  return memory.compare(eight_each, 16);
}

//: pair read_while_the_kernel_in_the_middle_waits
// Three kernels of which each may start before the one ahead of it is over: griddepcontrol.
constexpr unsigned A_WHILE = 100'000;  // nanoseconds: two more kernels start meanwhile

// The kernel in the middle. The next one starts once it is let: ahead of the wait, that may be
// while the first kernel still runs.
template <bool mistaken>
__global__ void doubles(int* numbers) {
  if constexpr (mistaken) let_dependents_start();
  wait_for_earlier_kernels();
  if constexpr (!mistaken) let_dependents_start();
  numbers[threadIdx.x] *= 2;
}

__global__ void writes_late(const int* in, int* message) {
  let_dependents_start();
  __nanosleep(A_WHILE);
  message[threadIdx.x] = in[threadIdx.x];  //: other
}
// It reads nothing of what the kernel in the middle writes, and so does not wait for it.
__global__ void reads_the_first_ones(const int* message, int* out) {
  out[threadIdx.x] = message[127 - threadIdx.x];  //: data-race
}
template <bool mistaken>
Outcome read_while_the_kernel_in_the_middle_waits() {
  const Memory memory;
  int* const others = memory.scratch + 128;
  writes_late<<<1, 128>>>(memory.in, memory.scratch);
  launch_early(doubles<mistaken>, others);
  launch_early(reads_the_first_ones, memory.scratch, memory.out);
  return memory.compare(mirrored, 128);
}

//: pair overwritten_while_the_kernel_in_the_middle_waits
__global__ void reads_late(const int* message, int* out) {
  let_dependents_start();
  __nanosleep(A_WHILE);
  out[threadIdx.x] = message[127 - threadIdx.x];  //: other
}
__global__ void writes_the_next_message(int* message) {
  message[threadIdx.x] = -1;  //: data-race
}
template <bool mistaken>
Outcome overwritten_while_the_kernel_in_the_middle_waits() {
  const Memory memory;
  int* const others = memory.scratch + 128;
  note(cudaMemcpy(memory.scratch, memory.in, 128 * sizeof(int), cudaMemcpyDeviceToDevice));
  reads_late<<<1, 128>>>(memory.scratch, memory.out);
  launch_early(doubles<mistaken>, others);
  launch_early(writes_the_next_message, memory.scratch);
  return memory.compare(mirrored, 128);
}

constexpr Pair pairs[] = {
    {"graph_without_an_edge", graph_without_an_edge<true>, graph_without_an_edge<false>},
    {"captured_branches", captured_branches<true>, captured_branches<false>},
    {"used_before_it_is_allocated", used_before_it_is_allocated<true>,
     used_before_it_is_allocated<false>},
    {"freed_while_it_is_used", freed_while_it_is_used<true>, freed_while_it_is_used<false>},
    {"copied_while_it_is_written", copied_while_it_is_written<true>,
     copied_while_it_is_written<false>},
    {"cleared_while_it_is_counted_in", cleared_while_it_is_counted_in<true>,
     cleared_while_it_is_counted_in<false>},
    {"read_while_the_kernel_in_the_middle_waits", read_while_the_kernel_in_the_middle_waits<true>,
     read_while_the_kernel_in_the_middle_waits<false>},
    {"overwritten_while_the_kernel_in_the_middle_waits",
     overwritten_while_the_kernel_in_the_middle_waits<true>,
     overwritten_while_the_kernel_in_the_middle_waits<false>},
};

int main(int argc, char** argv) {
  return run_pairs(pairs, argc, argv);
}
