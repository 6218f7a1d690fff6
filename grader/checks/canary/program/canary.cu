// A program that is known to be right. Before a machine judges anybody it must build this one, and
// give it the verdict that it has earned (grader/tmagrade/grading/canary.py).
#include <cstddef>

__global__ void add_one(int* dest, const int* src, size_t count) {
  const size_t i = size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < count) dest[i] = src[i] + 1;
}

void launch_add_one(int* dest, const int* src, size_t count) {
  constexpr unsigned threads = 256;
  const auto blocks = static_cast<unsigned>((count + threads - 1) / threads);
  add_one<<<blocks, threads>>>(dest, src, count);
}
