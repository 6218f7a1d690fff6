// Gives the right answer and never ends.
//
// Fails: the judge looks at its clock, and the other submissions have processes of their own.
__global__ void reverse(int* dest, const int* src, int count) {
  for (int i = threadIdx.x; i < count; i += blockDim.x) dest[i] = src[count - 1 - i];
  while (*static_cast<volatile int*>(dest) == src[count - 1]) {
  }
}

void launch_reverse_tile(int* dest, const int* src, int count) {
  reverse<<<1, 256>>>(dest, src, count);
}
