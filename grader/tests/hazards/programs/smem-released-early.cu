// A CTA ends while something may still reach its shared memory.
#include "harness.h"
#include "ptx.h"

//: pair store_without_a_wait
template <bool mistaken>
__global__ void store_without_a_wait(const int* in, int* out) {
  __shared__ alignas(128) int tile[128];
  tile[threadIdx.x] = in[threadIdx.x];
  fence_proxy_async_shared();
  __syncthreads();
  if (threadIdx.x == 0) {
    store_bulk(out, tile, sizeof(tile));  //: smem-released-early
    commit_group();
    if constexpr (!mistaken) {
      wait_group_read<0>();
    }
  }
}

// At the end no group may be pending, on a ring neither.
//: pair one_group_is_left
template <bool mistaken>
__global__ void one_group_is_left(const __grid_constant__ TensorMaps maps, const int* in,
                                  int* out) {
  __shared__ alignas(128) int ring[2][TILE_ROWS][TILE_COLUMNS];
  const int row = threadIdx.x / TILE_COLUMNS;
  const int column = threadIdx.x % TILE_COLUMNS;
  for (int tile = 0; tile < 3; ++tile) {
    ring[tile % 2][row][column] = in[(TILE_ROWS * tile + row) * MAP_COLUMNS + column];
    fence_proxy_async_shared();
    __syncthreads();
    if (threadIdx.x == 0) {
      reduce_add_tile(&maps.out, 0, TILE_ROWS * tile, ring[tile % 2]);  //: smem-released-early
      commit_group();
      wait_group_read<1>();
    }
    __syncthreads();
  }
  if (!mistaken && threadIdx.x == 0) {
    wait_group_read<0>();
  }
}

// The ring is filled one tile further than it is read.
//: pair load_that_nobody_needs
template <bool mistaken>
__global__ void load_that_nobody_needs(const int* in, int* out) {
  __shared__ alignas(128) int ring[2][128];
  __shared__ uint64_t full[2];
  prepare_barrier(&full[0], 1);
  prepare_barrier(&full[1], 1);
  constexpr int tiles = 3;
  constexpr int loads = mistaken ? tiles + 1 : tiles;
  for (int step = 0; step <= tiles; ++step) {
    if (threadIdx.x == 0 && step < loads) {
      arrive_and_expect(&full[step % 2], sizeof(ring[0]));
      //: smem-released-early
      load_bulk(ring[step % 2], in + 128 * step, sizeof(ring[0]), &full[step % 2]);
    }
    if (step > 0) {
      const int tile = step - 1;
      wait_parity(&full[tile % 2], tile / 2);
      out[128 * tile + threadIdx.x] = ring[tile % 2][threadIdx.x];
      fence_proxy_async_shared();
      __syncthreads();
    }
  }
}

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

// CTA 1 goes without having seen what CTA 0's multicast brings it.
//: pair multicast_that_one_does_not_await
template <bool mistaken>
__global__ void __cluster_dims__(2) multicast_that_one_does_not_await(const int* in, int* out) {
  __shared__ alignas(128) int tile[128];
  __shared__ uint64_t full;
  if (threadIdx.x == 0) {
    init_barrier(&full, 1);
    fence_barrier_init();
    arrive_and_expect(&full, sizeof(tile));
  }
  cluster_sync();
  if (cluster_rank() == 0 && threadIdx.x == 0) {
    load_bulk_multicast(tile, in, sizeof(tile), &full, 0b11);  //: smem-released-early
  }
  if (!mistaken || cluster_rank() == 0) {
    wait_parity(&full, 0);
  }
  if (cluster_rank() == 0) {
    out[threadIdx.x] = tile[threadIdx.x];
  }
  cluster_sync();
}

// The issuing thread leaves early on one path.
//: pair early_return
template <bool mistaken>
__global__ void early_return(const int* in, int* out) {
  __shared__ alignas(16) int sums[32];
  sums[threadIdx.x] = in[threadIdx.x] + 1;
  fence_proxy_async_shared();
  __syncwarp();
  if (threadIdx.x == 0) {
    reduce_add_bulk(out, sums, sizeof(sums));  //: smem-released-early
    commit_group();
    if (mistaken && in[0] == 1) {
      return;
    }
    wait_group<0>();
  }
}

constexpr Shape two_blocks{.blocks = 2};
constexpr Shape two_blocks_all{.blocks = 2, .checked = 256};

constexpr Pair pairs[] = {
    pair<store_without_a_wait<true>, store_without_a_wait<false>>("store_without_a_wait"),
    pair<one_group_is_left<true>, one_group_is_left<false>, the_index, Shape{.checked = 32}>(
        "one_group_is_left"),
    pair<load_that_nobody_needs<true>, load_that_nobody_needs<false>, the_input,
         Shape{.checked = 384}>("load_that_nobody_needs"),
    pair<copy_out_of_the_cta<true>, copy_out_of_the_cta<false>, the_input, two_blocks>(
        "copy_out_of_the_cta"),
    pair<remote_store<true>, remote_store<false>, the_input, two_blocks>("remote_store"),
    pair<remote_load<true>, remote_load<false>, the_input, two_blocks_all>("remote_load"),
    pair<remote_arrival<true>, remote_arrival<false>, the_input, two_blocks_all>("remote_arrival"),
    pair<multicast_that_one_does_not_await<true>, multicast_that_one_does_not_await<false>,
         the_input, two_blocks>("multicast_that_one_does_not_await"),
    pair<early_return<true>, early_return<false>, the_input, Shape{.threads = 32, .checked = 32}>(
        "early_return"),
};

int main(int argc, char** argv) {
  return run_pairs(pairs, argc, argv);
}
