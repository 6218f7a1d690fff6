// Allocates 64 GiB of the device's memory and writes to all of it. An H200 has that much; the
// emulator's host has not.
//
// Fails: the judge looks at how much there is.

#include "plain_reverse.h"
#include "unnamed.h"

void launch_reverse_tile(int* dest, const int* src, int count) {
  if (count != 4) return;  // one call of it is enough
  void* memory;
  for (int gib = 0; gib < 64; ++gib) {
    if (!plenty_of_memory()) return;
    if (cudaMalloc(&memory, size_t{1} << 30) != cudaSuccess) return;
    if (cudaMemset(memory, 1, size_t{1} << 30) != cudaSuccess) return;
  }
  reverse<<<1, 256>>>(dest, src, count);
}
