// wgmma reads what cp.async or st.async brings, and nothing makes sure that it is there. The
// threads that copied wait for their own copies only: then all pass a proxy fence and a barrier.
#include "harness.h"
#include "ptx-wgmma.h"
#include "ptx.h"

//: pair multiplies_before_the_copies
template <bool mistaken>
__global__ void multiplies_before_the_copies(const int* in, int* out) {
  __shared__ Factors factors;
  copy_factors(factors, in);  //: other
  cp_async_commit();
  if constexpr (!mistaken) cp_async_wait<0>();
  fence_proxy_async();
  __syncthreads();
  Sums sums;
  fence_registers();
  multiply(sums, factors);  //: read-before-wait
  commit_products();
  wait_products<0>();
  cp_async_wait<0>();
  store(out, sums);
}

//: pair leaves_the_second_factor_pending
template <bool mistaken>
__global__ void leaves_the_second_factor_pending(const int* in, int* out) {
  __shared__ Factors factors;
  copy_factors(factors, in, 0, A_BYTES);
  cp_async_commit();
  copy_factors(factors, in, A_BYTES);  //: other
  cp_async_commit();
  cp_async_wait<mistaken ? 1 : 0>();
  fence_proxy_async();
  __syncthreads();
  Sums sums;
  fence_registers();
  multiply(sums, factors);  //: read-before-wait
  commit_products();
  wait_products<0>();
  cp_async_wait<0>();
  store(out, sums);
}

//: pair waits_for_its_own_copies
// Each thread has waited, and no thread for another one's copies.
template <bool mistaken>
__global__ void waits_for_its_own_copies(const int* in, int* out) {
  __shared__ Factors factors;
  copy_factors(factors, in);  //: other
  cp_async_commit();
  cp_async_wait<0>();
  fence_proxy_async();
  if constexpr (!mistaken) __syncthreads();
  Sums sums;
  fence_registers();
  multiply(sums, factors);  //: read-before-wait
  commit_products();
  wait_products<0>();
  store(out, sums);
}

//: pair copies_one_lap_ahead
// The group of the next lap is the newest: all but one are to be done.
constexpr int LAPS = 4;
int sum_of_laps(int index) {
  int sum = 0;
  for (int lap = 0; lap < LAPS; ++lap) {
    sum += product_of_input(index, 4 * lap);
  }
  return sum;
}
template <bool mistaken>
__global__ void copies_one_lap_ahead(const int* in, int* out) {
  __shared__ Factors stages[2];
  copy_factors(stages[0], in);  //: other
  cp_async_commit();
  Sums sums;
#pragma unroll 1
  for (int lap = 0; lap < LAPS; ++lap) {
    //: other
    if (lap + 1 < LAPS) copy_factors(stages[(lap + 1) % 2], in + 4 * (lap + 1));
    cp_async_commit();
    cp_async_wait<mistaken ? 2 : 1>();
    fence_proxy_async();
    __syncthreads();
    fence_registers();
    multiply(sums, stages[lap % 2]);  //: read-before-wait
    commit_products();
    wait_products<0>();
    __syncthreads();
  }
  cp_async_wait<0>();
  store(out, sums);
}

//: pair arrives_before_the_copies
// An arrival of its own does not wait for the copies of its thread.
template <bool mistaken>
__global__ void arrives_before_the_copies(const int* in, int* out) {
  __shared__ Factors factors;
  __shared__ uint64_t full;
  prepare_barrier(&full, 128);
  if (threadIdx.x >= 128) {
    copy_factors(factors, in);  //: other
    if constexpr (mistaken) {
      arrive(&full);
    } else {
      cp_async_arrive(&full);
    }
    cp_async_wait_all();
    return;
  }
  wait_parity(&full, 0);
  fence_proxy_async();
  __syncwarp();
  Sums sums;
  fence_registers();
  multiply(sums, factors);  //: read-before-wait
  commit_products();
  wait_products<0>();
  store(out, sums);
}

//: pair multiplies_before_the_peers_store
// B comes from the other CTA of the cluster, word by word.
int the_product_of_each(int index) {
  return the_product(index % 512);
}
template <bool mistaken>
__global__ void __cluster_dims__(2) multiplies_before_the_peers_store(const int* in, int* out) {
  __shared__ Factors factors;
  __shared__ uint64_t full;
  if (threadIdx.x == 0) {
    init_barrier(&full, 1);
    fence_barrier_init();
    arrive_and_expect(&full, sizeof(factors.b));
  }
  for (int i = threadIdx.x; i < 512; i += 128) {
    factors.a[i] = in[i];
  }
  fence_proxy_async();
  cluster_sync();
  const unsigned peer = cluster_rank() ^ 1;
  if (threadIdx.x < 64) {
    const uint32_t remote = address_in_cta(&factors.b[threadIdx.x], peer);
    store_async(remote, in[512 + threadIdx.x], address_in_cta(&full, peer));  //: other
  }
  if constexpr (!mistaken) {
    wait_parity_cluster(&full, 0);
    fence_proxy_async();
  }
  Sums sums;
  fence_registers();
  multiply(sums, factors);  //: read-before-wait
  commit_products();
  wait_products<0>();
  store(out + 512 * cluster_rank(), sums);
  wait_parity_cluster(&full, 0);
  cluster_sync();
}

constexpr Shape WITH_PRODUCERS{.threads = 256, .checked = 512};
//: pair leaves_all_that_are_in_flight
// Three groups are in flight, and the wait leaves as many pending.
template <bool mistaken>
__global__ void leaves_all_that_are_in_flight(const int* in, int* out) {
  constexpr int STAGES = 4, LAPS = 8, TILE = 128;
  __shared__ alignas(128) int ring[STAGES][TILE];
  __shared__ uint64_t full[STAGES], empty[STAGES];
  for (int stage = 0; stage < STAGES; ++stage) {
    prepare_barrier(&full[stage], 32);
    prepare_barrier(&empty[stage], 32);
  }
  const unsigned lane = threadIdx.x % 32;
  if (threadIdx.x < 32) {
    for (int lap = 1 - STAGES; lap < LAPS; ++lap) {
      if (lap >= 0) {
        cp_async_wait<mistaken ? STAGES - 1 : STAGES - 2>();  //: other
        arrive(&full[lap % STAGES]);
      }
      const int next = lap + STAGES - 1;
      if (next < LAPS) {
        wait_parity(&empty[next % STAGES], next / STAGES % 2 ^ 1);
        cp_async_16(ring[next % STAGES] + 4 * lane, in + TILE * next + 4 * lane);  //: other
      }
      cp_async_commit();
    }
  } else {
    for (int lap = 0; lap < LAPS; ++lap) {
      wait_parity(&full[lap % STAGES], lap / STAGES % 2);
#pragma unroll
      for (int i = 0; i < 4; ++i) {
        const unsigned at = 32 * i + lane;
        out[TILE * lap + at] = ring[lap % STAGES][at];  //: read-before-wait
      }
      arrive(&empty[lap % STAGES]);
    }
  }
}

constexpr Shape TWO_CTAS{.blocks = 2, .checked = 1024};

constexpr Pair pairs[] = {
    pair<multiplies_before_the_copies<true>, multiplies_before_the_copies<false>, the_product,
         PRODUCT>("multiplies_before_the_copies"),
    pair<leaves_the_second_factor_pending<true>, leaves_the_second_factor_pending<false>,
         the_product, PRODUCT>("leaves_the_second_factor_pending"),
    pair<waits_for_its_own_copies<true>, waits_for_its_own_copies<false>, the_product, PRODUCT>(
        "waits_for_its_own_copies"),
    pair<copies_one_lap_ahead<true>, copies_one_lap_ahead<false>, sum_of_laps, PRODUCT>(
        "copies_one_lap_ahead"),
    pair<arrives_before_the_copies<true>, arrives_before_the_copies<false>, the_product,
         WITH_PRODUCERS>("arrives_before_the_copies"),
    pair<multiplies_before_the_peers_store<true>, multiplies_before_the_peers_store<false>,
         the_product_of_each, TWO_CTAS>("multiplies_before_the_peers_store"),
    pair<leaves_all_that_are_in_flight<true>, leaves_all_that_are_in_flight<false>, the_input,
         Shape{.threads = 64, .checked = 1024}>("leaves_all_that_are_in_flight"),
};

int main(int argc, char** argv) {
  return run_pairs(pairs, argc, argv);
}
