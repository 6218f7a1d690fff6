// Threads write a factor, or have cp.async copy it, and the tensor cores multiply it. Do they see
// it without a proxy fence?
//
// Every step writes another value to all of one factor; the other one is all ones. A sum that is
// not sixteen times the value has read a word of an older one.
#include <cuda_bf16.h>

#include "experiment.h"
#include "fences.h"
#include "hand_over.h"
#include "wgmma-interface.cuh"

using namespace experiment;

namespace {

constexpr int warpgroup = 128;
constexpr int words = 512;  // of a factor: 64 x 16 bf16, four words for each writer
constexpr int steps = 4000;
constexpr int values = 64;  // small integers, whose sums of sixteen are exact

enum class Factor { a, b };
// Who writes the factor: the warpgroup that multiplies it, or four warps of their own.
enum class Writers { themselves, others };
enum class By { store, copy };

template <Writers writers>
constexpr int threads_with = writers == Writers::themselves ? warpgroup : 2 * warpgroup;

__device__ int two_of(int value) {
  const __nv_bfloat162 pair = __float2bfloat162_rn(static_cast<float>(value));
  return reinterpret_cast<const int&>(pair);
}

__device__ int4 to_copy[values + 1];  // four words of each value's

// Both factors have 8 x 16 bytes after 8 x 16 bytes, k along the 16.
__device__ uint64_t described(const void* factor) {
  return make_smem_desc<NO_SWIZZLE>(factor, 128, 256);
}

template <Factor written, Writers writers, By by, HandOver hand_over, Fence fence, bool is_late,
          int conflicts>
__global__ void __launch_bounds__(threads_with<writers>) multiply(Counts* counts) {
  constexpr int threads = threads_with<writers>;
  __shared__ alignas(128) int factors[2][words];
  __shared__ alignas(128) int busy[warpgroup / 32][1024];
  __shared__ uint64_t handed_over;
  int* const tile = factors[written == Factor::b];
  for (int i = threadIdx.x; i < words; i += threads) {
    tile[i] = two_of(0);
    factors[written == Factor::a][i] = two_of(1);
  }
  for (int i = threadIdx.x; i <= values; i += threads) {
    const int pair = two_of(i);
    to_copy[i] = {pair, pair, pair, pair};  // the same by each CTA
  }
  __threadfence();
  if (threadIdx.x == 0) init_barrier(&handed_over, warpgroup);
  async_proxy_fence();
  __syncthreads();

  const int thread = static_cast<int>(threadIdx.x);
  const int warp = thread / 32;
  const int lane = thread % 32;
  const bool multiplies = thread < warpgroup;
  const bool writes = thread >= threads - warpgroup;
  // The copies arrive themselves, when they are done.
  constexpr bool arrives_itself =
      by == By::copy && hand_over == HandOver::mbarrier && !is_late && fence != Fence::before;
  const auto put = [&](int* at, int value) {
    if constexpr (by == By::copy) cp_async_16(at, to_copy + value);
    if constexpr (by == By::store) write_shared(at, two_of(value));
  };
  Counts mine;
  for (int step = 0; step < steps; ++step) {
    const int value = step % values + 1;
    const auto write = [&] {
      if constexpr (hand_over == HandOver::none) {
        if (warp == step % 4) __nanosleep(1000);
      }
      // Stores in front of it that queue up: eight rows of 128 bytes begin in the same bank.
      if constexpr (conflicts == 8) {
#pragma unroll
        for (int i = 0; i < 8; ++i) put(&busy[warp % 4][lane * 32 + i * 4], value);
      }
      put(tile + thread % warpgroup * 4, value);
      if constexpr (by == By::copy && !arrives_itself) wait_for_copies();
      fence_before<fence, false>();
    };
    if (writes && !is_late) write();
    if constexpr (hand_over == HandOver::mbarrier) {
      if constexpr (arrives_itself) {
        if (writes) arrive_with_copies(&handed_over);
      } else if (writes) {
        arrive(&handed_over, 1);
      }
      if (multiplies && !wait_or_give_up(&handed_over, step & 1)) ++mine.hangs;
    }
    if constexpr (hand_over == HandOver::named_barrier) {
      meet_named_barrier<threads>();
    }
    if constexpr (hand_over == HandOver::syncthreads) __syncthreads();
    if (writes && is_late) write();
    if (multiplies) {
      fence_after<fence>();
      float sums[4][8];
      warpgroup_arrive();
      wgmma_n64<1, 1, 0, 0>(described(factors[0]), described(factors[1]), sums, 0);
      wgmma_commit();
      wgmma_wait<0>();
      for (const auto& row : sums) {
        for (const float sum : row) mine.wrong += sum != 16.0f * static_cast<float>(value);
      }
      mine.of += 32;
    }
    __syncthreads();
  }
  if (multiplies) add_to(counts, mine);
}

std::string name_of(Factor factor, By by) {
  const std::string written = by == By::copy ? "`cp.async`" : "`st.shared`";
  return written + ", then a product by that " + (factor == Factor::a ? "A" : "B");
}

std::string name_of(Writers writers, HandOver hand_over) {
  const std::string who =
      writers == Writers::themselves ? "the multiplying threads" : "other warps";
  return who + ", " + name_of(hand_over);
}

template <Factor factor, Writers writers, HandOver hand_over, Fence fence, bool is_late = false,
          int conflicts = 8, By by = By::store>
void run() {
  std::string name = name_of(writers, hand_over);
  if (is_late) {
    name += ", handed over before the writes";
  } else {
    if (conflicts == 1) name += ", no bank conflicts";
    name += std::string(": ") + name_of(fence);
  }
  measure(name_of(factor, by), name, is_late, [&](Counts* counts) {
    constexpr int threads = threads_with<writers>;
    multiply<factor, writers, by, hand_over, fence, is_late, conflicts>
        <<<sm_count() * 4, threads>>>(counts);
  });
}

template <Factor factor, Writers writers, HandOver hand_over>
void run_fences() {
  run<factor, writers, hand_over, Fence::none>();
  run<factor, writers, hand_over, Fence::before>();
  run<factor, writers, hand_over, Fence::after>();
}

template <Factor factor>
void run_all() {
  run<factor, Writers::others, HandOver::mbarrier, Fence::none, true>();
  run_fences<factor, Writers::others, HandOver::mbarrier>();
  run_fences<factor, Writers::others, HandOver::named_barrier>();
  run_fences<factor, Writers::others, HandOver::syncthreads>();
  run<factor, Writers::others, HandOver::syncthreads, Fence::none, false, 1>();
  run_fences<factor, Writers::themselves, HandOver::mbarrier>();
  run_fences<factor, Writers::themselves, HandOver::named_barrier>();
  run_fences<factor, Writers::themselves, HandOver::syncthreads>();
  run<factor, Writers::themselves, HandOver::syncthreads, Fence::none, false, 1>();
  run<factor, Writers::themselves, HandOver::none, Fence::before>();
  run<factor, Writers::others, HandOver::syncthreads, Fence::threadfence_cta>();
  run<factor, Writers::others, HandOver::syncthreads, Fence::acq_rel_cta>();
}

template <HandOver hand_over, Fence fence, bool is_late = false>
void run_copies() {
  run<Factor::b, Writers::others, hand_over, fence, is_late, 8, By::copy>();
}

}  // namespace

int main() {
  run_all<Factor::a>();
  run_all<Factor::b>();
  run_copies<HandOver::mbarrier, Fence::none, true>();
  run_copies<HandOver::mbarrier, Fence::none>();
  run_copies<HandOver::mbarrier, Fence::before>();
  run_copies<HandOver::mbarrier, Fence::after>();
  run_copies<HandOver::named_barrier, Fence::none>();
  run_copies<HandOver::syncthreads, Fence::none>();
  run<Factor::b, Writers::others, HandOver::syncthreads, Fence::none, false, 1, By::copy>();
  run<Factor::b, Writers::themselves, HandOver::syncthreads, Fence::none, false, 8, By::copy>();
}
