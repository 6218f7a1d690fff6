// Gives the right answer, and prints in its kernel by conversions that the host's printf has and
// CUDA's has not: %S takes the number for the address of a text, in the process whose word is
// believed, and %n, behind another one, would have it written to.
//
// Fails: what is no conversion of CUDA's is printed as it stands. The answer is right, and the
// points are honest.
#include <cstdio>

#include "reverse.h"

__global__ void reverse(int* dest, const int* src, int count) {
  reverse_elements(dest, src, count);
  if (threadIdx.x == 0) printf("%Slld %Cd %2$lln %m\n", 0x400000ll, 65, 0x400000ll);
}

void launch_reverse_tile(int* dest, const int* src, int count) {
  reverse<<<1, 256>>>(dest, src, count);
}
