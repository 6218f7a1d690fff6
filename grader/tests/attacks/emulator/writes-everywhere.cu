// Writes over all that lies around its buffers, a megabyte in each direction.
//
// Fails: a GPU goes on there, and the emulator names the first byte that belongs to nobody.
__global__ void reverse(int* dest, const int* src, int count) {
  for (int i = threadIdx.x; i < count; i += blockDim.x) dest[i] = src[count - 1 - i];
  __syncthreads();
  for (int i = threadIdx.x; i < 1 << 18; i += blockDim.x) dest[count + i] = dest[-1 - i] = i;
}

void launch_reverse_tile(int* dest, const int* src, int count) {
  reverse<<<1, 256>>>(dest, src, count);
}
