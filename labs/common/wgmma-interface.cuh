// Warpgroup matrix multiplication (wgmma), one function per PTX instruction.
//
// This header only gathers the parts; each part is one idea and can be read alone. "PTX ISA" in the
// comments is NVIDIA's "Parallel Thread Execution ISA" manual; the section's title follows (section
// numbers change from edition to edition).
//
// A warpgroup is four warps, the first of which has a number that is a multiple of four: threads 0
// to 127 of a CTA, 128 to 255, and so on. Its 128 threads start a product together,
//
//     warpgroup_arrive();                            // the accumulators are ready to be used
//     wgmma_n256<1, 1, 1, 0, 0>(a, b, accumulators); // D += A * B, as often as you like
//     wgmma_commit();                                // a group of what was started
//     wgmma_wait<0>();                               // until no more than 0 groups are pending
//
// and none of them touches the accumulators, or lets anybody overwrite A or B, between the first
// line and the last.
//
// What all functions have in common:
//   * they are for whole warpgroups: its 128 threads call the same one together, in uniform code
//     (functions that one lane may call say so);
//   * matrices are described by 64 bits (descriptor.cuh); they lie in the caller's own shared
//   memory;
//   * the engine reads them through the async proxy. What TMA delivered may be multiplied once its
//     mbarrier has been waited for; what threads wrote needs async_proxy_fence() in each writer,
//     and a barrier after it (tma/proxy-fence.cuh).
//
// Only sm_90a has these instructions. PTX ISA, "Asynchronous Warpgroup Level Matrix Instructions".
#pragma once

#include <cuda_bf16.h>

#include "cuda-check.cuh"
#include "wgmma/descriptor.cuh"
#include "wgmma/multiply-from-registers.cuh"
#include "wgmma/multiply.cuh"
#include "wgmma/order.cuh"
#include "wgmma/registers.cuh"
#include "wgmma/store-matrices.cuh"
