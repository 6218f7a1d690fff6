// What ptx.h does not have: narrower scopes, barriers that reduce, and the fences of tensor maps.
#pragma once

#include "ptx.h"

__device__ inline void store_relaxed_cta(int* flag, int value) {
  asm volatile("st.relaxed.cta.s32 [%0], %1;" ::"l"(flag), "r"(value) : "memory");
}
