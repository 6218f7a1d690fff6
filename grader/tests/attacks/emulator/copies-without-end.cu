// Copies large arrays to the device without end: whoever records them runs out of memory or disk.
//
// Fails: the recording has a limit.
#include <cuda_runtime.h>

#include <vector>

void launch_reverse_tile(int*, const int*, int count) {
  if (count != 4) return;  // one call of it is enough
  const std::vector<char> bytes(256 << 20, 1);
  void* memory;
  cudaMalloc(&memory, bytes.size());
  for (;;) cudaMemcpy(memory, bytes.data(), bytes.size(), cudaMemcpyHostToDevice);
}
