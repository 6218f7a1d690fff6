// An mbarrier is used by a thread to which its initialization is not visible.
#include "harness.h"
#include "ptx.h"

//: pair no_syncthreads
template <bool mistaken>
__global__ void no_syncthreads(const int* in, int* out) {
  __shared__ uint64_t ready;
  if (threadIdx.x == 0) {
    init_barrier(&ready, 128);  //: other
  }
  if constexpr (!mistaken) {
    __syncthreads();
  }
  out[threadIdx.x] = in[threadIdx.x];
  const uint64_t state = arrive(&ready);  //: missing-barrier-init-fence
  //: missing-barrier-init-fence
  wait_state(&ready, state);
}

// The barrier comes first, and the initialization behind it.
//: pair init_behind_the_barrier
template <bool mistaken>
__global__ void init_behind_the_barrier(const int* in, int* out) {
  __shared__ alignas(128) int tile[128];
  __shared__ uint64_t full;
  if constexpr (mistaken) {
    __syncthreads();
  }
  if (threadIdx.x == 0) {
    init_barrier(&full, 1);  //: other
    arrive_and_expect(&full, sizeof(tile));
    load_bulk(tile, in, sizeof(tile), &full);
  }
  if constexpr (!mistaken) {
    __syncthreads();
  }
  wait_parity(&full, 0);  //: missing-barrier-init-fence
  out[threadIdx.x] = tile[threadIdx.x];
}

// Warp 0 initializes, warp 1 loads; __syncwarp() is for one warp alone.
//: pair other_warp_loads
template <bool mistaken>
__global__ void other_warp_loads(const __grid_constant__ TensorMaps maps, const int* in, int* out) {
  __shared__ alignas(128) int tile[TILE_INTS];
  __shared__ uint64_t full;
  if (threadIdx.x == 0) {
    init_barrier(&full, 1);  //: other
    fence_proxy_async();
  }
  if constexpr (mistaken) {
    __syncwarp();
  } else {
    __syncthreads();
  }
  if (threadIdx.x == 32) {
    arrive_and_expect(&full, sizeof(tile));  //: missing-barrier-init-fence
    //: missing-barrier-init-fence
    load_tile(tile, &maps.in, 0, 0, &full);
  }
  __syncthreads();
  wait_parity(&full, 0);
  out[threadIdx.x] = tile[threadIdx.x];
}

// All CTAs run, but only a barrier of the cluster tells the peer that this one's mbarrier stands.
//: pair barrier_of_the_cta_alone
template <bool mistaken>
__global__ void __cluster_dims__(2) barrier_of_the_cta_alone(const int* in, int* out) {
  __shared__ uint64_t ready;
  cluster_sync();
  if (threadIdx.x == 0) {
    init_barrier(&ready, 128);  //: other
    fence_barrier_init();
  }
  if constexpr (mistaken) {
    __syncthreads();
  } else {
    cluster_sync();
  }
  const unsigned element = 128 * cluster_rank() + threadIdx.x;
  out[element] = in[element];
  arrive_remote(address_in_cta(&ready, cluster_rank() ^ 1));  //: missing-barrier-init-fence
  wait_parity_cluster(&ready, 0);
  cluster_sync();
}

// A relaxed arrival at the cluster's barrier is enough behind fence.mbarrier_init, and only there.
//: pair relaxed_cluster_arrival
template <bool mistaken>
__global__ void __cluster_dims__(2) relaxed_cluster_arrival(const int* in, int* out) {
  __shared__ uint64_t ready;
  if (threadIdx.x == 0) {
    init_barrier(&ready, 128);  //: other
    if constexpr (!mistaken) {
      fence_barrier_init();
    }
  }
  __syncthreads();
  cluster_arrive_relaxed();
  cluster_wait();
  const unsigned element = 128 * cluster_rank() + threadIdx.x;
  out[element] = in[element];
  arrive_remote(address_in_cta(&ready, cluster_rank() ^ 1));  //: missing-barrier-init-fence
  wait_parity_cluster(&ready, 0);
  cluster_sync();
}

// CTA 0's load counts its bytes on CTA 1's barrier.
//: pair multicast_to_the_peer
template <bool mistaken>
__global__ void __cluster_dims__(2) multicast_to_the_peer(const int* in, int* out) {
  __shared__ alignas(128) int tile[128];
  __shared__ uint64_t full;
  if (threadIdx.x == 0) {
    init_barrier(&full, 1);  //: other
    if constexpr (!mistaken) {
      fence_barrier_init();
    }
    arrive_and_expect(&full, sizeof(tile));
  }
  __syncthreads();
  cluster_arrive_relaxed();
  cluster_wait();
  if (cluster_rank() == 0 && threadIdx.x == 0) {
    load_bulk_multicast(tile, in, sizeof(tile), &full, 0b11);  //: missing-barrier-init-fence
  }
  wait_parity(&full, 0);
  out[128 * cluster_rank() + threadIdx.x] = tile[threadIdx.x];
  cluster_sync();
}
int the_input_twice(int i) {
  return i % 128 + 1;
}

// Two lanes initialize a barrier each, and one uses both.
//: pair a_barrier_each
template <bool mistaken>
__global__ void a_barrier_each(const int* in, int* out) {
  __shared__ alignas(128) int tile[2][32];
  __shared__ uint64_t full[2];
  if (threadIdx.x < 2) {
    init_barrier(&full[threadIdx.x], 1);  //: other
    fence_proxy_async();
  }
  if constexpr (!mistaken) {
    __syncwarp();
  }
  if (threadIdx.x == 0) {
    for (int i = 0; i < 2; ++i) {
      arrive_and_expect(&full[i], sizeof(tile[0]));  //: missing-barrier-init-fence
      //: missing-barrier-init-fence
      load_bulk(tile[i], in + 32 * i, sizeof(tile[0]), &full[i]);
    }
  }
  __syncwarp();
  for (int i = 0; i < 2; ++i) {
    wait_parity(&full[i], 0);
    out[32 * i + threadIdx.x] = tile[i][threadIdx.x];
  }
}

// A flag says that the barrier stands; it must be released.
//: pair flag_without_release
template <bool mistaken>
__global__ void flag_without_release(const int* in, int* out, int* scratch) {
  __shared__ uint64_t ready;
  if (threadIdx.x == 0) {
    init_barrier(&ready, 1);  //: other
    if constexpr (mistaken) {
      store_relaxed(scratch, 1);
    } else {
      store_release(scratch, 1);
    }
    wait_parity(&ready, 0);
    out[1] = 2;
  } else if (threadIdx.x == 32) {
    wait_for_flag(scratch, 1);
    out[0] = in[0];
    arrive(&ready);  //: missing-barrier-init-fence
  }
}

constexpr Shape two_blocks{.blocks = 2, .checked = 256};

constexpr Pair pairs[] = {
    pair<no_syncthreads<true>, no_syncthreads<false>>("no_syncthreads"),
    pair<init_behind_the_barrier<true>, init_behind_the_barrier<false>>("init_behind_the_barrier"),
    pair<other_warp_loads<true>, other_warp_loads<false>, the_first_tile>("other_warp_loads"),
    pair<barrier_of_the_cta_alone<true>, barrier_of_the_cta_alone<false>, the_input, two_blocks>(
        "barrier_of_the_cta_alone"),
    pair<relaxed_cluster_arrival<true>, relaxed_cluster_arrival<false>, the_input, two_blocks>(
        "relaxed_cluster_arrival"),
    pair<multicast_to_the_peer<true>, multicast_to_the_peer<false>, the_input_twice, two_blocks>(
        "multicast_to_the_peer"),
    pair<a_barrier_each<true>, a_barrier_each<false>, the_input,
         Shape{.threads = 32, .checked = 64}>("a_barrier_each"),
    pair<flag_without_release<true>, flag_without_release<false>, the_input, Shape{.checked = 2}>(
        "flag_without_release"),
};

int main(int argc, char** argv) {
  return run_pairs(pairs, argc, argv);
}
