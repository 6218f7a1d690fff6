// How much of a program's work is done which way: in these numbers a grader asks whether a kernel
// does what it is about.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace tmaemu {

// Bytes unless said otherwise, of memory that another process shares with the program (a judge's
// arrays), each counted once however often it moves: the same tile, loaded again and again, is one
// tile. What is moved for show counts nothing (provenance/array_work.h). `bulk` is every
// cp.async.bulk, `tensor` those of them that have a tensor map.
enum class Measure : std::uint8_t {
  bulk_loads,
  bulk_stores,
  bulk_reductions,
  tensor_loads,
  tensor_stores,
  tensor_reductions,
  swizzle_32,  // through tensor maps with this swizzle, in one direction more than in the other
  swizzle_64,
  swizzle_128,
  element_strides,  // through tensor maps whose element strides leave something out
  multicast,        // to several CTAs, two of which read something of it (provenance/multicasts.h)
  cta_pairs,        // loads with .cta_group::2 that signal the other CTA of the pair
  cp_async,         // loads
  through_tma,      // loads plus what is stored or reduced to: read and written counts twice
  by_kernels,       // written in whatever way, and not by a copy of the host's
  // Read from shared memory, by threads or by bulk stores, while as many bytes of an input that
  // nobody has asked for before are in flight to the CTA (provenance/overlap.h).
  overlapped,
  // Written, if the values come from the shared memory of other CTAs and from nowhere else, or if
  // they depend on what phases of mbarriers have handed from warp to warp (provenance/origins.h).
  distributed_shared_memory,
  handed_over,
  // Written by bulk operations of warps that got the bytes from others through such phases: a job
  // of its own, in a warp of its own (provenance/origins.h).
  handed_to_stores,
  by_wgmma,  // written, if the values come out of a product of a warpgroup (provenance/origins.h),
  wgmma_chains,      // and that had a factor in registers which came out of another
  by_resident_ctas,  // written, by kernels whose CTAs are on the GPU all at once
  cluster_ctas,      // CTAs of the largest cluster
  // Warpgroups of a CTA that multiplied what phases handed them, and had taken registers for it
  // (setmaxnreg.inc); of the CTA that has most.
  grown_warpgroups,
  // Phases of mbarriers that a warp waited for, and then read what had been handed over; each once.
  split_phases,
  // Likewise, but for the first phase of an mbarrier since it was initialized.
  later_phases,
  // How often a warp polled an mbarrier, by test_wait or by a try_wait whose answer was no, and put
  // something into shared memory before it polled again.
  polls,
  // Loaded, stored or reduced through tensor maps of at least so many dimensions: as through_tma.
  rank_2,
  rank_3,
  rank_4,
  rank_5,
  // Read by threads from where bulk stores have put it.
  stores_read,
  // What kernels or copies left in global memory and kernels read there again, each time that it is
  // written anew: in an array, by threads, and in memory of the program's own, in whatever way
  // (provenance/detours.h). It takes the place of what should have stayed in shared memory.
  read_back,
  detoured,
};
inline constexpr std::size_t measure_count = 34;

inline constexpr std::array<const char*, measure_count> measure_names{
    "bulk_loads",
    "bulk_stores",
    "bulk_reductions",
    "tensor_loads",
    "tensor_stores",
    "tensor_reductions",
    "swizzle_32",
    "swizzle_64",
    "swizzle_128",
    "element_strides",
    "multicast",
    "cta_pairs",
    "cp_async",
    "through_tma",
    "by_kernels",
    "overlapped",
    "distributed_shared_memory",
    "handed_over",
    "handed_to_stores",
    "by_wgmma",
    "wgmma_chains",
    "by_resident_ctas",
    "cluster_ctas",
    "grown_warpgroups",
    "split_phases",
    "later_phases",
    "polls",
    "rank_2",
    "rank_3",
    "rank_4",
    "rank_5",
    "stores_read",
    "read_back",
    "detoured",
};

using Measured = std::array<std::uint64_t, measure_count>;

constexpr std::size_t index_of(Measure measure) {
  return static_cast<std::size_t>(measure);
}

// `rank`: from 2 to 5.
constexpr Measure measure_of_rank(unsigned rank) {
  return static_cast<Measure>(index_of(Measure::rank_2) + rank - 2);
}
// Of several launches, or cases, the largest counts and not the sum.
constexpr bool is_largest(Measure measure) {
  return measure == Measure::cluster_ctas || measure == Measure::grown_warpgroups;
}
constexpr bool is_of_rank(Measure measure) {
  return measure >= Measure::rank_2 && measure <= Measure::rank_5;
}
constexpr bool is_of_swizzle(Measure measure) {
  return measure >= Measure::swizzle_32 && measure <= Measure::swizzle_128;
}

}  // namespace tmaemu
