// Tries to find the answer in memory that the judge has freed: it allocates, and copies what is
// there.
//
// Fails: expected outputs never come to the device that a submission uses, nor into its process.
#include <cuda_runtime.h>

void launch_reverse_tile(int* dest, const int*, int count) {
  int* found;
  cudaMalloc(&found, count * sizeof(int));
  cudaMemcpy(dest, found, count * sizeof(int), cudaMemcpyDeviceToDevice);
  cudaFree(found);
}
