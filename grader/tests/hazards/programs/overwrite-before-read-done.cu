// Shared memory is written while a TMA operation may still have to read it, fenced or not.
#include "harness.h"
#include "ptx.h"

//: pair no_wait_between_the_laps
template <bool mistaken>
__global__ void no_wait_between_the_laps(const int* in, int* out) {
  __shared__ alignas(128) int tile[128];
  for (int lap = 0; lap < 3; ++lap) {
    tile[threadIdx.x] = in[128 * lap + threadIdx.x];  //: overwrite-before-read-done
    fence_proxy_async_shared();
    __syncthreads();
    if (threadIdx.x == 0) {
      store_bulk(out + 128 * lap, tile, sizeof(tile));  //: other
      commit_group();
      if constexpr (!mistaken) {
        wait_group_read<0>();
      }
    }
    __syncthreads();
  }
  if (threadIdx.x == 0) {
    wait_group_read<0>();
  }
}

// Two stages: one store may be pending when a stage is written again, not two.
//: pair one_group_too_many
template <bool mistaken>
__global__ void one_group_too_many(const __grid_constant__ TensorMaps maps, const int* in,
                                   int* out) {
  __shared__ alignas(128) int ring[2][TILE_ROWS][TILE_COLUMNS];
  const int row = threadIdx.x / TILE_COLUMNS;
  const int column = threadIdx.x % TILE_COLUMNS;
  for (int tile = 0; tile < 4; ++tile) {
    if (threadIdx.x == 0) {
      wait_group_read<mistaken ? 2 : 1>();
    }
    __syncthreads();
    const int value = in[(TILE_ROWS * tile + row) * MAP_COLUMNS + column];
    ring[tile % 2][row][column] = value;  //: overwrite-before-read-done
    fence_proxy_async_shared();
    __syncthreads();
    if (threadIdx.x == 0) {
      store_tile(&maps.out, 0, TILE_ROWS * tile, ring[tile % 2]);  //: other
      commit_group();
    }
  }
  if (threadIdx.x == 0) {
    wait_group_read<0>();
  }
}

// The wait must be in front of the barrier that lets the others go on.
//: pair wait_behind_the_barrier
template <bool mistaken>
__global__ void wait_behind_the_barrier(const int* in, int* out) {
  __shared__ alignas(128) int tile[128];
  tile[threadIdx.x] = in[threadIdx.x];
  fence_proxy_async_shared();
  __syncthreads();
  if (threadIdx.x == 0) {
    store_bulk(out, tile, sizeof(tile));  //: other
    commit_group();
    if constexpr (!mistaken) {
      wait_group_read<0>();
    }
  }
  __syncthreads();
  if (mistaken && threadIdx.x == 0) {
    wait_group_read<0>();
  }
  tile[127 - threadIdx.x] = in[128 + threadIdx.x];  //: overwrite-before-read-done
  __syncthreads();
  out[128 + threadIdx.x] = tile[127 - threadIdx.x];
}

//: pair fence_in_place_of_a_wait
template <bool mistaken>
__global__ void fence_in_place_of_a_wait(const int* in, int* out) {
  __shared__ alignas(128) int tile[32];
  tile[threadIdx.x] = in[threadIdx.x];
  fence_proxy_async_shared();
  __syncwarp();
  if (threadIdx.x == 0) {
    store_bulk(out, tile, sizeof(tile));  //: other
    commit_group();
    if constexpr (mistaken) {
      fence_proxy_async();
    } else {
      wait_group<0>();
    }
  }
  __syncwarp();
  tile[threadIdx.x] = in[32 + threadIdx.x];  //: overwrite-before-read-done
  fence_proxy_async_shared();
  __syncwarp();
  if (threadIdx.x == 0) {
    store_bulk(out + 32, tile, sizeof(tile));
    commit_group();
    wait_group_read<0>();
  }
}

// The next load lands in the tile that is being stored; one thread does both.
//: pair load_into_the_stored_tile
template <bool mistaken>
__global__ void load_into_the_stored_tile(const int* in, int* out) {
  __shared__ alignas(128) int tile[128];
  __shared__ uint64_t full;
  prepare_barrier(&full, 1);
  if (threadIdx.x != 0) {
    return;
  }
  for (int lap = 0; lap < 3; ++lap) {
    arrive_and_expect(&full, sizeof(tile));
    load_bulk(tile, in + 128 * lap, sizeof(tile), &full);  //: overwrite-before-read-done
    wait_parity(&full, lap % 2);
    store_bulk(out + 128 * lap, tile, sizeof(tile));  //: other
    commit_group();
    if (!mistaken || lap == 2) {
      wait_group_read<0>();
    }
  }
}

// A reduction reads its source, too. One element is written again.
//: pair last_element_of_a_reduction
template <bool mistaken>
__global__ void last_element_of_a_reduction(const int* in, int* out) {
  __shared__ alignas(16) int sums[64];
  sums[threadIdx.x] = in[threadIdx.x] + 1;
  fence_proxy_async_shared();
  __syncthreads();
  if (threadIdx.x == 0) {
    reduce_add_bulk(out, sums, sizeof(sums));  //: other
    commit_group();
    if constexpr (mistaken) {
      sums[63] = 0;  //: overwrite-before-read-done
    }
    wait_group_read<0>();
    if constexpr (!mistaken) {
      sums[63] = 0;
    }
    out[64] = sums[63];
  }
}
int the_input_and_zero(int i) {
  return i < 64 ? i + 1 : 0;
}

// The sender of a copy to the peer learns of its end from the peer alone.
//: pair source_of_a_copy_to_the_peer
template <bool mistaken>
__global__ void __cluster_dims__(2) source_of_a_copy_to_the_peer(const int* in, int* out) {
  __shared__ alignas(128) int source[128];
  __shared__ alignas(128) int tile[128];
  __shared__ uint64_t full;
  if (threadIdx.x == 0) {
    init_barrier(&full, 1);
    fence_barrier_init();
    arrive_and_expect(&full, sizeof(tile));
  }
  source[threadIdx.x] = in[128 * cluster_rank() + threadIdx.x];
  fence_proxy_async_shared();
  cluster_sync();
  const unsigned peer = cluster_rank() ^ 1;
  if (threadIdx.x == 0) {
    const uint32_t there = address_in_cta(tile, peer);
    const uint32_t done = address_in_cta(&full, peer);
    //: other
    copy_bulk_to_cta(there, source, sizeof(tile), done);
  }
  wait_parity(&full, 0);
  if constexpr (!mistaken) {
    cluster_sync();
  }
  source[threadIdx.x] = -7;  //: overwrite-before-read-done
  out[128 * peer + threadIdx.x] = tile[threadIdx.x];
  if constexpr (mistaken) {
    cluster_sync();
  }
}

// The peer writes into this CTA's tile as soon as the cluster's barrier lets it.
//: pair overwritten_by_the_peer
template <bool mistaken>
__global__ void __cluster_dims__(2) overwritten_by_the_peer(const int* in, int* out) {
  __shared__ alignas(128) int tile[128];
  tile[threadIdx.x] = in[128 * cluster_rank() + threadIdx.x];
  fence_proxy_async_shared();
  __syncthreads();
  if (threadIdx.x == 0) {
    store_bulk(out + 128 * cluster_rank(), tile, sizeof(tile));  //: other
    commit_group();
    if constexpr (!mistaken) {
      wait_group_read<0>();
    }
  }
  __syncwarp();
  cluster_sync();
  const uint32_t remote = address_in_cta(tile + threadIdx.x, cluster_rank() ^ 1);
  store_remote(remote, 0);  //: overwrite-before-read-done
  if (mistaken && threadIdx.x == 0) {
    wait_group_read<0>();
  }
  __syncwarp();
  cluster_sync();
}

//: pair cp_async_into_the_stored_tile
template <bool mistaken>
__global__ void cp_async_into_the_stored_tile(const int* in, int* out) {
  __shared__ alignas(128) int tile[128];
  for (int lap = 0; lap < 2; ++lap) {
    const int* source = in + 128 * lap + 4 * threadIdx.x;
    cp_async_16(tile + 4 * threadIdx.x, source);  //: overwrite-before-read-done
    cp_async_wait_all();
    fence_proxy_async_shared();
    __syncthreads();
    if (threadIdx.x == 0) {
      store_bulk(out + 128 * lap, tile, sizeof(tile));  //: other
      commit_group();
      if (!mistaken || lap == 1) {
        wait_group_read<0>();
      }
    }
    __syncthreads();
  }
}

// Two stores in a group each; the wait leaves the second pending, and that is the one whose tile is
// written.
//: pair the_younger_group
template <bool mistaken>
__global__ void the_younger_group(const int* in, int* out) {
  __shared__ alignas(128) int first[64];
  __shared__ alignas(128) int second[64];
  first[threadIdx.x] = in[threadIdx.x];
  second[threadIdx.x] = in[64 + threadIdx.x];
  fence_proxy_async_shared();
  __syncthreads();
  if (threadIdx.x == 0) {
    store_bulk(out, first, sizeof(first));
    commit_group();
    store_bulk(out + 64, second, sizeof(second));  //: other
    commit_group();
    wait_group_read<1>();
  }
  __syncthreads();
  int* reused = mistaken ? second : first;
  reused[threadIdx.x] = 0;  //: overwrite-before-read-done
  if (threadIdx.x == 0) {
    wait_group_read<0>();
  }
}

constexpr Shape two_blocks{.blocks = 2, .checked = 256};

constexpr Pair pairs[] = {
    pair<no_wait_between_the_laps<true>, no_wait_between_the_laps<false>, the_input,
         Shape{.checked = 384}>("no_wait_between_the_laps"),
    pair<one_group_too_many<true>, one_group_too_many<false>, the_input, Shape{.checked = 32}>(
        "one_group_too_many"),
    pair<wait_behind_the_barrier<true>, wait_behind_the_barrier<false>, the_input,
         Shape{.checked = 256}>("wait_behind_the_barrier"),
    pair<fence_in_place_of_a_wait<true>, fence_in_place_of_a_wait<false>, the_input,
         Shape{.threads = 32, .checked = 64}>("fence_in_place_of_a_wait"),
    pair<load_into_the_stored_tile<true>, load_into_the_stored_tile<false>, the_input,
         Shape{.checked = 384}>("load_into_the_stored_tile"),
    pair<last_element_of_a_reduction<true>, last_element_of_a_reduction<false>, the_input_and_zero,
         Shape{.threads = 64, .checked = 65}>("last_element_of_a_reduction"),
    pair<source_of_a_copy_to_the_peer<true>, source_of_a_copy_to_the_peer<false>, the_input,
         two_blocks>("source_of_a_copy_to_the_peer"),
    pair<overwritten_by_the_peer<true>, overwritten_by_the_peer<false>, the_input, two_blocks>(
        "overwritten_by_the_peer"),
    pair<cp_async_into_the_stored_tile<true>, cp_async_into_the_stored_tile<false>, the_input,
         Shape{.threads = 32, .checked = 256}>("cp_async_into_the_stored_tile"),
    pair<the_younger_group<true>, the_younger_group<false>, the_input, Shape{.threads = 64}>(
        "the_younger_group"),
};

int main(int argc, char** argv) {
  return run_pairs(pairs, argc, argv);
}
