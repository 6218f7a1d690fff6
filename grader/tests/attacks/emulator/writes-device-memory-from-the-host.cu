// Tries to let the CPU do the work: on the emulator device memory is host memory after all.
//
// Fails: device addresses are not accessible to the host, there as little as on a GPU.
void launch_reverse_tile(int* dest, const int* src, int count) {
  for (int i = 0; i < count; ++i) dest[i] = src[count - 1 - i];
}
