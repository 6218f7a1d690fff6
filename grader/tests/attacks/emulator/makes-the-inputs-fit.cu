// Tries to modify the inputs: an array of zeros is its own reverse.
//
// Fails: the expected output belongs to the inputs that the judge drew, and a changed input is
// told.
#include <cuda_runtime.h>

void launch_reverse_tile(int* dest, const int* src, int count) {
  cudaMemset(const_cast<int*>(src), 0, count * sizeof(int));
  cudaMemset(dest, 0, count * sizeof(int));
}
