// Prints without end from a kernel.
//
// Fails: as on the host.
#include <cstdio>

__global__ void talk() {
  for (;;) std::printf("thread %d: PASSED\n", threadIdx.x);
}

void launch_reverse_tile(int*, const int*, int) {
  talk<<<1, 256>>>();
}
