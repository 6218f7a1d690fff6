// Right programs with wgmma that look like mistakes. There is nothing to find in them; what the
// harness calls mistaken is the right kernel once more.
#include "harness.h"
#include "ptx-registers.h"
#include "ptx-wgmma.h"
#include "ptx.h"

template <auto kernel, int (*expected)(int), Shape shape>
constexpr Pair right(const char* name) {
  return pair<kernel, kernel, expected, shape>(name);
}

constexpr int LAPS = 4;
int sum_of_laps(int index) {
  int sum = 0;
  for (int lap = 0; lap < LAPS; ++lap) {
    sum += product_of_input(index, 4 * lap);
  }
  return sum;
}

//: pair zeroes_behind_the_fence
// Where the compiler writes the zeros of the accumulators, behind the fence, nobody has asked it.
__global__ void zeroes_behind_the_fence(const int* in, int* out) {
  __shared__ Factors factors;
  __shared__ uint64_t loaded;
  load_factors(factors, in, loaded);
  fence_registers();
  Sums sums;
  multiply(sums, factors);
  commit_products();
  wait_products<0>();
  store(out, sums);
}

// A tile a lap, into one of two stages.
__device__ void load_laps(Factors (&stages)[2], const int* in, uint64_t (&full)[2],
                          uint64_t (&empty)[2]) {
  for (int lap = 0; lap < LAPS; ++lap) {
    if (lap >= 2) wait_parity(&empty[lap % 2], lap / 2 - 1);
    arrive_and_expect(&full[lap % 2], sizeof(Factors));
    load_bulk(&stages[lap % 2], in + 4 * lap, sizeof(Factors), &full[lap % 2]);
  }
}

template <bool late_commits>
__device__ void multiply_and_give_back(const int* in, int* out) {
  __shared__ Factors stages[2];
  __shared__ uint64_t full[2], empty[2];
  for (int i = 0; i < 2; ++i) {
    prepare_barrier(&full[i], 1);
    prepare_barrier(&empty[i], 1);
  }
  if (threadIdx.x >= 128) {
    if (threadIdx.x == 128) load_laps(stages, in, full, empty);
    return;
  }
  Sums sums;
  for (int lap = 0; lap < LAPS; ++lap) {
    wait_parity(&full[lap % 2], lap / 2);
    fence_registers();
    multiply(sums, stages[lap % 2]);
    for (int i = 0; late_commits && threadIdx.x >= 32 && i < 50000; ++i) {
      asm volatile("" ::: "memory");
    }
    commit_products();
    wait_products<0>();
    if (threadIdx.x == 0) arrive(&empty[lap % 2]);
  }
  store(out, sums);
}

//: pair one_thread_gives_a_stage_back
// The wait of one warp says that all four have come to the wgmma, and so past the wait for the
// tile.
__global__ void one_thread_gives_a_stage_back(const int* in, int* out) {
  multiply_and_give_back<false>(in, out);
}

//: pair commits_long_after_its_products
// Three warps commit what they have issued when the first one has waited for all four, has given
// the stage back, and the next tile is on its way.
__global__ void commits_long_after_its_products(const int* in, int* out) {
  multiply_and_give_back<true>(in, out);
}

//: pair keeps_one_group_pending
// While one lap is multiplied, the stage of the last one goes back.
__global__ void keeps_one_group_pending(const int* in, int* out) {
  __shared__ Factors stages[2];
  __shared__ uint64_t full[2], empty[2];
  for (int i = 0; i < 2; ++i) {
    prepare_barrier(&full[i], 1);
    prepare_barrier(&empty[i], 128);
  }
  if (threadIdx.x >= 128) {
    if (threadIdx.x == 128) load_laps(stages, in, full, empty);
    return;
  }
  Sums sums;
  for (int lap = 0; lap < LAPS; ++lap) {
    wait_parity(&full[lap % 2], lap / 2);
    fence_registers();
    multiply(sums, stages[lap % 2]);
    commit_products();
    wait_products<1>();
    if (lap > 0) arrive(&empty[(lap - 1) % 2]);
  }
  wait_products<0>();
  store(out, sums);
}

//: pair two_warpgroups_share_a_tile
int the_product_twice(int index) {
  return the_product(index % 512);
}
__global__ void two_warpgroups_share_a_tile(const int* in, int* out) {
  __shared__ Factors factors;
  for (int i = threadIdx.x; i < FACTOR_INTS; i += 256) {
    (i < 512 ? factors.a[i] : factors.b[i - 512]) = in[i];
  }
  fence_proxy_async();
  __syncthreads();
  Sums sums;
  fence_registers();
  multiply(sums, factors);
  commit_products();
  wait_products<0>();
  store(out, sums);
}

//: pair stores_the_result_by_tma
// The result takes the place of the factors.
__global__ void stores_the_result_by_tma(const int* in, int* out) {
  __shared__ Factors factors;
  __shared__ uint64_t loaded;
  load_factors(factors, in, loaded);
  Sums sums;
  fence_registers();
  multiply(sums, factors);
  commit_products();
  wait_products<0>();
  __syncthreads();
  for (int i = 0; i < 4; ++i) {
    factors.a[4 * threadIdx.x + i] = sums.at[i];
  }
  fence_proxy_async();
  __syncthreads();
  if (threadIdx.x == 0) {
    store_bulk(out, factors.a, sizeof(factors.a));
    commit_group();
    wait_group_read<0>();
  }
}

//: pair two_results_take_turns
// Each has registers of its own; while one is under way, the other is read.
__global__ void two_results_take_turns(const int* in, int* out) {
  __shared__ Factors factors;
  __shared__ uint64_t loaded;
  load_factors(factors, in, loaded);
  Sums first, second;
  fence_registers();
  multiply(first, factors);
  commit_products();
  multiply(second, factors);
  commit_products();
  wait_products<1>();
  store(out, first);
  wait_products<0>();
  store(out, second);
}

//: pair takes_registers_without_a_bound
// ptxas does not know how many it begins with, and ignores it.
__global__ void takes_registers_without_a_bound(const int* in, int* out) {
  __shared__ Factors factors;
  __shared__ uint64_t loaded;
  load_factors(factors, in, loaded);
  take_registers<232>();
  Sums sums;
  fence_registers();
  multiply(sums, factors);
  commit_products();
  wait_products<0>();
  store(out, sums);
}

//: pair a_producer_gives_registers_back
// All of its warps, although one thread loads.
__global__ void __launch_bounds__(384, 1) a_producer_gives_registers_back(const int* in, int* out) {
  __shared__ Factors factors;
  __shared__ uint64_t full;
  prepare_barrier(&full, 1);
  const int warpgroup = threadIdx.x / 128;
  if (warpgroup == 2) {
    give_registers_back<40>();
    if (threadIdx.x == 256) {
      arrive_and_expect(&full, sizeof(factors));
      load_bulk(&factors, in, sizeof(factors), &full);
    }
    return;
  }
  take_registers<232>();
  wait_parity(&full, 0);
  Sums sums;
  fence_registers();
  multiply(sums, factors);
  commit_products();
  wait_products<0>();
  store(out, sums);
}

constexpr Shape WITH_PRODUCER{.threads = 160, .checked = 512};
constexpr Shape TWO_WARPGROUPS{.threads = 256, .checked = 1024};

constexpr Shape THREE_WARPGROUPS{.threads = 128 * WARPGROUPS, .checked = 1024};

constexpr Pair pairs[] = {
    right<zeroes_behind_the_fence, the_product, PRODUCT>("zeroes_behind_the_fence"),
    right<one_thread_gives_a_stage_back, sum_of_laps, WITH_PRODUCER>(
        "one_thread_gives_a_stage_back"),
    right<commits_long_after_its_products, sum_of_laps, WITH_PRODUCER>(
        "commits_long_after_its_products"),
    right<keeps_one_group_pending, sum_of_laps, WITH_PRODUCER>("keeps_one_group_pending"),
    right<two_warpgroups_share_a_tile, the_product_twice, TWO_WARPGROUPS>(
        "two_warpgroups_share_a_tile"),
    right<stores_the_result_by_tma, the_product, PRODUCT>("stores_the_result_by_tma"),
    right<two_results_take_turns, the_product, PRODUCT>("two_results_take_turns"),
    right<takes_registers_without_a_bound, the_product, PRODUCT>("takes_registers_without_a_bound"),
    right<a_producer_gives_registers_back, the_product_twice, THREE_WARPGROUPS>(
        "a_producer_gives_registers_back"),
};

int main(int argc, char** argv) {
  return run_pairs(pairs, argc, argv);
}
