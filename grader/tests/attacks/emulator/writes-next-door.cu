// Gives the right answer, and one int more: a neighbor's memory begins somewhere.
//
// Fails: to the replay an array ends where it ends, and beside it there is no memory.
__global__ void reverse(int* dest, const int* src, int count) {
  for (int i = threadIdx.x; i < count; i += blockDim.x) dest[i] = src[count - 1 - i];
  if (threadIdx.x == 0) dest[count] = 0;
}

void launch_reverse_tile(int* dest, const int* src, int count) {
  reverse<<<1, 256>>>(dest, src, count);
}
