// Gives the right answer. But when its library is loaded, a kernel takes so many pieces of the
// device's heap that the process in which the judge has all this repeated can map no more memory:
// not the judge's either, which would be the grader's own fault.
//
// Fails: there is an end to the pieces before there is one to what a process can map. The answer is
// right, and the points are honest.
#include <cstdlib>

#include "reverse.h"

__global__ void allocate() {
  while (std::malloc(1) != nullptr) {
  }
}

__global__ void reverse(int* dest, const int* src, int count) {
  reverse_elements(dest, src, count);
}

const struct AtItsLoading {
  AtItsLoading() { allocate<<<1, 1>>>(); }
} at_its_loading;

void launch_reverse_tile(int* dest, const int* src, int count) {
  reverse<<<1, 256>>>(dest, src, count);
}
