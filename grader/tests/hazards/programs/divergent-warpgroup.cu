// Not all four warps of a warpgroup execute the same wgmma.
#include "harness.h"
#include "ptx-wgmma.h"
#include "ptx.h"

//: pair three_warps_multiply
template <bool mistaken>
__global__ void three_warps_multiply(const int* in, int* out) {
  __shared__ Factors factors;
  __shared__ uint64_t loaded;
  load_factors(factors, in, loaded);
  if (mistaken && threadIdx.x >= 96) return;
  Sums sums;
  fence_registers();
  multiply(sums, factors);
  commit_products();
  wait_products<0>();  //: divergent-warpgroup
  store(out, sums);
}

//: pair first_warp_returns
// Its rows are nobody's.
template <bool mistaken>
__global__ void first_warp_returns(const int* in, int* out) {
  __shared__ Factors factors;
  __shared__ uint64_t loaded;
  load_factors(factors, in, loaded);
  if (mistaken && threadIdx.x < 32) return;
  Sums sums;
  fence_registers();
  multiply(sums, factors);
  commit_products();
  wait_products<0>();  //: divergent-warpgroup
  store(out, sums);
}

//: pair halves_have_their_own_b
// Two warps multiply by other columns.
template <bool mistaken>
__global__ void halves_have_their_own_b(const int* in, int* out) {
  __shared__ Factors factors;
  __shared__ uint64_t loaded;
  load_factors(factors, in, loaded);
  const uint64_t rows = matrix(factors.a);
  const uint64_t columns = matrix(mistaken && threadIdx.x >= 64 ? factors.a : factors.b);
  Sums sums;
  fence_registers();
  multiply(sums, rows, columns);  //: divergent-warpgroup
  commit_products();
  wait_products<0>();
  store(out, sums);
}

//: pair warps_begin_at_their_own_rows
// The hardware adds the offset of the warp's rows itself.
template <bool mistaken>
__global__ void warps_begin_at_their_own_rows(const int* in, int* out) {
  __shared__ Factors factors;
  __shared__ uint64_t loaded;
  load_factors(factors, in, loaded);
  const uint64_t rows = matrix(factors.a) + (mistaken ? threadIdx.x / 32 * 4 : 0);
  Sums sums;
  fence_registers();
  multiply(sums, rows, matrix(factors.b));  //: divergent-warpgroup
  commit_products();
  wait_products<0>();
  store(out, sums);
}

//: pair part_of_a_warpgroup
// The second warpgroup has two warps.
template <bool mistaken>
__global__ void part_of_a_warpgroup(const int* in, int* out) {
  __shared__ Factors factors;
  __shared__ uint64_t loaded;
  load_factors(factors, in, loaded);
  if (!mistaken && threadIdx.x >= 128) return;
  Sums sums;
  fence_registers();  //: divergent-warpgroup
  multiply(sums, factors);
  commit_products();
  wait_products<0>();
  if (threadIdx.x < 128) store(out, sums);
}

//: pair last_warp_stops_halfway
// It takes part in the first product alone.
template <bool mistaken>
__global__ void last_warp_stops_halfway(const int* in, int* out) {
  __shared__ Factors factors;
  __shared__ uint64_t loaded;
  load_factors(factors, in, loaded);
  Sums sums;
  fence_registers();
  multiply(sums, factors);
  commit_products();
  wait_products<0>();
  if (mistaken && threadIdx.x >= 96) return;
  fence_registers();
  multiply(sums, factors);
  commit_products();
  wait_products<0>();  //: divergent-warpgroup
  store(out, sums);
}

constexpr Pair pairs[] = {
    pair<three_warps_multiply<true>, three_warps_multiply<false>, the_product, PRODUCT>(
        "three_warps_multiply"),
    pair<first_warp_returns<true>, first_warp_returns<false>, the_product, PRODUCT>(
        "first_warp_returns"),
    pair<halves_have_their_own_b<true>, halves_have_their_own_b<false>, the_product, PRODUCT>(
        "halves_have_their_own_b"),
    pair<warps_begin_at_their_own_rows<true>, warps_begin_at_their_own_rows<false>, the_product,
         PRODUCT>("warps_begin_at_their_own_rows"),
    pair<part_of_a_warpgroup<true>, part_of_a_warpgroup<false>, the_product,
         Shape{.threads = 192, .checked = 512}>("part_of_a_warpgroup"),
    pair<last_warp_stops_halfway<true>, last_warp_stops_halfway<false>, twice_the_product, PRODUCT>(
        "last_warp_stops_halfway"),
};

int main(int argc, char** argv) {
  return run_pairs(pairs, argc, argv);
}
