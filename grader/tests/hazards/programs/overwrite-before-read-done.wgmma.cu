// Shared memory is written again while a wgmma may still be reading it: only the wait for its group
// says that it has read.
#include "harness.h"
#include "ptx-wgmma.h"
#include "ptx.h"

//: pair threads_write_it
template <bool mistaken>
__global__ void threads_write_it(const int* in, int* out) {
  __shared__ Factors factors;
  __shared__ uint64_t loaded;
  load_factors(factors, in, loaded);
  Sums sums;
  fence_registers();
  multiply(sums, factors);  //: other
  commit_products();
  if constexpr (!mistaken) wait_products<0>();
  __syncthreads();
  factors.a[threadIdx.x] = 0;  //: overwrite-before-read-done
  wait_products<0>();
  store(out, sums);
}

//: pair a_load_overwrites_it
template <bool mistaken>
__global__ void a_load_overwrites_it(const int* in, int* out) {
  __shared__ Factors factors;
  __shared__ uint64_t loaded, again;
  load_factors(factors, in, loaded);
  prepare_barrier(&again, 1);
  Sums sums;
  fence_registers();
  multiply(sums, factors);  //: other
  commit_products();
  if constexpr (!mistaken) wait_products<0>();
  __syncthreads();
  if (threadIdx.x == 0) {
    arrive_and_expect(&again, sizeof(factors.b));
    load_bulk(factors.b, in, sizeof(factors.b), &again);  //: overwrite-before-read-done
  }
  wait_products<0>();
  store(out, sums);
  wait_parity(&again, 0);
}

//: pair gives_the_stage_back_too_early
// The consumers arrive before their wait, and the producer loads the next lap.
int both_laps(int index) {
  return product_of_input(index, 0) + product_of_input(index, 4);
}
template <bool mistaken>
__global__ void gives_the_stage_back_too_early(const int* in, int* out) {
  __shared__ Factors factors;
  __shared__ uint64_t full, empty;
  prepare_barrier(&full, 1);
  prepare_barrier(&empty, 128);
  if (threadIdx.x >= 128) {
    for (int lap = 0; lap < 2 && threadIdx.x == 128; ++lap) {
      if (lap == 1) wait_parity(&empty, 0);
      arrive_and_expect(&full, sizeof(factors));
      load_bulk(&factors, in + 4 * lap, sizeof(factors), &full);  //: overwrite-before-read-done
    }
    return;
  }
  Sums sums;
  for (int lap = 0; lap < 2; ++lap) {
    wait_parity(&full, lap);
    fence_registers();
    multiply(sums, factors);  //: other
    commit_products();
    if constexpr (mistaken) arrive(&empty);
    wait_products<0>();
    if constexpr (!mistaken) arrive(&empty);
  }
  store(out, sums);
}

//: pair leaves_the_reader_pending
// A wait that leaves one group pending says nothing of that one.
template <bool mistaken>
__global__ void leaves_the_reader_pending(const int* in, int* out) {
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
  __syncthreads();
  factors.a[threadIdx.x] = 0;  //: overwrite-before-read-done
  wait_products<0>();
  store(out, sums);
}

//: pair threads_write_b
// All four warps read it.
template <bool mistaken>
__global__ void threads_write_b(const int* in, int* out) {
  __shared__ Factors factors;
  __shared__ uint64_t loaded;
  load_factors(factors, in, loaded);
  Sums sums;
  fence_registers();
  multiply(sums, factors);  //: other
  commit_products();
  if constexpr (!mistaken) wait_products<0>();
  __syncthreads();
  if (threadIdx.x < 64) factors.b[threadIdx.x] = 0;  //: overwrite-before-read-done
  wait_products<0>();
  store(out, sums);
}

//: pair a_load_overwrites_a
// The next rows come while these are multiplied.
template <bool mistaken>
__global__ void a_load_overwrites_a(const int* in, int* out) {
  __shared__ Factors factors;
  __shared__ uint64_t loaded, again;
  load_factors(factors, in, loaded);
  prepare_barrier(&again, 1);
  Sums sums;
  fence_registers();
  multiply(sums, factors);  //: other
  commit_products();
  if constexpr (!mistaken) wait_products<0>();
  __syncthreads();
  if (threadIdx.x == 0) {
    arrive_and_expect(&again, sizeof(factors.a));
    load_bulk(factors.a, in + 4, sizeof(factors.a), &again);  //: overwrite-before-read-done
  }
  wait_products<0>();
  store(out, sums);
  wait_parity(&again, 0);
}

constexpr Shape WITH_PRODUCER{.threads = 160, .checked = 512};

constexpr Pair pairs[] = {
    pair<threads_write_it<true>, threads_write_it<false>, the_product, PRODUCT>("threads_write_it"),
    pair<a_load_overwrites_it<true>, a_load_overwrites_it<false>, the_product, PRODUCT>(
        "a_load_overwrites_it"),
    pair<gives_the_stage_back_too_early<true>, gives_the_stage_back_too_early<false>, both_laps,
         WITH_PRODUCER>("gives_the_stage_back_too_early"),
    pair<leaves_the_reader_pending<true>, leaves_the_reader_pending<false>, twice_the_product,
         PRODUCT>("leaves_the_reader_pending"),
    pair<threads_write_b<true>, threads_write_b<false>, the_product, PRODUCT>("threads_write_b"),
    pair<a_load_overwrites_a<true>, a_load_overwrites_a<false>, the_product, PRODUCT>(
        "a_load_overwrites_a"),
};

int main(int argc, char** argv) {
  return run_pairs(pairs, argc, argv);
}
