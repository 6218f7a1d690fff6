// Shared memory of another CTA is used before anything says that this CTA runs. What is written is
// read behind a barrier of the cluster, so that only the beginning is wrong.
#include <cooperative_groups.h>

#include "harness.h"
#include "memory_order.h"
#include "ptx.h"

int from_the_other_cta(int i) {
  return (i ^ 128) + 1;
}
int from_the_cta_before(int i) {
  return (i + 512 - 128) % 512 + 1;
}
constexpr Shape two_ctas{.blocks = 2, .threads = 128, .checked = 256};

//: pair remote_store
template <bool mistaken>
__global__ void __cluster_dims__(2) remote_store(const int* in, int* out) {
  __shared__ int tile[128];
  const unsigned rank = cluster_rank();
  if constexpr (!mistaken) cluster_sync();
  const int value = in[rank * 128 + threadIdx.x];
  store_remote(address_in_cta(&tile[threadIdx.x], rank ^ 1), value);  //: cluster-not-ready
  cluster_sync();
  out[rank * 128 + threadIdx.x] = tile[threadIdx.x];
}

//: pair barrier_of_the_cta
template <bool mistaken>
__global__ void __cluster_dims__(2) barrier_of_the_cta(const int* in, int* out) {
  __shared__ alignas(16) int tile[128];
  const unsigned rank = cluster_rank();
  mistaken ? __syncthreads() : cluster_sync();
  if (threadIdx.x < 32) {
    const int4 four = reinterpret_cast<const int4*>(in)[rank * 32 + threadIdx.x];
    const uint32_t remote = address_in_cta(&tile[4 * threadIdx.x], rank ^ 1);
    store_remote_four(remote, four);  //: cluster-not-ready
  }
  cluster_sync();
  out[rank * 128 + threadIdx.x] = tile[threadIdx.x];
}

//: pair waits_too_late
// The wait of the first barrier stands behind what it is to protect.
template <bool mistaken>
__global__ void __cluster_dims__(2) waits_too_late(const int* in, int* out) {
  __shared__ int tile[128];
  const unsigned rank = cluster_rank();
  const uint32_t remote = address_in_cta(&tile[threadIdx.x], rank ^ 1);
  cluster_arrive_relaxed();
  if constexpr (!mistaken) cluster_wait();
  store_remote(remote, in[rank * 128 + threadIdx.x]);  //: cluster-not-ready
  if constexpr (mistaken) cluster_wait();
  cluster_sync();
  out[rank * 128 + threadIdx.x] = tile[threadIdx.x];
}

//: pair ring_of_four
// Through generic addresses, each CTA to its neighbor.
template <bool mistaken>
__global__ void __cluster_dims__(4) ring_of_four(const int* in, int* out) {
  __shared__ int tile[128];
  const unsigned rank = cluster_rank();
  int* next = pointer_in_cta(&tile[threadIdx.x], (rank + 1) % 4);
  if constexpr (!mistaken) cluster_sync();
  *next = in[rank * 128 + threadIdx.x];  //: cluster-not-ready
  cluster_sync();
  out[rank * 128 + threadIdx.x] = tile[threadIdx.x];
}

//: pair cooperative_groups_cluster
template <bool mistaken>
__global__ void __cluster_dims__(2) cooperative_groups_cluster(const int* in, int* out) {
  __shared__ int tile[128];
  const cooperative_groups::cluster_group cluster = cooperative_groups::this_cluster();
  const unsigned rank = cluster.block_rank();
  int* other_tile = cluster.map_shared_rank(tile, rank ^ 1);
  if constexpr (!mistaken) cluster.sync();
  other_tile[threadIdx.x] = in[rank * 128 + threadIdx.x];  //: cluster-not-ready
  cluster.sync();
  out[rank * 128 + threadIdx.x] = tile[threadIdx.x];
}

//: pair flag_of_the_wrong_cta
// A flag in global memory says that the sender's own CTA runs, and not the receiver's.
template <bool mistaken>
__global__ void __cluster_dims__(2) flag_of_the_wrong_cta(const int* in, int* out, int* running) {
  __shared__ int tile[128];
  const unsigned rank = cluster_rank();
  if (threadIdx.x == 0) store_release(&running[rank], 1);
  if (threadIdx.x == 0) wait_for_flag(&running[mistaken ? rank : rank ^ 1], 1);
  __syncthreads();
  const int value = in[rank * 128 + threadIdx.x];
  store_remote(address_in_cta(&tile[threadIdx.x], rank ^ 1), value);  //: cluster-not-ready
  cluster_sync();
  out[rank * 128 + threadIdx.x] = tile[threadIdx.x];
}

//: pair helper_of_one_warp
// One warp of the first CTA gives out the work of both.
__device__ void give(int* place, unsigned rank, int value) {
  store_remote(address_in_cta(place, rank), value);  //: cluster-not-ready
}
template <bool mistaken>
__global__ void __cluster_dims__(2) helper_of_one_warp(const int* in, int* out) {
  __shared__ int work[32];
  if constexpr (!mistaken) cluster_sync();
  if (cluster_rank() == 0 && threadIdx.x < 32) {
    work[threadIdx.x] = in[threadIdx.x];
    give(&work[threadIdx.x], 1, in[32 + threadIdx.x]);
  }
  cluster_sync();
  if (threadIdx.x < 32) out[cluster_rank() * 32 + threadIdx.x] = work[threadIdx.x];
}

constexpr Pair pairs[] = {
    pair<remote_store<true>, remote_store<false>, from_the_other_cta, two_ctas>("remote_store"),
    pair<barrier_of_the_cta<true>, barrier_of_the_cta<false>, from_the_other_cta, two_ctas>(
        "barrier_of_the_cta"),
    pair<waits_too_late<true>, waits_too_late<false>, from_the_other_cta, two_ctas>(
        "waits_too_late"),
    pair<ring_of_four<true>, ring_of_four<false>, from_the_cta_before,
         Shape{.blocks = 4, .threads = 128, .checked = 512}>("ring_of_four"),
    pair<cooperative_groups_cluster<true>, cooperative_groups_cluster<false>, from_the_other_cta,
         two_ctas>("cooperative_groups_cluster"),
    pair<flag_of_the_wrong_cta<true>, flag_of_the_wrong_cta<false>, from_the_other_cta, two_ctas>(
        "flag_of_the_wrong_cta"),
    pair<helper_of_one_warp<true>, helper_of_one_warp<false>, the_input,
         Shape{.blocks = 2, .threads = 128, .checked = 64}>("helper_of_one_warp"),
};

int main(int argc, char** argv) {
  return run_pairs(pairs, argc, argv);
}
