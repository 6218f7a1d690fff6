// Threads read a tile and hand it back, and the engine writes the next one over it. Does the engine
// overtake reads that were issued before the hand-over?
//
// Many warps read a whole tile each. The next tile has another value in every word, so a word that
// came too late is wrong.
#include "experiment.h"
#include "fences.h"
#include "hand_over.h"

using namespace experiment;

namespace {

constexpr int reading_warps = 8;
constexpr int readers = reading_warps * 32;
constexpr int threads = readers + 32;  // and the warp that issues
constexpr int words = 1024;            // of the tile
constexpr int bytes = words * sizeof(int);
constexpr int steps = 4000;

enum class Read { ld_shared, ldmatrix, ld_global };
// Where the values are looked at; `late` is the control: the reads themselves come too late.
enum class Use { after_hand_over, before_hand_over, late };

struct Words {
  int word[4];
};

// 16 bytes at an address of the tile. Volatile: the compiler leaves it where it stands.
template <Read read>
__device__ Words read_words(const char* tile, int offset) {
  Words v;
  if constexpr (read == Read::ld_global) {
    // From L2: a line of L1 could be an older tile's, which is no question of proxies.
    asm volatile("ld.relaxed.gpu.global.v4.u32 {%0, %1, %2, %3}, [%4];"
                 : "=r"(v.word[0]), "=r"(v.word[1]), "=r"(v.word[2]), "=r"(v.word[3])
                 : "l"(tile + offset)
                 : "memory");
  } else if constexpr (read == Read::ldmatrix) {
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(v.word[0]), "=r"(v.word[1]), "=r"(v.word[2]), "=r"(v.word[3])
                 : "r"(shared_address(tile + offset))
                 : "memory");
  } else {
    asm volatile("ld.shared.v4.u32 {%0, %1, %2, %3}, [%4];"
                 : "=r"(v.word[0]), "=r"(v.word[1]), "=r"(v.word[2]), "=r"(v.word[3])
                 : "r"(shared_address(tile + offset))
                 : "memory");
  }
  return v;
}

// Zero, but nobody knows before what stands in front of it has been issued.
__device__ int late_zero(int zero) {
  unsigned late;
  asm volatile("{ .reg .u32 c; mov.u32 c, %%clock; and.b32 %0, c, %1; }"
               : "=r"(late)
               : "r"(zero)
               : "memory");
  return static_cast<int>(late);
}

template <Read read, HandOver hand_over, Fence fence, Use use, int conflicts>
__global__ void __cluster_dims__(1) __launch_bounds__(threads)
    overtake(int* global, int zero, Counts* counts) {
  __shared__ alignas(128) char tile[bytes];
  __shared__ alignas(128) int next[2][words];  // full of zeros, full of ones
  __shared__ uint64_t full, empty;
  constexpr bool is_global = read == Read::ld_global;
  char* const place = is_global ? reinterpret_cast<char*>(global + blockIdx.x * words) : tile;
  for (int i = threadIdx.x; i < words; i += threads) {
    next[0][i] = 0;
    next[1][i] = 1;
  }
  if (threadIdx.x == 0) {
    init_barrier(&full, 1);
    init_barrier(&empty, readers);
  }
  async_proxy_fence();
  __syncthreads();

  Counts mine;
  const auto wait_counting = [&mine](uint64_t* bar, int parity) {
    if (!wait_or_give_up(bar, parity)) ++mine.hangs;
  };
  if (threadIdx.x >= readers) {
    const bool issues = threadIdx.x == readers;
    for (int step = 0; step < steps; ++step) {
      if constexpr (hand_over == HandOver::named_barrier) meet_named_barrier<threads>();
      if constexpr (hand_over == HandOver::syncthreads) __syncthreads();
      if (issues) {
        if constexpr (hand_over == HandOver::mbarrier) wait_counting(&empty, step & 1);
        fence_after<fence>();
        if constexpr (is_global) {
          cp_async_bulk_shared_to_global(place, next[step & 1], bytes);
          tma_store_commit_group();
          tma_store_wait_until_pending<0>();
          arrive(&full, 1);
        } else {
          expect_bytes_and_arrive(&full, bytes);
          cp_async_bulk_shared_to_remote_shared(shared_address(tile), next[step & 1], bytes,
                                                shared_address(&full));
        }
      }
      __syncwarp();
    }
    if (issues) add_to(counts, mine);
    return;
  }

  const auto hand_back = [&] {
    fence_before<fence, is_global>();
    if constexpr (hand_over == HandOver::mbarrier) arrive(&empty, 1);
    if constexpr (hand_over == HandOver::named_barrier) meet_named_barrier<threads>();
    if constexpr (hand_over == HandOver::syncthreads) __syncthreads();
  };
  hand_back();  // the tile is free from the beginning
  const int lane = threadIdx.x % 32;
  for (int step = 0; step < steps; ++step) {
    wait_counting(&full, step & 1);
    const bool is_last = step + 1 == steps;
    if constexpr (use == Use::late) {
      if (!is_last) hand_back();
    }
    Words read_here[8];
#pragma unroll
    for (int i = 0; i < 8; ++i) {
      // Eight rows of 128 bytes begin in the same bank.
      const int column = conflicts == 1 ? (i + lane) % 8 : i;
      read_here[i] = read_words<read>(place, lane * 128 + column * 16);
    }
    int expected = step & 1;
    if constexpr (use == Use::after_hand_over) {
      if (!is_last) hand_back();
      expected += late_zero(zero);
    }
    int wrong = 0;
#pragma unroll
    for (int i = 0; i < 8; ++i) {
#pragma unroll
      for (int word = 0; word < 4; ++word) wrong += read_here[i].word[word] != expected;
    }
    if constexpr (use == Use::before_hand_over) {
      asm volatile("" : "+r"(wrong)::"memory");
      if (!is_last) hand_back();
    }
    mine.wrong += wrong;
    mine.of += 32;
  }
  add_to(counts, mine);
}

constexpr const char* name_of(Read read) {
  switch (read) {
    case Read::ld_shared:
      return "`ld.shared`, then a copy into the tile";
    case Read::ldmatrix:
      return "`ldmatrix`, then a copy into the tile";
    case Read::ld_global:
      return "`ld.global`, then a bulk store over it";
  }
  return "";
}

template <Read read, HandOver hand_over, Fence fence, Use use = Use::after_hand_over,
          int conflicts = 8>
void run() {
  std::string name = name_of(hand_over);
  if (use == Use::late) {
    name += ", handed back before the reads";
  } else {
    if (read != Read::ld_global && conflicts == 1) name += ", no bank conflicts";
    if (use == Use::before_hand_over) name += ", values used before";
    name += std::string(": ") + name_of(fence);
  }
  const int ctas = sm_count() * 4;
  int* const global = zeros<int>(std::size_t{static_cast<unsigned>(ctas)} * words);
  measure(name_of(read), name, use == Use::late, [&](Counts* counts) {
    overtake<read, hand_over, fence, use, conflicts><<<ctas, threads>>>(global, 0, counts);
  });
  check(cudaFree(global), "cudaFree");
}

template <Read read, HandOver hand_over>
void run_with_the_right_fences() {
  run<read, hand_over, Fence::none>();
  run<read, hand_over, Fence::before>();
  run<read, hand_over, Fence::after>();
}

template <Read read>
void run_all() {
  run<read, HandOver::mbarrier, Fence::none, Use::late>();
  run_with_the_right_fences<read, HandOver::mbarrier>();
  run_with_the_right_fences<read, HandOver::named_barrier>();
  run_with_the_right_fences<read, HandOver::syncthreads>();
  run<read, HandOver::mbarrier, Fence::other_memory>();
  run<read, HandOver::mbarrier, Fence::threadfence_cta>();
  run<read, HandOver::mbarrier, Fence::threadfence>();
  run<read, HandOver::mbarrier, Fence::acq_rel_cta>();
  run<read, HandOver::mbarrier, Fence::none, Use::before_hand_over>();
}

}  // namespace

int main() {
  run_all<Read::ld_shared>();
  run<Read::ld_shared, HandOver::mbarrier, Fence::none, Use::after_hand_over, 1>();
  run_all<Read::ldmatrix>();
  run_all<Read::ld_global>();
}
