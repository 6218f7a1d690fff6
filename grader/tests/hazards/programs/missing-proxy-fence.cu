// Threads write bytes, the TMA engine reads or overwrites them: ordered, but without a proxy fence
// on the way.
#include "harness.h"
#include "ptx.h"

//: pair plain_store
template <bool mistaken>
__global__ void plain_store(const int* in, int* out) {
  __shared__ alignas(128) int tile[128];
  tile[threadIdx.x] = in[threadIdx.x];  //: other
  if constexpr (!mistaken) {
    fence_proxy_async_shared();
  }
  __syncthreads();
  if (threadIdx.x == 0) {
    store_bulk(out, tile, sizeof(tile));  //: missing-proxy-fence
    commit_group();
    wait_group_read<0>();
  }
}

//: pair fence_before_the_write
template <bool mistaken>
__global__ void fence_before_the_write(const int* in, int* out) {
  __shared__ alignas(128) int tile[128];
  const int value = in[threadIdx.x];
  if constexpr (mistaken) {
    fence_proxy_async();
  }
  tile[threadIdx.x] = value;  //: other
  if constexpr (!mistaken) {
    fence_proxy_async();
  }
  __syncthreads();
  if (threadIdx.x == 96) {
    store_bulk(out, tile, sizeof(tile));  //: missing-proxy-fence
    commit_group();
    wait_group<0>();
  }
}

//: pair fence_of_global_memory
template <bool mistaken>
__global__ void fence_of_global_memory(const __grid_constant__ TensorMaps maps, const int* in,
                                       int* out) {
  __shared__ alignas(128) int tile[TILE_ROWS][TILE_COLUMNS];
  const int row = threadIdx.x / TILE_COLUMNS;
  const int column = threadIdx.x % TILE_COLUMNS;
  tile[row][column] = in[row * MAP_COLUMNS + column];  //: other
  if constexpr (mistaken) {
    fence_proxy_async_global();
  } else {
    fence_proxy_async_shared();
  }
  __syncthreads();
  if (threadIdx.x == 0) {
    store_tile(&maps.out, 0, 0, tile);  //: missing-proxy-fence
    commit_group();
    wait_group_read<0>();
  }
}

// The issuing thread fences for all: after the barrier it knows of their writes, before the barrier
// it does not.
//: pair fence_by_the_issuer
template <bool mistaken>
__global__ void fence_by_the_issuer(const int* in, int* out) {
  __shared__ alignas(128) int tile[128];
  tile[threadIdx.x] = in[threadIdx.x];  //: other
  if (mistaken && threadIdx.x == 0) {
    fence_proxy_async();
  }
  __syncthreads();
  if (threadIdx.x == 0) {
    if constexpr (!mistaken) {
      fence_proxy_async();
    }
    store_bulk(out, tile, sizeof(tile));  //: missing-proxy-fence
    commit_group();
    wait_group_read<0>();
  }
}

// Two warps hand their halves to a third over an mbarrier; the second does not fence.
//: pair half_of_the_writers_fence
template <bool mistaken>
__global__ void half_of_the_writers_fence(const int* in, int* out) {
  __shared__ alignas(128) int tile[64];
  __shared__ uint64_t full;
  prepare_barrier(&full, 64);
  if (threadIdx.x < 32) {
    tile[threadIdx.x] = in[threadIdx.x];
    fence_proxy_async_shared();
    arrive(&full);
  } else if (threadIdx.x < 64) {
    tile[threadIdx.x] = in[threadIdx.x];  //: other
    if constexpr (!mistaken) {
      fence_proxy_async_shared();
    }
    arrive(&full);
  } else if (threadIdx.x == 64) {
    wait_parity(&full, 0);
    store_bulk(out, tile, sizeof(tile));  //: missing-proxy-fence
    commit_group();
    wait_group_read<0>();
  }
}

//: pair reduction_of_partial_sums
template <bool mistaken>
__global__ void reduction_of_partial_sums(const int* in, int* out) {
  __shared__ alignas(16) int sums[64];
  if (threadIdx.x < 64) {
    sums[threadIdx.x] = in[threadIdx.x] + 1;  //: other
    if constexpr (!mistaken) {
      fence_proxy_async_shared();
    }
    named_barrier_arrive(1, 96);
  } else if (threadIdx.x < 96) {
    named_barrier_sync(1, 96);
    if (threadIdx.x == 64) {
      reduce_add_bulk(out, sums, sizeof(sums));  //: missing-proxy-fence
      commit_group();
      wait_group_read<0>();
    }
  }
}

// cp.async writes through the generic proxy.
//: pair cp_async_then_store
template <bool mistaken>
__global__ void cp_async_then_store(const int* in, int* out) {
  __shared__ alignas(128) int tile[128];
  cp_async_16(tile + 4 * threadIdx.x, in + 4 * threadIdx.x);  //: other
  cp_async_commit();
  cp_async_wait<0>();
  if constexpr (!mistaken) {
    fence_proxy_async_shared();
  }
  __syncwarp();
  if (threadIdx.x == 0) {
    store_bulk(out, tile, sizeof(tile));  //: missing-proxy-fence
    commit_group();
    wait_group_read<0>();
  }
}

// One thread improves a value after it has fenced.
//: pair late_correction
template <bool mistaken>
__global__ void late_correction(const int* in, int* out) {
  __shared__ alignas(128) int tile[128];
  tile[threadIdx.x] = threadIdx.x == 77 ? 0 : in[threadIdx.x];
  fence_proxy_async_shared();
  if (threadIdx.x == 77) {
    tile[77] = in[77];  //: other
    if constexpr (!mistaken) {
      fence_proxy_async_shared();
    }
  }
  __syncthreads();
  if (threadIdx.x == 0) {
    store_bulk(out, tile, sizeof(tile));  //: missing-proxy-fence
    commit_group();
    wait_group_read<0>();
  }
}

// The usual loop: load, compute in place, store. The mistaken one fences for the first tile alone.
//: pair second_lap_without_a_fence
template <bool mistaken>
__global__ void second_lap_without_a_fence(const int* in, int* out) {
  __shared__ alignas(128) int tile[128];
  __shared__ uint64_t full;
  prepare_barrier(&full, 1);
  for (int lap = 0; lap < 2; ++lap) {
    if (threadIdx.x == 0) {
      arrive_and_expect(&full, sizeof(tile));
      load_bulk(tile, in + 128 * lap, sizeof(tile), &full);
    }
    wait_parity(&full, lap & 1);
    tile[threadIdx.x] += 1;  //: other
    if (!mistaken || lap == 0) {
      fence_proxy_async_shared();
    }
    __syncthreads();
    if (threadIdx.x == 0) {
      store_bulk(out + 128 * lap, tile, sizeof(tile));  //: missing-proxy-fence
      commit_group();
      wait_group_read<0>();
    }
  }
}

//: pair copy_to_the_peer
template <bool mistaken>
__global__ void __cluster_dims__(2) copy_to_the_peer(const int* in, int* out) {
  __shared__ alignas(128) int mine[128];
  __shared__ alignas(128) int theirs[128];
  __shared__ uint64_t full;
  if (threadIdx.x == 0) {
    init_barrier(&full, 1);
    fence_barrier_init();
    arrive_and_expect(&full, sizeof(theirs));
  }
  mine[threadIdx.x] = in[128 * cluster_rank() + threadIdx.x];  //: other
  if constexpr (!mistaken) {
    fence_proxy_async_shared();
  }
  cluster_sync();
  if (threadIdx.x == 32) {
    const unsigned peer = cluster_rank() ^ 1;
    const uint32_t remote_barrier = address_in_cta(&full, peer);
    const uint32_t remote = address_in_cta(theirs, peer);
    copy_bulk_to_cta(remote, mine, sizeof(mine), remote_barrier);  //: missing-proxy-fence
  }
  wait_parity(&full, 0);
  out[128 * (cluster_rank() ^ 1) + threadIdx.x] = theirs[threadIdx.x];
  cluster_sync();
}

// CTA 1 fills the second half of CTA 0's tile.
//: pair written_by_the_peer
template <bool mistaken>
__global__ void __cluster_dims__(2) written_by_the_peer(const int* in, int* out) {
  __shared__ alignas(128) int tile[128];
  cluster_sync();
  const unsigned element = 64 * cluster_rank() + threadIdx.x;
  store_remote(address_in_cta(tile + element, 0), in[element]);  //: other
  cluster_sync();
  if (cluster_rank() == 0 && threadIdx.x == 0) {
    if constexpr (!mistaken) {
      fence_proxy_async();
    }
    store_bulk(out, tile, sizeof(tile));  //: missing-proxy-fence
    commit_group();
    wait_group_read<0>();
  }
}

// st.async is asynchronous, but it is no bulk operation: the wait for its bytes is no proxy fence.
//: pair st_async_then_store
template <bool mistaken>
__global__ void __cluster_dims__(2) st_async_then_store(const int* in, int* out) {
  __shared__ alignas(128) int tile[128];
  __shared__ uint64_t full;
  if (threadIdx.x == 0) {
    init_barrier(&full, 1);
    fence_barrier_init();
    arrive_and_expect(&full, sizeof(tile));
  }
  cluster_sync();
  const unsigned peer = cluster_rank() ^ 1;
  const uint32_t remote = address_in_cta(tile + threadIdx.x, peer);
  store_async(remote, in[128 * peer + threadIdx.x], address_in_cta(&full, peer));  //: other
  if (threadIdx.x == 0) {
    wait_parity_cluster(&full, 0);
    if constexpr (!mistaken) {
      fence_proxy_async();
    }
    store_bulk(out + 128 * cluster_rank(), tile, sizeof(tile));  //: missing-proxy-fence
    commit_group();
    wait_group_read<0>();
  }
  cluster_sync();
}

// A histogram: atomics write, too.
//: pair shared_atomics
template <bool mistaken>
__global__ void shared_atomics(const int* in, int* out) {
  __shared__ alignas(128) int counts[32];
  if (threadIdx.x < 32) {
    counts[threadIdx.x] = 0;
    fence_proxy_async_shared();
  }
  __syncthreads();
  atomicAdd(&counts[in[threadIdx.x] % 32], 1);  //: other
  if constexpr (!mistaken) {
    fence_proxy_async_shared();
  }
  __syncthreads();
  if (threadIdx.x == 0) {
    store_bulk(out, counts, sizeof(counts));  //: missing-proxy-fence
    commit_group();
    wait_group_read<0>();
  }
}
int four(int) {
  return 4;
}

constexpr Shape one_warp{.threads = 32};
constexpr Shape two_blocks_all{.blocks = 2, .checked = 256};

constexpr Pair pairs[] = {
    pair<plain_store<true>, plain_store<false>>("plain_store"),
    pair<fence_before_the_write<true>, fence_before_the_write<false>>("fence_before_the_write"),
    pair<fence_of_global_memory<true>, fence_of_global_memory<false>, the_input,
         Shape{.checked = 32}>("fence_of_global_memory"),
    pair<fence_by_the_issuer<true>, fence_by_the_issuer<false>>("fence_by_the_issuer"),
    pair<half_of_the_writers_fence<true>, half_of_the_writers_fence<false>, the_input,
         Shape{.checked = 64}>("half_of_the_writers_fence"),
    pair<reduction_of_partial_sums<true>, reduction_of_partial_sums<false>, the_input,
         Shape{.checked = 64}>("reduction_of_partial_sums"),
    pair<cp_async_then_store<true>, cp_async_then_store<false>, the_input, one_warp>(
        "cp_async_then_store"),
    pair<late_correction<true>, late_correction<false>>("late_correction"),
    pair<second_lap_without_a_fence<true>, second_lap_without_a_fence<false>, input_plus_one,
         Shape{.checked = 256}>("second_lap_without_a_fence"),
    pair<copy_to_the_peer<true>, copy_to_the_peer<false>, the_input, two_blocks_all>(
        "copy_to_the_peer"),
    pair<written_by_the_peer<true>, written_by_the_peer<false>, the_input,
         Shape{.blocks = 2, .threads = 64}>("written_by_the_peer"),
    pair<st_async_then_store<true>, st_async_then_store<false>, the_input, two_blocks_all>(
        "st_async_then_store"),
    pair<shared_atomics<true>, shared_atomics<false>, four, Shape{.checked = 32}>("shared_atomics"),
};

int main(int argc, char** argv) {
  return run_pairs(pairs, argc, argv);
}
