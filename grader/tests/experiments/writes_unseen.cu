// Threads write, or have cp.async copy, and the engine reads what is there then. Does it see it
// without a proxy fence?
//
// Every step writes another value. What the engine has read lands in a tile of shared memory, where
// a word of an older value is wrong.
#include "experiment.h"
#include "fences.h"
#include "hand_over.h"

using namespace experiment;

namespace {

constexpr int writing_warps = 8;
constexpr int writers = writing_warps * 32;
constexpr int threads = writers + 32;  // and the warp that issues
constexpr int words = 1024;            // four for each writer
constexpr int bytes = words * sizeof(int);
constexpr int steps = 4000;

enum class Write { st_shared, cp_async, st_global };

__device__ int4 to_copy[steps + 1];  // four words of each value

__device__ void write_global(void* at, int value) {
  asm volatile("st.global.v4.u32 [%0], {%1, %1, %1, %1};" ::"l"(at), "r"(value) : "memory");
}

template <Write write, HandOver hand_over, Fence fence, bool is_late, int conflicts>
__global__ void __cluster_dims__(1) __launch_bounds__(threads) miss(int* global, Counts* counts) {
  __shared__ alignas(128) int tile[words];
  __shared__ alignas(128) int seen[words];  // by the engine
  __shared__ alignas(128) int busy[writing_warps][words];
  __shared__ uint64_t written, copied;
  constexpr bool is_global = write == Write::st_global;
  // The copies arrive themselves, when they are done.
  constexpr bool arrives_itself = write == Write::cp_async && hand_over == HandOver::mbarrier &&
                                  !is_late && fence != Fence::before;
  const auto put = [](int* at, int value) {
    if constexpr (write == Write::st_shared) write_shared(at, value);
    if constexpr (write == Write::cp_async) cp_async_16(at, to_copy + value);
    if constexpr (write == Write::st_global) write_global(at, value);
  };
  int* const place = is_global ? global + blockIdx.x * words : tile;
  for (int i = threadIdx.x; i < words; i += threads) tile[i] = 0;
  if constexpr (write == Write::cp_async) {
    for (int i = threadIdx.x; i <= steps; i += threads) to_copy[i] = {i, i, i, i};
    __threadfence();
  }
  if (threadIdx.x == 0) {
    init_barrier(&written, writers);
    init_barrier(&copied, 1);
  }
  async_proxy_fence();
  __syncthreads();

  Counts mine;
  const auto wait_counting = [&mine](uint64_t* bar, int parity) {
    if (!wait_or_give_up(bar, parity)) ++mine.hangs;
  };
  if (threadIdx.x >= writers) {
    const bool issues = threadIdx.x == writers;
    for (int step = 0; step < steps; ++step) {
      if constexpr (hand_over == HandOver::named_barrier) meet_named_barrier<threads>();
      if constexpr (hand_over == HandOver::syncthreads) __syncthreads();
      if (issues) {
        if constexpr (hand_over == HandOver::mbarrier) wait_counting(&written, step & 1);
        fence_after<fence>();
        expect_bytes_and_arrive(&copied, bytes);
        if constexpr (is_global) {
          cp_async_bulk_global_to_shared(seen, place, bytes, &copied);
        } else {
          cp_async_bulk_shared_to_remote_shared(shared_address(seen), tile, bytes,
                                                shared_address(&copied));
        }
      }
      __syncwarp();
    }
    if (issues) add_to(counts, mine);
    return;
  }

  const int warp = threadIdx.x / 32;
  const int lane = threadIdx.x % 32;
  const auto hand_over_to_engine = [&] {
    if constexpr (hand_over == HandOver::mbarrier) {
      if constexpr (arrives_itself) {
        arrive_with_copies(&written);
      } else {
        arrive(&written, 1);
      }
    }
    if constexpr (hand_over == HandOver::named_barrier) meet_named_barrier<threads>();
    if constexpr (hand_over == HandOver::syncthreads) __syncthreads();
  };
  for (int step = 0; step < steps; ++step) {
    const int value = step + 1;
    if constexpr (is_late) hand_over_to_engine();
    // Stores in front of it that queue up: eight rows of 128 bytes begin in the same bank.
    if constexpr (conflicts == 8 && !is_global) {
#pragma unroll
      for (int i = 0; i < 8; ++i) put(&busy[warp][lane * 32 + i * 4], value);
    }
    put(place + threadIdx.x * 4, value);
    if constexpr (write == Write::cp_async && !arrives_itself) wait_for_copies();
    fence_before<fence, is_global>();
    if constexpr (!is_late) hand_over_to_engine();
    wait_counting(&copied, step & 1);
    for (int i = 0; i < 4; ++i) mine.wrong += seen[threadIdx.x * 4 + i] != value;
    mine.of += 4;
    // What has been read is not overtaken: this is about writes.
    async_proxy_fence();
    asm volatile("barrier.sync 2, %0;" ::"n"(writers) : "memory");
  }
  add_to(counts, mine);
}

constexpr const char* name_of(Write write) {
  switch (write) {
    case Write::st_shared:
      return "`st.shared`, then a copy of the tile";
    case Write::cp_async:
      return "`cp.async`, then a copy of the tile";
    case Write::st_global:
      return "`st.global`, then a bulk load of it";
  }
  return "";
}

template <Write write, HandOver hand_over, Fence fence, bool is_late = false, int conflicts = 8>
void run() {
  std::string name = name_of(hand_over);
  if (is_late) {
    name += ", handed over before the writes";
  } else {
    if (write != Write::st_global && conflicts == 1) name += ", no bank conflicts";
    name += std::string(": ") + name_of(fence);
  }
  const int ctas = sm_count() * 4;
  int* const global = zeros<int>(std::size_t{static_cast<unsigned>(ctas)} * words);
  measure(name_of(write), name, is_late, [&](Counts* counts) {
    miss<write, hand_over, fence, is_late, conflicts><<<ctas, threads>>>(global, counts);
  });
  check(cudaFree(global), "cudaFree");
}

template <Write write, HandOver hand_over>
void run_with_the_right_fences() {
  run<write, hand_over, Fence::none>();
  run<write, hand_over, Fence::before>();
  run<write, hand_over, Fence::after>();
}

template <Write write>
void run_all() {
  run<write, HandOver::mbarrier, Fence::none, true>();
  run_with_the_right_fences<write, HandOver::mbarrier>();
  run_with_the_right_fences<write, HandOver::named_barrier>();
  run_with_the_right_fences<write, HandOver::syncthreads>();
  run<write, HandOver::syncthreads, Fence::other_memory>();
  run<write, HandOver::syncthreads, Fence::threadfence_cta>();
  run<write, HandOver::syncthreads, Fence::threadfence>();
  run<write, HandOver::syncthreads, Fence::acq_rel_cta>();
  run<write, HandOver::syncthreads, Fence::one_thread>();
}

}  // namespace

int main() {
  run_all<Write::st_shared>();
  run<Write::st_shared, HandOver::syncthreads, Fence::none, false, 1>();
  run<Write::cp_async, HandOver::mbarrier, Fence::none, true>();
  run_with_the_right_fences<Write::cp_async, HandOver::mbarrier>();
  run<Write::cp_async, HandOver::named_barrier, Fence::none>();
  run<Write::cp_async, HandOver::syncthreads, Fence::none>();
  run<Write::cp_async, HandOver::syncthreads, Fence::none, false, 1>();
  run_all<Write::st_global>();
}
