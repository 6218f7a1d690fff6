// The Tensor Memory Accelerator, one function per PTX instruction.
//
// This header only gathers the parts; each part is one idea and can be read alone. "PTX ISA" in the
// comments is NVIDIA's "Parallel Thread Execution ISA" manual; the section's title follows (section
// numbers change from edition to edition).
//
// What all functions have in common:
//   * they act per lane: each lane that calls one executes it. A copy that should happen once must
//     be called by one lane (functions that the whole warp must call together say so);
//   * pointers named smem_* and bar point into the caller's own shared memory. Shared memory of
//     another CTA of the cluster is named by a 32-bit remote address (map_to_cta, cluster.cuh);
//   * sizes named bytes are in bytes, coordinates c0 ... c4 are in elements, c0 the innermost
//     (contiguous) dimension;
//   * whatever orders or touches memory has a "memory" clobber: the compiler moves none of your
//     loads and stores across it.
#pragma once

#include "cuda-check.cuh"
#include "tma/bulk-copy.cuh"
#include "tma/bulk-group.cuh"
#include "tma/bulk-reduce.cuh"
#include "tma/cache-policy.cuh"
#include "tma/cluster.cuh"
#include "tma/mbarrier-remote.cuh"
#include "tma/mbarrier.cuh"
#include "tma/prefetch.cuh"
#include "tma/proxy-fence.cuh"
#include "tma/tensor-load-cta-group.cuh"
#include "tma/tensor-load-multicast.cuh"
#include "tma/tensor-load.cuh"
#include "tma/tensor-map-edit.cuh"
#include "tma/tensor-reduce.cuh"
#include "tma/tensor-store.cuh"
