// A TMA store reads bytes whose write is not ordered before it at all.
#include "harness.h"
#include "ptx.h"

//: pair fence_and_no_barrier
template <bool mistaken>
__global__ void fence_and_no_barrier(const int* in, int* out) {
  __shared__ alignas(128) int tile[128];
  tile[threadIdx.x] = in[threadIdx.x];  //: other
  fence_proxy_async_shared();
  if constexpr (!mistaken) {
    __syncthreads();
  }
  if (threadIdx.x == 0) {
    store_bulk(out, tile, sizeof(tile));  //: unsynchronized-tma-store
    commit_group();
    wait_group_read<0>();
  }
}

//: pair barrier_before_the_write
template <bool mistaken>
__global__ void barrier_before_the_write(const __grid_constant__ TensorMaps maps, const int* in,
                                         int* out) {
  __shared__ alignas(128) int tile[TILE_ROWS][TILE_COLUMNS];
  const int row = threadIdx.x / TILE_COLUMNS;
  const int column = threadIdx.x % TILE_COLUMNS;
  if constexpr (mistaken) {
    __syncthreads();
  }
  tile[row][column] = in[row * MAP_COLUMNS + column];  //: other
  fence_proxy_async();
  if constexpr (!mistaken) {
    __syncthreads();
  }
  if (threadIdx.x == 127) {
    store_tile(&maps.out, 0, 0, tile);  //: unsynchronized-tma-store
    commit_group();
    wait_group_read<0>();
  }
}

// Three warps write; the named barrier counts one of them and the storing warp.
//: pair too_few_at_the_named_barrier
template <bool mistaken>
__global__ void too_few_at_the_named_barrier(const int* in, int* out) {
  __shared__ alignas(128) int tile[96];
  constexpr int threads = mistaken ? 64 : 128;
  if (threadIdx.x < 96) {
    tile[threadIdx.x] = in[threadIdx.x];  //: other
    fence_proxy_async_shared();
    if (threadIdx.x + threads >= 128) {
      named_barrier_arrive(1, threads);
    }
  } else {
    named_barrier_sync(1, threads);
    if (threadIdx.x == 96) {
      store_bulk(out, tile, sizeof(tile));  //: unsynchronized-tma-store
      commit_group();
      wait_group_read<0>();
    }
  }
}

//: pair no_syncwarp
template <bool mistaken>
__global__ void no_syncwarp(const int* in, int* out) {
  __shared__ alignas(128) int tile[32];
  tile[threadIdx.x] = in[threadIdx.x];  //: other
  fence_proxy_async_shared();
  if constexpr (!mistaken) {
    __syncwarp();
  }
  if (threadIdx.x == 0) {
    store_bulk(out, tile, sizeof(tile));  //: unsynchronized-tma-store
    commit_group();
    wait_group_read<0>();
  }
}

// The value is written after the arrival that is to publish it.
//: pair arrival_before_the_write
template <bool mistaken>
__global__ void arrival_before_the_write(const int* in, int* out) {
  __shared__ alignas(128) int tile[96];
  __shared__ uint64_t full;
  prepare_barrier(&full, 96);
  if (threadIdx.x < 96) {
    if constexpr (mistaken) {
      arrive(&full);
    }
    tile[threadIdx.x] = in[threadIdx.x];  //: other
    fence_proxy_async_shared();
    if constexpr (!mistaken) {
      arrive(&full);
    }
  } else if (threadIdx.x == 96) {
    wait_parity(&full, 0);
    store_bulk(out, tile, sizeof(tile));  //: unsynchronized-tma-store
    commit_group();
    wait_group_read<0>();
  }
}

//: pair relaxed_arrival
template <bool mistaken>
__global__ void relaxed_arrival(const int* in, int* out) {
  __shared__ alignas(16) int sums[64];
  __shared__ uint64_t full;
  prepare_barrier(&full, 64);
  if (threadIdx.x < 64) {
    sums[threadIdx.x] = in[threadIdx.x] + 1;  //: other
    fence_proxy_async_shared();
    if constexpr (mistaken) {
      arrive_relaxed(&full);
    } else {
      arrive(&full);
    }
  } else if (threadIdx.x == 64) {
    wait_parity(&full, 0);
    reduce_add_bulk(out, sums, sizeof(sums));  //: unsynchronized-tma-store
    commit_group();
    wait_group_read<0>();
  }
}

// Arrival at the cluster's barrier releases, unless it is relaxed.
//: pair relaxed_cluster_arrival
template <bool mistaken>
__global__ void __cluster_dims__(2) relaxed_cluster_arrival(const int* in, int* out) {
  __shared__ alignas(128) int tile[128];
  cluster_sync();
  const unsigned peer = cluster_rank() ^ 1;
  store_remote(address_in_cta(tile + threadIdx.x, peer), in[128 * peer + threadIdx.x]);  //: other
  fence_proxy_async();
  if constexpr (mistaken) {
    cluster_arrive_relaxed();
  } else {
    cluster_arrive();
  }
  cluster_wait();
  if (threadIdx.x == 0) {
    store_bulk(out + 128 * cluster_rank(), tile, sizeof(tile));  //: unsynchronized-tma-store
    commit_group();
    wait_group_read<0>();
  }
}

// A warp that has an element to add tells it by a flag in shared memory.
//: pair flag_without_release
template <bool mistaken>
__global__ void flag_without_release(const int* in, int* out) {
  __shared__ alignas(128) int tile[64];
  __shared__ int flag;
  if (threadIdx.x == 0) {
    flag = 0;
  }
  if (threadIdx.x < 64) {
    tile[threadIdx.x] = threadIdx.x < 63 ? in[threadIdx.x] : 0;
    fence_proxy_async_shared();
  }
  __syncthreads();
  if (threadIdx.x == 64) {
    tile[63] = in[63];  //: other
    fence_proxy_async_shared();
    if constexpr (mistaken) {
      store_relaxed(&flag, 1);  //: other
    } else {
      store_release(&flag, 1);
    }
  } else if (threadIdx.x == 0) {
    wait_for_flag(&flag, 1);
    store_bulk(out, tile, sizeof(tile));  //: unsynchronized-tma-store
    commit_group();
    wait_group_read<0>();
  }
}

// One look at the mbarrier, and no second.
//: pair nobody_looks_at_the_answer
template <bool mistaken>
__global__ void nobody_looks_at_the_answer(const int* in, int* out) {
  __shared__ alignas(128) int tile[128];
  __shared__ uint64_t full;
  prepare_barrier(&full, 128);
  if (threadIdx.x == 0) {
    tile[0] = in[0];
    fence_proxy_async_shared();
    arrive(&full);
    bool done = try_wait(&full, 0);
    while (!mistaken && !done) {
      done = try_wait(&full, 0);
    }
    store_bulk(out, tile, sizeof(tile));  //: unsynchronized-tma-store
    commit_group();
    wait_group_read<0>();
  } else {
    tile[threadIdx.x] = in[threadIdx.x];  //: other
    fence_proxy_async_shared();
    arrive(&full);
  }
}

constexpr Pair pairs[] = {
    pair<fence_and_no_barrier<true>, fence_and_no_barrier<false>>("fence_and_no_barrier"),
    pair<barrier_before_the_write<true>, barrier_before_the_write<false>, the_input,
         Shape{.checked = 32}>("barrier_before_the_write"),
    pair<too_few_at_the_named_barrier<true>, too_few_at_the_named_barrier<false>, the_input,
         Shape{.checked = 96}>("too_few_at_the_named_barrier"),
    pair<no_syncwarp<true>, no_syncwarp<false>, the_input, Shape{.threads = 32, .checked = 32}>(
        "no_syncwarp"),
    pair<arrival_before_the_write<true>, arrival_before_the_write<false>, the_input,
         Shape{.checked = 96}>("arrival_before_the_write"),
    pair<relaxed_arrival<true>, relaxed_arrival<false>, the_input, Shape{.checked = 64}>(
        "relaxed_arrival"),
    pair<relaxed_cluster_arrival<true>, relaxed_cluster_arrival<false>, the_input,
         Shape{.blocks = 2, .checked = 256}>("relaxed_cluster_arrival"),
    pair<flag_without_release<true>, flag_without_release<false>, the_input, Shape{.checked = 64}>(
        "flag_without_release"),
    pair<nobody_looks_at_the_answer<true>, nobody_looks_at_the_answer<false>>(
        "nobody_looks_at_the_answer"),
};

int main(int argc, char** argv) {
  return run_pairs(pairs, argc, argv);
}
