// Makes a mistake in line 1 of /etc/passwd, as #line has it: the finding shows the line for which
// it stands.
//
// Fails: a finding quotes no file but those that were handed in. Nor has the sandbox such a file.
__global__ void reverse(int* dest, const int* src, int count) {
#line 1 "/etc/passwd"
  for (int i = threadIdx.x; i < count; i += blockDim.x) dest[i] = src[(1 << 28) - i];
}

void launch_reverse_tile(int* dest, const int* src, int count) {
  reverse<<<1, 256>>>(dest, src, count);
}
