// wgmma reads a tile before its load is complete, or its own result is read before a wait covers
// it.
#include "harness.h"
#include "ptx-wgmma.h"
#include "ptx.h"

//: pair multiplies_before_the_load
template <bool mistaken>
__global__ void multiplies_before_the_load(const int* in, int* out) {
  __shared__ Factors factors;
  __shared__ uint64_t loaded;
  prepare_barrier(&loaded, 1);
  if (threadIdx.x == 0) {
    arrive_and_expect(&loaded, sizeof(factors));
    load_bulk(&factors, in, sizeof(factors), &loaded);  //: other
  }
  __syncthreads();
  if constexpr (!mistaken) wait_parity(&loaded, 0);
  Sums sums;
  fence_registers();
  multiply(sums, factors);  //: read-before-wait
  commit_products();
  wait_products<0>();
  store(out, sums);
  wait_parity(&loaded, 0);
}

//: pair waits_for_one_factor
// Each has a barrier of its own.
template <bool mistaken>
__global__ void waits_for_one_factor(const int* in, int* out) {
  __shared__ Factors factors;
  __shared__ uint64_t loaded[2];
  prepare_barrier(&loaded[0], 1);
  prepare_barrier(&loaded[1], 1);
  if (threadIdx.x == 0) {
    arrive_and_expect(&loaded[0], sizeof(factors.a));
    load_bulk(factors.a, in, sizeof(factors.a), &loaded[0]);
    arrive_and_expect(&loaded[1], sizeof(factors.b));
    load_bulk(factors.b, in + 512, sizeof(factors.b), &loaded[1]);  //: other
  }
  wait_parity(&loaded[0], 0);
  if constexpr (!mistaken) wait_parity(&loaded[1], 0);
  Sums sums;
  fence_registers();
  multiply(sums, factors);  //: read-before-wait
  commit_products();
  wait_products<0>();
  store(out, sums);
  wait_parity(&loaded[1], 0);
}

//: pair reads_the_result_before_the_wait
template <bool mistaken>
__global__ void reads_the_result_before_the_wait(const int* in, int* out) {
  __shared__ Factors factors;
  __shared__ uint64_t loaded;
  load_factors(factors, in, loaded);
  Sums sums;
  fence_registers();
  multiply(sums, factors);  //: other
  commit_products();
  if constexpr (!mistaken) wait_products<0>();
  out[4 * threadIdx.x] = sums.at[0];  //: read-before-wait
  wait_products<0>();
  for (int i = 1; i < 4; ++i) {
    out[4 * threadIdx.x + i] = sums.at[i];
  }
}

//: pair leaves_the_last_group_pending
template <bool mistaken>
__global__ void leaves_the_last_group_pending(const int* in, int* out) {
  __shared__ Factors factors;
  __shared__ uint64_t loaded;
  load_factors(factors, in, loaded);
  Sums sums;
  fence_registers();
  multiply(sums, factors);
  commit_products();
  multiply(sums, factors);  //: other
  commit_products();
  wait_products<mistaken ? 1 : 0>();
  out[4 * threadIdx.x] = sums.at[0];  //: read-before-wait
  wait_products<0>();
  for (int i = 1; i < 4; ++i) {
    out[4 * threadIdx.x + i] = sums.at[i];
  }
}

//: pair one_warp_waits_for_the_load
// The others have heard of nothing.
template <bool mistaken>
__global__ void one_warp_waits_for_the_load(const int* in, int* out) {
  __shared__ Factors factors;
  __shared__ uint64_t loaded;
  prepare_barrier(&loaded, 1);
  if (threadIdx.x == 0) {
    arrive_and_expect(&loaded, sizeof(factors));
    load_bulk(&factors, in, sizeof(factors), &loaded);  //: other
  }
  if (!mistaken || threadIdx.x < 32) wait_parity(&loaded, 0);
  Sums sums;
  fence_registers();
  multiply(sums, factors);  //: read-before-wait
  commit_products();
  wait_products<0>();
  store(out, sums);
  wait_parity(&loaded, 0);
}

//: pair computes_with_the_result
// The second product is under way, and the first one was waited for.
template <bool mistaken>
__global__ void computes_with_the_result(const int* in, int* out) {
  __shared__ Factors factors;
  __shared__ uint64_t loaded;
  load_factors(factors, in, loaded);
  Sums sums;
  fence_registers();
  multiply(sums, factors);
  commit_products();
  wait_products<0>();
  fence_registers();
  multiply(sums, factors);  //: other
  commit_products();
  if constexpr (!mistaken) wait_products<0>();
  const int half = sums.at[0] / 2;  //: read-before-wait
  wait_products<0>();
  out[4 * threadIdx.x] = 2 * half;
  for (int i = 1; i < 4; ++i) {
    out[4 * threadIdx.x + i] = sums.at[i];
  }
}

//: pair converts_the_result
// To another type, as an epilogue does.
template <bool mistaken>
__global__ void converts_the_result(const int* in, int* out) {
  __shared__ Factors factors;
  __shared__ uint64_t loaded;
  load_factors(factors, in, loaded);
  Sums sums;
  fence_registers();
  multiply(sums, factors);  //: other
  commit_products();
  if constexpr (!mistaken) wait_products<0>();
  const float converted = __int2float_rn(sums.at[0]);  //: read-before-wait
  wait_products<0>();
  out[4 * threadIdx.x] = __float2int_rn(converted);
  for (int i = 1; i < 4; ++i) {
    out[4 * threadIdx.x + i] = sums.at[i];
  }
}

//: pair uses_a_copy_of_the_result
template <bool mistaken>
__global__ void uses_a_copy_of_the_result(const int* in, int* out) {
  __shared__ Factors factors;
  __shared__ uint64_t loaded;
  load_factors(factors, in, loaded);
  Sums sums;
  fence_registers();
  multiply(sums, factors);  //: other
  commit_products();
  if constexpr (!mistaken) wait_products<0>();
  int copy;
  asm volatile("mov.b32 %0, %1;" : "=r"(copy) : "r"(sums.at[0]));
  const int exchanged = __shfl_xor_sync(~0U, copy, 0);  //: read-before-wait
  wait_products<0>();
  out[4 * threadIdx.x] = exchanged;
  for (int i = 1; i < 4; ++i) {
    out[4 * threadIdx.x + i] = sums.at[i];
  }
}

// A: 64 rows of ones, B: 16 columns of ones, in f16. A * B is 16 everywhere, and that times B 256.
struct alignas(128) Ones {
  uint32_t a[512];
  uint32_t b[128];
};
__device__ void fill(Ones& ones) {
  constexpr uint32_t two_ones = 0x3c003c00;
  for (int i = threadIdx.x; i < 512; i += 128) {
    ones.a[i] = two_ones;
  }
  ones.b[threadIdx.x] = two_ones;
  fence_proxy_async();
  __syncthreads();
}
__device__ void store(int* out, const Halves& d) {
  for (int i = 0; i < 4; ++i) {
    out[4 * threadIdx.x + i] = static_cast<int>(d.at[i]);
  }
}
int halves_of_256(int) {
  return 0x5c005c00;
}

//: pair multiplies_by_the_result_at_once
// Two products that add to one result need no wait in between; a result that is A does.
template <bool mistaken>
__global__ void multiplies_by_the_result_at_once(const int*, int* out) {
  __shared__ Ones ones;
  fill(ones);
  Halves first, second;
  fence_registers();
  multiply(first, matrix(ones.a), matrix(ones.b));  //: other
  commit_products();
  if constexpr (!mistaken) {
    wait_products<0>();
    fence_registers();
  }
  multiply(second, first, matrix(ones.b));  //: read-before-wait
  commit_products();
  wait_products<0>();
  store(out, second);
}

//: pair multiplies_by_the_result_of_a_pending_group
template <bool mistaken>
__global__ void multiplies_by_the_result_of_a_pending_group(const int*, int* out) {
  __shared__ Ones ones;
  fill(ones);
  Halves first, second, third;
  fence_registers();
  multiply(first, matrix(ones.a), matrix(ones.b));  //: other
  commit_products();
  multiply(third, matrix(ones.a), matrix(ones.b));
  commit_products();
  wait_products<mistaken ? 2 : 1>();
  fence_registers();
  multiply(second, first, matrix(ones.b));  //: read-before-wait
  commit_products();
  wait_products<0>();
  store(out, second);
}

//: pair counts_a_group_too_many
// Of three groups the first is needed: two may be pending.
template <bool mistaken>
__global__ void counts_a_group_too_many(const int* in, int* out) {
  __shared__ Factors factors;
  __shared__ uint64_t loaded;
  load_factors(factors, in, loaded);
  Sums first, second, third;
  fence_registers();
  multiply(first, factors);  //: other
  commit_products();
  multiply(second, factors);
  commit_products();
  multiply(third, factors);
  commit_products();
  wait_products<mistaken ? 3 : 2>();
  out[4 * threadIdx.x] = first.at[0];  //: read-before-wait
  wait_products<0>();
  for (int i = 1; i < 4; ++i) {
    out[4 * threadIdx.x + i] = first.at[i] + second.at[i] - third.at[i];
  }
}

//: pair drops_the_answer
// A ring of one stage: who looks whether the load is there has to heed the answer. That the
// producer loads again before the stage is read follows from it.
template <bool mistaken>
__global__ void drops_the_answer(const int* in, int* out) {
  __shared__ Factors factors;
  __shared__ uint64_t full, empty;
  prepare_barrier(&full, 1);
  prepare_barrier(&empty, 1);
  if (threadIdx.x == 128) {
    for (int lap = 0; lap < 3; ++lap) {
      wait_parity(&empty, (lap + 1) % 2);
      arrive_and_expect(&full, sizeof(factors));
      load_bulk(&factors, in, sizeof(factors), &full);  //: other
    }
  } else if (threadIdx.x < 128) {
    Sums sums;
    for (int lap = 0; lap < 3; ++lap) {
      sums = Sums();
      const bool is_there = try_wait(&full, lap % 2);
      if (!mistaken && !is_there) wait_parity(&full, lap % 2);
      fence_registers();
      multiply(sums, factors);  //: read-before-wait
      commit_products();
      wait_products<0>();
      if (threadIdx.x == 0) arrive(&empty);
    }
    store(out, sums);
  }
}

constexpr Pair pairs[] = {
    pair<multiplies_before_the_load<true>, multiplies_before_the_load<false>, the_product, PRODUCT>(
        "multiplies_before_the_load"),
    pair<waits_for_one_factor<true>, waits_for_one_factor<false>, the_product, PRODUCT>(
        "waits_for_one_factor"),
    pair<reads_the_result_before_the_wait<true>, reads_the_result_before_the_wait<false>,
         the_product, PRODUCT>("reads_the_result_before_the_wait"),
    pair<leaves_the_last_group_pending<true>, leaves_the_last_group_pending<false>,
         twice_the_product, PRODUCT>("leaves_the_last_group_pending"),
    pair<one_warp_waits_for_the_load<true>, one_warp_waits_for_the_load<false>, the_product,
         PRODUCT>("one_warp_waits_for_the_load"),
    pair<computes_with_the_result<true>, computes_with_the_result<false>, twice_the_product,
         PRODUCT>("computes_with_the_result"),
    pair<converts_the_result<true>, converts_the_result<false>, the_product, PRODUCT>(
        "converts_the_result"),
    pair<uses_a_copy_of_the_result<true>, uses_a_copy_of_the_result<false>, the_product, PRODUCT>(
        "uses_a_copy_of_the_result"),
    pair<multiplies_by_the_result_at_once<true>, multiplies_by_the_result_at_once<false>,
         halves_of_256, PRODUCT>("multiplies_by_the_result_at_once"),
    pair<multiplies_by_the_result_of_a_pending_group<true>,
         multiplies_by_the_result_of_a_pending_group<false>, halves_of_256, PRODUCT>(
        "multiplies_by_the_result_of_a_pending_group"),
    pair<counts_a_group_too_many<true>, counts_a_group_too_many<false>, the_product, PRODUCT>(
        "counts_a_group_too_many"),
    pair<drops_the_answer<true>, drops_the_answer<false>, the_product,
         Shape{.threads = 160, .checked = 512}>("drops_the_answer"),
};

int main(int argc, char** argv) {
  return run_pairs(pairs, argc, argv);
}
