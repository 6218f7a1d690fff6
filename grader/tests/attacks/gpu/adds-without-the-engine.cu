// Adds one with plain loads and stores where bulk copies are asked for. On a GPU the answer is
// right and fast.
//
// Fails: the emulator counts the bytes that go through the TMA engine, whoever measures the
// bandwidth.
__global__ void add_one(int* data, size_t count) {
  const size_t i = blockIdx.x * size_t{256} + threadIdx.x;
  if (i < count) data[i] += 1;
}

void launch_add_one_pipeline(int* data, size_t count) {
  if (count > 0) add_one<<<static_cast<unsigned>((count + 255) / 256), 256>>>(data, count);
}
