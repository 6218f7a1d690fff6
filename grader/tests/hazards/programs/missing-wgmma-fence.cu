// A warp uses registers of a wgmma, and no wgmma.fence lies between that and the wgmma.
#include "harness.h"
#include "ptx-wgmma.h"
#include "ptx.h"

//: pair first_of_a_kernel
template <bool mistaken>
__global__ void first_of_a_kernel(const int* in, int* out) {
  __shared__ Factors factors;
  __shared__ uint64_t loaded;
  load_factors(factors, in, loaded);
  Sums sums;
  if constexpr (!mistaken) fence_registers();
  multiply(sums, factors);  //: missing-wgmma-fence
  commit_products();
  wait_products<0>();
  store(out, sums);
}

//: pair computes_accumulators
int the_product_and_input(int index) {
  return the_product(index) + index + 1;
}
template <bool mistaken>
__global__ void computes_accumulators(const int* in, int* out) {
  __shared__ Factors factors;
  __shared__ uint64_t loaded;
  load_factors(factors, in, loaded);
  Sums sums;
  if constexpr (mistaken) fence_registers();
  for (int i = 0; i < 4; ++i) {
    sums.at[i] = in[4 * threadIdx.x + i];  //: other
  }
  if constexpr (!mistaken) fence_registers();
  multiply(sums, factors);  //: missing-wgmma-fence
  commit_products();
  wait_products<0>();
  store(out, sums);
}

//: pair scales_between_two
// The first fence says nothing of what is done between the two.
int three_products(int index) {
  return 3 * the_product(index);
}
template <bool mistaken>
__global__ void scales_between_two(const int* in, int* out) {
  __shared__ Factors factors;
  __shared__ uint64_t loaded;
  load_factors(factors, in, loaded);
  Sums sums;
  fence_registers();
  multiply(sums, factors);
  commit_products();
  wait_products<0>();
  for (int i = 0; i < 4; ++i) {
    sums.at[i] *= 2;  //: other
  }
  if constexpr (!mistaken) fence_registers();
  multiply(sums, factors);  //: missing-wgmma-fence
  commit_products();
  wait_products<0>();
  store(out, sums);
}

//: pair stores_between_two
// Reads of the registers count, too.
template <bool mistaken>
__global__ void stores_between_two(const int* in, int* out) {
  __shared__ Factors factors;
  __shared__ uint64_t loaded;
  load_factors(factors, in, loaded);
  Sums sums;
  fence_registers();
  multiply(sums, factors);
  commit_products();
  wait_products<0>();
  for (int i = 0; i < 4; ++i) {
    out[2048 + 4 * threadIdx.x + i] = sums.at[i];  //: other
  }
  if constexpr (!mistaken) fence_registers();
  multiply(sums, factors);  //: missing-wgmma-fence
  commit_products();
  wait_products<0>();
  store(out, sums);
}

//: pair has_another_fence
// A fence of proxies orders no registers.
template <bool mistaken>
__global__ void has_another_fence(const int* in, int* out) {
  __shared__ Factors factors;
  __shared__ uint64_t loaded;
  load_factors(factors, in, loaded);
  Sums sums;
  if constexpr (mistaken) {
    fence_proxy_async();
  } else {
    fence_registers();
  }
  multiply(sums, factors);  //: missing-wgmma-fence
  commit_products();
  wait_products<0>();
  store(out, sums);
}

//: pair fences_behind_the_first
// It comes too late for the first one.
template <bool mistaken>
__global__ void fences_behind_the_first(const int* in, int* out) {
  __shared__ Factors factors;
  __shared__ uint64_t loaded;
  load_factors(factors, in, loaded);
  Sums sums;
  if constexpr (!mistaken) fence_registers();
  multiply(sums, factors);  //: missing-wgmma-fence
  if constexpr (mistaken) fence_registers();
  commit_products();
  wait_products<0>();
  store(out, sums);
}

constexpr Pair pairs[] = {
    pair<first_of_a_kernel<true>, first_of_a_kernel<false>, the_product, PRODUCT>(
        "first_of_a_kernel"),
    pair<computes_accumulators<true>, computes_accumulators<false>, the_product_and_input, PRODUCT>(
        "computes_accumulators"),
    pair<scales_between_two<true>, scales_between_two<false>, three_products, PRODUCT>(
        "scales_between_two"),
    pair<stores_between_two<true>, stores_between_two<false>, twice_the_product, PRODUCT>(
        "stores_between_two"),
    pair<has_another_fence<true>, has_another_fence<false>, the_product, PRODUCT>(
        "has_another_fence"),
    pair<fences_behind_the_first<true>, fences_behind_the_first<false>, the_product, PRODUCT>(
        "fences_behind_the_first"),
};

int main(int argc, char** argv) {
  return run_pairs(pairs, argc, argv);
}
