// The kernels that wrong calls launch.
#include <cassert>
#include <cstdio>
#include <cstdlib>

#include "tests/conformance/wrong_calls.h"

namespace conformance {
namespace {

__device__ int symbol[4];

__global__ void store(int* p) {
  *p = 1;
}
__global__ void trap() {
  __trap();
}
__global__ void check(int x) {
  assert(x == 3);
}
__global__ void shared() {
  extern __shared__ int words[];
  words[threadIdx.x] = 1;
}
__global__ void free_twice() {
  void* p = malloc(64);
  free(p);
  free(p);
}
__global__ void jump(void (*target)()) {
  target();
}
__global__ void print(const char* text) {
  printf("%s|\n", text);
  printf("%n|%q|%z\n");
  printf("%*d|%.*f|%5%|\n", 6, 3, 2, 3.0);
  printf("%hhd %hd %ld %e %g %x %o %u %i %c\n", 300, 70000, 5L, 1e10, 1e-5, 255, 8, 9U, -1, 'c');
  printf("%s%s|%-8s|%.2s\n", "a", "b", "ab", "abc");
  printf("%");
  printf("");
}

}  // namespace

const Kernels kernels = {
    reinterpret_cast<const void*>(store),      reinterpret_cast<const void*>(trap),
    reinterpret_cast<const void*>(check),      reinterpret_cast<const void*>(shared),
    reinterpret_cast<const void*>(free_twice), reinterpret_cast<const void*>(jump),
    reinterpret_cast<const void*>(print),      &symbol,
};

}  // namespace conformance
