// Executes an instruction that the emulator does not have in place of the part, so that its points
// would be nobody's to lose.
//
// Fails: what a submission brings about at will is no fault of the machine. It is a crash of its
// part, and of no other.
__global__ void ask(int* data) {
  unsigned long long count;
  asm volatile("mov.u64 %0, %%pm0_64;" : "=l"(count));
  if (count == 12345) data[0] = 1;
}

void launch_add_one_tile(int* data, int) {
  ask<<<1, 1>>>(data);
}
