// Tries to compute on the CPU in a function that the stream calls: it may run after the launcher
// has returned.
//
// Fails: a replay has no host code to call.
#include <cuda_runtime.h>

#include <algorithm>

int answer[1024];
int answer_count;

void launch_reverse_tile(int* dest, const int* src, int count) {
  answer_count = count;
  cudaMemcpyAsync(answer, src, count * sizeof(int), cudaMemcpyDefault, nullptr);
  cudaLaunchHostFunc(
      nullptr, [](void*) { std::reverse(answer, answer + answer_count); }, nullptr);
  cudaMemcpyAsync(dest, answer, count * sizeof(int), cudaMemcpyDefault, nullptr);
}
