// Puts noise beside its compiled kernels, for whoever reads the file.
//
// No harm done: the file is read as a stranger's bytes, and noise is no kernel.
#include "reverse.h"

__global__ void reverse(int* dest, const int* src, int count) {
  reverse_elements(dest, src, count);
}

asm(".pushsection .nv_fatbin,\"a\"\n.fill 4096, 1, 0xBA\n.popsection");
asm(".pushsection .nvFatBinSegment,\"aw\"\n.fill 24, 1, 0xBA\n.popsection");

void launch_reverse_tile(int* dest, const int* src, int count) {
  reverse<<<1, 256>>>(dest, src, count);
}
