// cp.async and st.async write through the generic proxy, unlike TMA: who has waited for them passes
// a proxy fence before wgmma, or a TMA store, reads what they brought.
#include "harness.h"
#include "ptx-wgmma.h"
#include "ptx.h"

//: pair copies_of_factors
template <bool mistaken>
__global__ void copies_of_factors(const int* in, int* out) {
  __shared__ Factors factors;
  copy_factors(factors, in);  //: other
  cp_async_commit();
  cp_async_wait<0>();
  if constexpr (!mistaken) fence_proxy_async();
  __syncthreads();
  Sums sums;
  fence_registers();
  multiply(sums, factors);  //: missing-proxy-fence
  commit_products();
  wait_products<0>();
  store(out, sums);
}

//: pair fences_before_the_wait
// What a thread has not waited for, its fence does not cover.
template <bool mistaken>
__global__ void fences_before_the_wait(const int* in, int* out) {
  __shared__ Factors factors;
  copy_factors(factors, in);  //: other
  cp_async_commit();
  if constexpr (mistaken) fence_proxy_async();
  cp_async_wait<0>();
  if constexpr (!mistaken) fence_proxy_async();
  __syncthreads();
  Sums sums;
  fence_registers();
  multiply(sums, factors);  //: missing-proxy-fence
  commit_products();
  wait_products<0>();
  store(out, sums);
}

//: pair fences_the_first_lap
constexpr int LAPS = 4;
int sum_of_laps(int index) {
  int sum = 0;
  for (int lap = 0; lap < LAPS; ++lap) {
    sum += product_of_input(index, 4 * lap);
  }
  return sum;
}
template <bool mistaken>
__global__ void fences_the_first_lap(const int* in, int* out) {
  __shared__ Factors factors;
  Sums sums;
#pragma unroll 1
  for (int lap = 0; lap < LAPS; ++lap) {
    copy_factors(factors, in + 4 * lap);  //: other
    cp_async_commit();
    cp_async_wait<0>();
    if (!mistaken || lap == 0) fence_proxy_async();
    __syncthreads();
    fence_registers();
    multiply(sums, factors);  //: missing-proxy-fence
    commit_products();
    wait_products<0>();
    __syncthreads();
  }
  store(out, sums);
}

//: pair copies_arrive_on_an_mbarrier
// Who waits for the arrivals fences: the copying threads have gone on.
template <bool mistaken>
__global__ void copies_arrive_on_an_mbarrier(const int* in, int* out) {
  __shared__ Factors factors;
  __shared__ uint64_t full;
  prepare_barrier(&full, 128);
  if (threadIdx.x >= 128) {
    copy_factors(factors, in);  //: other
    cp_async_arrive(&full);
    cp_async_wait_all();
    return;
  }
  wait_parity(&full, 0);
  if constexpr (!mistaken) fence_proxy_async();
  __syncwarp();
  Sums sums;
  fence_registers();
  multiply(sums, factors);  //: missing-proxy-fence
  commit_products();
  wait_products<0>();
  store(out, sums);
}

//: pair a_peers_asynchronous_store
int the_product_of_each(int index) {
  return the_product(index % 512);
}
template <bool mistaken>
__global__ void __cluster_dims__(2) a_peers_asynchronous_store(const int* in, int* out) {
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
  wait_parity_cluster(&full, 0);
  if constexpr (!mistaken) fence_proxy_async();
  Sums sums;
  fence_registers();
  multiply(sums, factors);  //: missing-proxy-fence
  commit_products();
  wait_products<0>();
  store(out + 512 * cluster_rank(), sums);
  cluster_sync();
}

//: pair copies_of_what_is_stored
template <bool mistaken>
__global__ void copies_of_what_is_stored(const int* in, int* out) {
  __shared__ alignas(128) int tile[128];
  cp_async_4(&tile[threadIdx.x], &in[threadIdx.x]);  //: other
  cp_async_commit();
  cp_async_wait<0>();
  if constexpr (!mistaken) fence_proxy_async();
  __syncthreads();
  if (threadIdx.x == 0) {
    store_bulk(out, tile, sizeof(tile));  //: missing-proxy-fence
    commit_group();
    wait_group_read<0>();
  }
}

constexpr Shape WITH_PRODUCERS{.threads = 256, .checked = 512};
constexpr Shape TWO_CTAS{.blocks = 2, .checked = 1024};

constexpr Pair pairs[] = {
    pair<copies_of_factors<true>, copies_of_factors<false>, the_product, PRODUCT>(
        "copies_of_factors"),
    pair<fences_before_the_wait<true>, fences_before_the_wait<false>, the_product, PRODUCT>(
        "fences_before_the_wait"),
    pair<fences_the_first_lap<true>, fences_the_first_lap<false>, sum_of_laps, PRODUCT>(
        "fences_the_first_lap"),
    pair<copies_arrive_on_an_mbarrier<true>, copies_arrive_on_an_mbarrier<false>, the_product,
         WITH_PRODUCERS>("copies_arrive_on_an_mbarrier"),
    pair<a_peers_asynchronous_store<true>, a_peers_asynchronous_store<false>, the_product_of_each,
         TWO_CTAS>("a_peers_asynchronous_store"),
    pair<copies_of_what_is_stored<true>, copies_of_what_is_stored<false>>(
        "copies_of_what_is_stored"),
};

int main(int argc, char** argv) {
  return run_pairs(pairs, argc, argv);
}
