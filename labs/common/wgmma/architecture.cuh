// What the functions for wgmma are compiled for.
#pragma once

#include "../tma/address.cuh"

#if defined(__CUDA_ARCH__) && !defined(__CUDA_ARCH_FEAT_SM90_ALL)
#error "wgmma-interface.cuh needs the instructions of sm_90a: compile for sm_90a, not for sm_90"
#endif
