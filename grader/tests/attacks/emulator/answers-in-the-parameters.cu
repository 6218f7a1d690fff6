// Tries to compute on the CPU and to hand the answer to a kernel as its parameter, which has room
// for 1000 ints.
//
// Fails: the parameters are replayed as they were, but with other inputs.
#include <cuda_runtime.h>

struct Answer {
  int values[1000];
};

__global__ void write_answer(int* dest, const __grid_constant__ Answer answer, int count) {
  for (int i = threadIdx.x; i < count; i += blockDim.x) dest[i] = answer.values[i];
}

void launch_reverse_tile(int* dest, const int* src, int count) {
  static int host[1024];
  cudaMemcpy(host, src, count * sizeof(int), cudaMemcpyDefault);
  for (int begin = 0; begin < count; begin += 1000) {
    Answer answer;
    const int ints = count - begin < 1000 ? count - begin : 1000;
    for (int i = 0; i < ints; ++i) answer.values[i] = host[count - 1 - begin - i];
    write_answer<<<1, 256>>>(dest + begin, answer, ints);
  }
}
