// Registers move from one warpgroup to another. All warps of a CTA start with equally many; a
// warpgroup that only starts copies needs few, one that holds accumulators needs many.
//
// The compiler must know how many each thread starts with: __launch_bounds__(THREADS, 1), with both
// numbers. Else it warns, and leaves the instruction out. PTX ISA, "setmaxnreg".
#pragma once

#include "architecture.cuh"

// Gives registers back, so that each thread keeps REGISTERS: a multiple of 8 from 24 to 256, no
// more than it has. Does not block.
template <int REGISTERS>
__device__ static __forceinline__ void warpgroup_reg_dealloc() {
  static_assert(24 <= REGISTERS && REGISTERS <= 256 && REGISTERS % 8 == 0,
                "the number of registers is a multiple of 8 from 24 to 256");
  asm volatile("setmaxnreg.dec.sync.aligned.u32 %0;" ::"n"(REGISTERS) : "memory");
}

// The same instruction, named for what it does.
template <int REGISTERS>
__device__ static __forceinline__ void decrease_registers() {
  warpgroup_reg_dealloc<REGISTERS>();
}

// Takes registers, so that each thread has REGISTERS: a multiple of 8 from 24 to 256, no fewer than
// it has. Blocks until other warpgroups of the CTA have given back enough. What the new ones hold
// is undefined.
template <int REGISTERS>
__device__ static __forceinline__ void warpgroup_reg_alloc() {
  static_assert(24 <= REGISTERS && REGISTERS <= 256 && REGISTERS % 8 == 0,
                "the number of registers is a multiple of 8 from 24 to 256");
  asm volatile("setmaxnreg.inc.sync.aligned.u32 %0;" ::"n"(REGISTERS) : "memory");
}

// The same instruction, named for what it does.
template <int REGISTERS>
__device__ static __forceinline__ void increase_registers() {
  warpgroup_reg_alloc<REGISTERS>();
}
