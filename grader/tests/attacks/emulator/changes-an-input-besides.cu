// Gives the right answer, and leaves a mark in the input, for a later call to find.
//
// Fails: inputs are compared afterward.
__global__ void reverse(int* dest, const int* src, int count) {
  for (int i = threadIdx.x; i < count; i += blockDim.x) dest[i] = src[count - 1 - i];
  __syncthreads();
  if (threadIdx.x == 0) const_cast<int*>(src)[0] ^= 1;
}

void launch_reverse_tile(int* dest, const int* src, int count) {
  reverse<<<1, 256>>>(dest, src, count);
}
