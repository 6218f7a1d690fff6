// Traps when the clock is odd, so that a crash which does not come again would look like the
// machine's.
//
// Fails: a crash that does not repeat counts as it comes out the second time, and withholds
// nothing.
__global__ void trap_now_and_then() {
  unsigned long long now;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
  if (now / 1000 % 2 == 1) __trap();
}

void launch_add_one_tile(int*, int) {
  trap_now_and_then<<<1, 1>>>();
}
