// An address that mapa has made of another CTA's shared memory, in an instruction whose state space
// is the shared memory of its own CTA. The right twins use the form with .shared::cluster, or let
// the CTA do it that has the bytes; some keep the instruction and give mapa their own rank.
#include "harness.h"
#include "memory_order.h"
#include "ptx-own-address.h"
#include "ptx.h"

constexpr Shape two_ctas{.blocks = 2, .threads = 128, .checked = 256};

int input_in_both(int i) {
  return i % 128 + 1;
}

//: pair reads_the_other_ctas_tile
template <bool mistaken>
__global__ void __cluster_dims__(2) reads_the_other_ctas_tile(const int* in, int* out) {
  __shared__ int tile[128];
  const unsigned rank = cluster_rank();
  tile[threadIdx.x] = in[threadIdx.x];
  cluster_sync();
  const uint32_t there = address_in_cta(&tile[threadIdx.x], rank ^ 1);
  int value = 0;
  if (mistaken) {
    value = load_own(there);  //: address-of-another-cta
  } else {
    value = load_remote(there);
  }
  out[rank * 128 + threadIdx.x] = value;
  cluster_sync();
}

//: pair around_a_ring
// Each CTA writes to the next one; or, where the rank is its own, to itself, which needs no other
// form.
template <bool mistaken>
__global__ void __cluster_dims__(2) around_a_ring(const int* in, int* out) {
  __shared__ int tile[128];
  const unsigned rank = cluster_rank();
  const unsigned next = mistaken ? (rank + 1) % 2 : rank;
  cluster_sync();
  const uint32_t there = address_in_cta(&tile[threadIdx.x], next);
  store_own(there, in[threadIdx.x]);  //: address-of-another-cta
  cluster_sync();
  out[rank * 128 + threadIdx.x] = tile[threadIdx.x];
}

//: pair counts_in_the_first_cta
// The first CTA's own threads may add with any form.
int threads_of_both(int) {
  return 256;
}
template <bool mistaken>
__global__ void __cluster_dims__(2) counts_in_the_first_cta(const int*, int* out) {
  __shared__ int count;
  if (threadIdx.x == 0) count = 0;
  cluster_sync();
  const uint32_t first = address_in_cta(&count, 0);
  if (mistaken) {
    add_own(first, 1);  //: address-of-another-cta
  } else {
    add_remote(first, 1);
  }
  cluster_sync();
  if (cluster_rank() == 0 && threadIdx.x == 0) out[0] = count;
}

// Both CTAs' barriers count one arrival, and all threads of the cluster know of them.
__device__ void prepare_cluster_barrier(uint64_t* barrier) {
  if (threadIdx.x == 0) {
    init_barrier(barrier, 1);
    fence_barrier_init();
  }
  cluster_sync();
}

//: pair tells_the_other_cta
template <bool mistaken>
__global__ void __cluster_dims__(2) tells_the_other_cta(const int* in, int* out) {
  __shared__ uint64_t told;
  const unsigned rank = cluster_rank();
  prepare_cluster_barrier(&told);
  if (threadIdx.x == 0) {
    const uint32_t barrier = address_in_cta(&told, rank ^ 1);
    if (mistaken) {
      arrive_own(barrier);  //: address-of-another-cta
    } else {
      arrive_remote(barrier);
    }
  }
  wait_parity_cluster(&told, 0);
  out[rank * 128 + threadIdx.x] = in[threadIdx.x];
  cluster_sync();
}

//: pair announces_for_the_other_cta
template <bool mistaken>
__global__ void __cluster_dims__(2) announces_for_the_other_cta(const int* in, int* out) {
  __shared__ alignas(128) int tile[128];
  __shared__ alignas(128) int inbox[128];
  __shared__ uint64_t arrived;
  const unsigned rank = cluster_rank();
  tile[threadIdx.x] = in[threadIdx.x];
  fence_proxy_async();
  prepare_cluster_barrier(&arrived);
  if (threadIdx.x == 0) {
    const uint32_t barrier = address_in_cta(&arrived, rank ^ 1);
    if (mistaken) {
      arrive_and_expect_own(barrier, sizeof(tile));  //: address-of-another-cta
    } else {
      arrive_and_expect_remote(barrier, sizeof(tile));
    }
    copy_bulk_to_cta(address_in_cta(inbox, rank ^ 1), tile, sizeof(tile), barrier);
  }
  wait_parity_cluster(&arrived, 0);
  out[rank * 128 + threadIdx.x] = inbox[threadIdx.x];
  cluster_sync();
}

//: pair waits_at_the_other_ctas_barrier
// There is no remote wait: who is to know arrives at a barrier of the waiting CTA.
template <bool mistaken>
__global__ void __cluster_dims__(2) waits_at_the_other_ctas_barrier(const int* in, int* out) {
  __shared__ uint64_t written;
  __shared__ int tile[128];
  const unsigned rank = cluster_rank();
  prepare_cluster_barrier(&written);
  tile[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  if (threadIdx.x == 0) arrive_remote(address_in_cta(&written, mistaken ? rank : rank ^ 1));
  const uint32_t barrier = address_in_cta(&written, mistaken ? rank ^ 1 : rank);
  while (!try_wait_own(barrier, 0)) {  //: address-of-another-cta
  }
  out[rank * 128 + threadIdx.x] = load_remote(address_in_cta(&tile[threadIdx.x], rank ^ 1));
  cluster_sync();
}

//: pair stores_the_other_ctas_tile
// The engine takes the source of a store from the CTA that issues it.
template <bool mistaken>
__global__ void __cluster_dims__(2) stores_the_other_ctas_tile(const int* in, int* out) {
  __shared__ alignas(128) int tile[128];
  const unsigned rank = cluster_rank();
  tile[threadIdx.x] = in[threadIdx.x];
  fence_proxy_async();
  cluster_sync();
  if (threadIdx.x == 0) {
    const uint32_t source = address_in_cta(tile, mistaken ? rank ^ 1 : rank);
    store_bulk_own(out + rank * 128, source, sizeof(tile));  //: address-of-another-cta
    commit_group();
    wait_group<0>();
  }
  cluster_sync();
}

//: pair stores_the_other_ctas_box
template <bool mistaken>
__global__ void __cluster_dims__(2)
    stores_the_other_ctas_box(const __grid_constant__ TensorMaps maps, const int* in, int*) {
  __shared__ alignas(128) int tile[TILE_INTS];
  const unsigned rank = cluster_rank();
  tile[threadIdx.x] = threadIdx.x < TILE_COLUMNS ? in[threadIdx.x] : -1;
  fence_proxy_async();
  cluster_sync();
  if (threadIdx.x == 0) {
    const uint32_t source = address_in_cta(tile, mistaken ? rank ^ 1 : rank);
    const int row = static_cast<int>(rank) * TILE_ROWS;
    store_tile_own(&maps.out, 0, row, source);  //: address-of-another-cta
    commit_group();
    wait_group<0>();
  }
  cluster_sync();
}

//: pair copies_into_the_other_cta
// cp.async has no form for another CTA; a bulk copy has.
template <bool mistaken>
__global__ void __cluster_dims__(2) copies_into_the_other_cta(const int* in, int* out) {
  __shared__ alignas(16) int tile[128];
  const unsigned rank = cluster_rank();
  cluster_sync();
  const uint32_t target = address_in_cta(&tile[threadIdx.x], mistaken ? rank ^ 1 : rank);
  copy_async_own(target, in + threadIdx.x);  //: address-of-another-cta
  asm volatile("cp.async.wait_all;" ::: "memory");
  cluster_sync();
  out[rank * 128 + threadIdx.x] = tile[threadIdx.x];
}

//: pair matrix_of_the_other_cta
// Lanes 0 to 7 give the addresses of the rows; lane i gets two elements of row i / 4.
int elements_of_lane(int i) {
  return i % 32 + 1;
}
template <bool mistaken>
__global__ void __cluster_dims__(2) matrix_of_the_other_cta(const int* in, int* out) {
  __shared__ alignas(16) int rows[32];
  const unsigned rank = cluster_rank();
  rows[threadIdx.x] = in[threadIdx.x];
  cluster_sync();
  const unsigned of = mistaken ? rank ^ 1 : rank;
  const uint32_t row = address_in_cta(&rows[threadIdx.x % 8 * 4], of);
  out[rank * 32 + threadIdx.x] = load_matrix_own(row);  //: address-of-another-cta
  cluster_sync();
}

constexpr Pair pairs[] = {
    pair<reads_the_other_ctas_tile<true>, reads_the_other_ctas_tile<false>, input_in_both,
         two_ctas>("reads_the_other_ctas_tile"),
    pair<around_a_ring<true>, around_a_ring<false>, input_in_both, two_ctas>("around_a_ring"),
    pair<counts_in_the_first_cta<true>, counts_in_the_first_cta<false>, threads_of_both,
         Shape{.blocks = 2, .threads = 128, .checked = 1}>("counts_in_the_first_cta"),
    pair<tells_the_other_cta<true>, tells_the_other_cta<false>, input_in_both, two_ctas>(
        "tells_the_other_cta"),
    pair<announces_for_the_other_cta<true>, announces_for_the_other_cta<false>, input_in_both,
         two_ctas>("announces_for_the_other_cta"),
    pair<waits_at_the_other_ctas_barrier<true>, waits_at_the_other_ctas_barrier<false>,
         input_in_both, two_ctas>("waits_at_the_other_ctas_barrier"),
    pair<stores_the_other_ctas_tile<true>, stores_the_other_ctas_tile<false>, input_in_both,
         two_ctas>("stores_the_other_ctas_tile"),
    pair<stores_the_other_ctas_box<true>, stores_the_other_ctas_box<false>, the_input,
         Shape{.blocks = 2, .threads = 128, .checked = TILE_COLUMNS}>("stores_the_other_ctas_box"),
    pair<copies_into_the_other_cta<true>, copies_into_the_other_cta<false>, input_in_both,
         two_ctas>("copies_into_the_other_cta"),
    pair<matrix_of_the_other_cta<true>, matrix_of_the_other_cta<false>, elements_of_lane,
         Shape{.blocks = 2, .threads = 32, .checked = 64}>("matrix_of_the_other_cta"),
};

int main(int argc, char** argv) {
  return run_pairs(pairs, argc, argv);
}
