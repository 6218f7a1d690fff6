// A CTA ends while another one may still reach its shared memory.
#include "harness.h"
#include "ptx.h"

// The copy reads this CTA's shared memory until the peer has it.
//: pair copy_out_of_the_cta
template <bool mistaken>
__global__ void __cluster_dims__(2) copy_out_of_the_cta(const int* in, int* out) {
  __shared__ alignas(128) int tile[128];
  __shared__ uint64_t full;
  if (cluster_rank() == 1 && threadIdx.x == 0) {
    init_barrier(&full, 1);
    fence_barrier_init();
    arrive_and_expect(&full, sizeof(tile));
  }
  tile[threadIdx.x] = in[threadIdx.x];
  fence_proxy_async_shared();
  cluster_sync();
  if (cluster_rank() == 0 && threadIdx.x == 0) {
    const uint32_t remote = address_in_cta(tile, 1);
    const uint32_t remote_barrier = address_in_cta(&full, 1);
    copy_bulk_to_cta(remote, tile, sizeof(tile), remote_barrier);  //: smem-released-early
  }
  if (cluster_rank() == 1) {
    wait_parity(&full, 0);
    out[threadIdx.x] = tile[threadIdx.x];
  }
  if constexpr (!mistaken) {
    cluster_sync();
  }
}

// CTA 0 sends to CTA 1, which does not need what comes, and goes.
//: pair copy_that_nobody_awaits
template <bool mistaken>
__global__ void __cluster_dims__(2) copy_that_nobody_awaits(const int* in, int* out) {
  __shared__ alignas(128) int tile[128];
  __shared__ uint64_t full;
  if (threadIdx.x == 0) {
    init_barrier(&full, 1);
    fence_barrier_init();
    arrive_and_expect(&full, sizeof(tile));
  }
  if (cluster_rank() == 0) {
    tile[threadIdx.x] = in[threadIdx.x];
    fence_proxy_async_shared();
  }
  cluster_sync();
  if (cluster_rank() == 0 && threadIdx.x == 0) {
    const uint32_t remote = address_in_cta(tile, 1);
    const uint32_t remote_barrier = address_in_cta(&full, 1);
    copy_bulk_to_cta(remote, tile, sizeof(tile), remote_barrier);  //: smem-released-early
  }
  if (cluster_rank() == 1) {
    out[threadIdx.x] = in[threadIdx.x];
    if constexpr (!mistaken) {
      wait_parity(&full, 0);
    }
  }
  cluster_sync();
}

// A value written into the peer: it must still be there.
//: pair remote_store
template <bool mistaken>
__global__ void __cluster_dims__(2) remote_store(const int* in, int* out) {
  __shared__ int box[128];
  cluster_sync();
  if (cluster_rank() == 0) {
    store_remote(address_in_cta(box + threadIdx.x, 1), in[threadIdx.x]);  //: smem-released-early
    out[threadIdx.x] = in[threadIdx.x];
  }
  if constexpr (!mistaken) {
    cluster_sync();
  }
}

//: pair remote_load
template <bool mistaken>
__global__ void __cluster_dims__(2) remote_load(const int* in, int* out) {
  __shared__ int values[128];
  const unsigned peer = cluster_rank() ^ 1;
  values[threadIdx.x] = in[128 * cluster_rank() + threadIdx.x];
  cluster_sync();
  const uint32_t remote = address_in_cta(values + threadIdx.x, peer);
  const int value = load_remote(remote);  //: smem-released-early
  out[128 * peer + threadIdx.x] = value;
  if constexpr (!mistaken) {
    cluster_sync();
  }
}

// Each CTA adds to the other's sum, and reads its own no more.
//: pair remote_addition
template <bool mistaken>
__global__ void __cluster_dims__(2) remote_addition(const int* in, int* out) {
  __shared__ int sums[128];
  sums[threadIdx.x] = 0;
  cluster_sync();
  const unsigned peer = cluster_rank() ^ 1;
  const int value = in[128 * peer + threadIdx.x];
  add_remote(address_in_cta(sums + threadIdx.x, peer), value);  //: smem-released-early
  out[128 * peer + threadIdx.x] = value;
  if constexpr (!mistaken) {
    cluster_sync();
  }
}

// An arrival at the peer's barrier, which the peer may not have waited for.
//: pair remote_arrival
template <bool mistaken>
__global__ void __cluster_dims__(2) remote_arrival(const int* in, int* out) {
  __shared__ uint64_t done;
  if (threadIdx.x == 0) {
    init_barrier(&done, 128);
    fence_barrier_init();
  }
  cluster_sync();
  const unsigned element = 128 * cluster_rank() + threadIdx.x;
  out[element] = in[element];
  arrive_remote(address_in_cta(&done, cluster_rank() ^ 1));  //: smem-released-early
  if constexpr (!mistaken) {
    wait_parity_cluster(&done, 0);
  }
}

constexpr Shape two_blocks{.blocks = 2};
constexpr Shape two_blocks_all{.blocks = 2, .checked = 256};

constexpr Pair pairs[] = {
    pair<copy_out_of_the_cta<true>, copy_out_of_the_cta<false>, the_input, two_blocks>(
        "copy_out_of_the_cta"),
    pair<copy_that_nobody_awaits<true>, copy_that_nobody_awaits<false>, the_input, two_blocks>(
        "copy_that_nobody_awaits"),
    pair<remote_store<true>, remote_store<false>, the_input, two_blocks>("remote_store"),
    pair<remote_load<true>, remote_load<false>, the_input, two_blocks_all>("remote_load"),
    pair<remote_addition<true>, remote_addition<false>, the_input, two_blocks_all>(
        "remote_addition"),
    pair<remote_arrival<true>, remote_arrival<false>, the_input, two_blocks_all>("remote_arrival"),
};

int main(int argc, char** argv) {
  return run_pairs(pairs, argc, argv);
}
