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
};

int main(int argc, char** argv) {
  return run_pairs(pairs, argc, argv);
}
