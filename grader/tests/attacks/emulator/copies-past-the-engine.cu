// Adds one with plain loads and stores where bulk copies are asked for. The answer is right.
//
// Fails: bytes that went through the TMA engine are counted.
__global__ void add_one(int* data, int count) {
  for (int i = threadIdx.x; i < count; i += blockDim.x) data[i] += 1;
}

void launch_add_one_tile(int* data, int count) {
  add_one<<<1, 256>>>(data, count);
}
