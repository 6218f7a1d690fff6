// setmaxnreg. The kernels have __launch_bounds__(384, 1), by which ptxas gives each thread 168
// registers: a third of the 65,536 for each warpgroup, in steps of 8.
#pragma once

template <int registers>
__device__ inline void give_registers_back() {
  asm volatile("setmaxnreg.dec.sync.aligned.u32 %0;" ::"n"(registers));
}
template <int registers>
__device__ inline void take_registers() {
  asm volatile("setmaxnreg.inc.sync.aligned.u32 %0;" ::"n"(registers));
}

// Barrier `number` of the CTA, for a warpgroup.
__device__ inline void synchronize_warpgroup(int number) {
  asm volatile("bar.sync %0, 128;" ::"r"(number) : "memory");
}

constexpr int WARPGROUPS = 3;  // the first one produces, the others consume
