// Puts noise where the compiled kernels are, for whoever reads the file.
//
// Fails: the file is read as a stranger's bytes. What cannot be read has no kernels.
__global__ void reverse(int* dest, const int* src, int count) {
  for (int i = threadIdx.x; i < count; i += blockDim.x) dest[i] = src[count - 1 - i];
}

asm(".pushsection .nv_fatbin,\"a\"\n.fill 4096, 1, 0xBA\n.popsection");
asm(".pushsection .nvFatBinSegment,\"a\"\n.fill 24, 1, 0xBA\n.popsection");

void launch_reverse_tile(int* dest, const int* src, int count) {
  reverse<<<1, 256>>>(dest, src, count);
}
