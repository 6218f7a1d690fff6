// The program whose start-up `make bench-emulator` times: it loads, launches, and ends.
__global__ void nothing() {}

int main() {
  nothing<<<1, 1>>>();
  return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
