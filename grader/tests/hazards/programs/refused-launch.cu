// Launches that CUDA refuses, and programs that go on without a word: <<<>>> returns nothing.
#include "harness.h"

// What Memory::compare() does, without asking for the last error.
Outcome compare(const Memory& memory, int (*expected)(int), int checked) {
  note(cudaDeviceSynchronize());
  std::vector<int> outputs(OUTPUTS);
  note(cudaMemcpy(outputs.data(), memory.out, OUTPUTS * sizeof(int), cudaMemcpyDeviceToHost));
  if (first_error != cudaSuccess) return Outcome::error;
  for (int i = 0; i < checked; ++i) {
    if (outputs[i] != expected(i)) return Outcome::wrong;
  }
  return Outcome::ok;
}

__global__ void copies(const int* in, int* out) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = in[i];
}
__global__ void __launch_bounds__(128) copies_with_128_threads(const int* in, int* out) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = in[i];
}
__global__ void __cluster_dims__(2) copies_in_pairs(const int* in, int* out) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = in[i];
}
__global__ void copies_through_shared_memory(const int* in, int* out) {
  extern __shared__ int tile[];
  tile[threadIdx.x] = in[threadIdx.x];
  out[threadIdx.x] = tile[threadIdx.x];
}

//: pair shared_memory_without_the_attribute
template <bool mistaken>
Outcome shared_memory_without_the_attribute() {
  const Memory memory;
  constexpr int bytes = 65536;
  if constexpr (!mistaken) {
    note(cudaFuncSetAttribute(copies_through_shared_memory,
                              cudaFuncAttributeMaxDynamicSharedMemorySize, bytes));
  }
  copies_through_shared_memory<<<1, 128, bytes>>>(memory.in, memory.out);  //: refused-launch
  return compare(memory, the_input, 128);
}

//: pair too_many_threads
template <bool mistaken>
Outcome too_many_threads() {
  const Memory memory;
  const int threads = mistaken ? 2048 : 1024;
  copies<<<2048 / threads, threads>>>(memory.in, memory.out);  //: refused-launch
  return compare(memory, the_input, 2048);
}

//: pair more_threads_than_the_bounds
template <bool mistaken>
Outcome more_threads_than_the_bounds() {
  const Memory memory;
  const int threads = mistaken ? 256 : 128;
  copies_with_128_threads<<<256 / threads, threads>>>(memory.in, memory.out);  //: refused-launch
  return compare(memory, the_input, 256);
}

//: pair a_block_without_its_cluster
template <bool mistaken>
Outcome a_block_without_its_cluster() {
  const Memory memory;
  copies_in_pairs<<<mistaken ? 3 : 4, 128>>>(memory.in, memory.out);  //: refused-launch
  return compare(memory, the_input, 384);
}

//: pair too_deep_a_block
template <bool mistaken>
Outcome too_deep_a_block() {
  const Memory memory;
  const dim3 block = mistaken ? dim3(1, 1, 128) : dim3(128);
  copies<<<1, block>>>(memory.in, memory.out);  //: refused-launch
  return compare(memory, the_input, mistaken ? 1 : 128);
}

//: pair no_blocks_for_what_is_left
template <bool mistaken>
Outcome no_blocks_for_what_is_left() {
  const Memory memory;
  constexpr int count = 128;
  copies<<<mistaken ? count / 256 : (count + 255) / 256, 256>>>(  //: refused-launch
      memory.in, memory.out);
  return compare(memory, the_input, count);
}

//: pair asks_before_it_launches
// Who asks behind the launch hears of it, and can do something else.
template <bool mistaken>
Outcome asks_before_it_launches() {
  const Memory memory;
  if constexpr (mistaken) note(cudaGetLastError());
  copies<<<1, 2048>>>(memory.in, memory.out);  //: refused-launch
  if constexpr (!mistaken) {
    if (cudaGetLastError() != cudaSuccess) copies<<<2, 1024>>>(memory.in, memory.out);
  }
  return compare(memory, the_input, 2048);
}

constexpr Pair pairs[] = {
    {"shared_memory_without_the_attribute", shared_memory_without_the_attribute<true>,
     shared_memory_without_the_attribute<false>},
    {"too_many_threads", too_many_threads<true>, too_many_threads<false>},
    {"more_threads_than_the_bounds", more_threads_than_the_bounds<true>,
     more_threads_than_the_bounds<false>},
    {"a_block_without_its_cluster", a_block_without_its_cluster<true>,
     a_block_without_its_cluster<false>},
    {"too_deep_a_block", too_deep_a_block<true>, too_deep_a_block<false>},
    {"no_blocks_for_what_is_left", no_blocks_for_what_is_left<true>,
     no_blocks_for_what_is_left<false>},
    {"asks_before_it_launches", asks_before_it_launches<true>, asks_before_it_launches<false>},
};

int main(int argc, char** argv) {
  return run_pairs(pairs, argc, argv);
}
