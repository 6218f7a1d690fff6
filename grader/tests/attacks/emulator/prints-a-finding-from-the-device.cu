// Tries to put the blame on the grader: a kernel prints what the emulator prints when it meets what
// it does not model.
//
// Fails: what a kernel prints is no finding.
#include <cstdio>

__global__ void talk() {
  std::printf("lab1.cu:7:3: error: this instruction is not modeled [not-modeled]\n");
}

void launch_reverse_tile(int*, const int*, int) {
  talk<<<1, 1>>>();
}
