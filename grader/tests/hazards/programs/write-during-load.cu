// Something writes where a load is under way: into its destination, or into its source in global
// memory.
#include "harness.h"
#include "ptx.h"

// The tile's padding is zeroed by the thread that has just issued the load.
//: pair zero_behind_the_load
template <bool mistaken>
__global__ void zero_behind_the_load(const int* in, int* out) {
  __shared__ alignas(128) int tile[128];
  __shared__ uint64_t full;
  prepare_barrier(&full, 1);
  if (threadIdx.x == 0) {
    arrive_and_expect(&full, sizeof(tile));
    load_bulk(tile, in, sizeof(tile), &full);  //: other
    if constexpr (!mistaken) {
      wait_parity(&full, 0);
    }
    tile[127] = 0;  //: write-during-load
  }
  __syncthreads();
  wait_parity(&full, 0);
  out[threadIdx.x] = tile[threadIdx.x];
}
int all_but_the_last(int i) {
  return i == 127 ? 0 : i + 1;
}

// Computed in place, one element too far: the second half is still on its way.
//: pair into_the_other_half
template <bool mistaken>
__global__ void into_the_other_half(const int* in, int* out) {
  __shared__ alignas(128) int tile[128];
  __shared__ uint64_t full[2];
  prepare_barrier(&full[0], 1);
  prepare_barrier(&full[1], 1);
  if (threadIdx.x == 0) {
    for (int half = 0; half < 2; ++half) {
      arrive_and_expect(&full[half], 256);
      load_bulk(tile + 64 * half, in + 64 * half, 256, &full[half]);  //: other
    }
  }
  wait_parity(&full[0], 0);
  if (threadIdx.x < 64) {
    const int value = tile[threadIdx.x];
    __syncwarp();
    tile[threadIdx.x + (mistaken && threadIdx.x == 63 ? 1 : 0)] = value;  //: write-during-load
  }
  __syncthreads();
  wait_parity(&full[1], 0);
  out[threadIdx.x] = tile[threadIdx.x];
}

// The source is for other use as soon as the load has been waited for, not as soon as it has been
// issued.
//: pair into_the_source
template <bool mistaken>
__global__ void into_the_source(const int* in, int* out, int* scratch) {
  __shared__ alignas(128) int tile[128];
  __shared__ uint64_t full;
  prepare_barrier(&full, 1);
  scratch[threadIdx.x] = in[threadIdx.x];
  fence_proxy_async_global();
  __syncthreads();
  if (threadIdx.x == 0) {
    arrive_and_expect(&full, sizeof(tile));
    load_bulk(tile, scratch, sizeof(tile), &full);  //: other
  }
  __syncthreads();
  if constexpr (!mistaken) {
    wait_parity(&full, 0);
  }
  scratch[threadIdx.x] = 0;  //: write-during-load
  wait_parity(&full, 0);
  out[threadIdx.x] = tile[threadIdx.x];
}

// A TMA store writes the source of the load that the same thread has in flight.
//: pair store_into_the_source
template <bool mistaken>
__global__ void store_into_the_source(const int* in, int* out, int* scratch) {
  __shared__ alignas(128) int zeros[128];
  __shared__ alignas(128) int tile[128];
  __shared__ uint64_t full;
  prepare_barrier(&full, 1);
  zeros[threadIdx.x] = 0;
  scratch[threadIdx.x] = in[threadIdx.x];
  fence_proxy_async();
  __syncthreads();
  if (threadIdx.x == 0) {
    arrive_and_expect(&full, sizeof(tile));
    load_bulk(tile, scratch, sizeof(tile), &full);  //: other
    if constexpr (!mistaken) {
      wait_parity(&full, 0);
    }
    store_bulk(scratch + 64, zeros, 256);  //: write-during-load
    commit_group();
    wait_group_read<0>();
  }
  wait_parity(&full, 0);
  out[threadIdx.x] = tile[threadIdx.x];
}

// The peer writes a value into this CTA's tile, after a barrier of the cluster.
//: pair written_by_the_peer
template <bool mistaken>
__global__ void __cluster_dims__(2) written_by_the_peer(const int* in, int* out) {
  __shared__ alignas(128) int tile[128];
  __shared__ uint64_t full;
  prepare_barrier(&full, 1);
  if (threadIdx.x == 0) {
    arrive_and_expect(&full, sizeof(tile));
    load_bulk(tile, in + 128 * cluster_rank(), sizeof(tile), &full);  //: other
  }
  if constexpr (!mistaken) {
    wait_parity(&full, 0);
  }
  __syncwarp();
  cluster_sync();
  if (threadIdx.x == 0) {
    store_remote(address_in_cta(tile + 5, cluster_rank() ^ 1), 6);  //: write-during-load
  }
  __syncwarp();
  cluster_sync();
  wait_parity(&full, 0);
  const int offset = threadIdx.x == 5 ? 128 * cluster_rank() : 0;
  out[128 * cluster_rank() + threadIdx.x] = tile[threadIdx.x] + offset;
}

//: pair shared_atomics
template <bool mistaken>
__global__ void shared_atomics(const int* in, int* out) {
  __shared__ alignas(128) int counts[32];
  __shared__ uint64_t full;
  prepare_barrier(&full, 1);
  if (threadIdx.x == 0) {
    arrive_and_expect(&full, sizeof(counts));
    load_bulk(counts, in, sizeof(counts), &full);  //: other
  }
  __syncthreads();
  if constexpr (!mistaken) {
    wait_parity(&full, 0);
  }
  atomicAdd(&counts[threadIdx.x % 32], 1);  //: write-during-load
  wait_parity(&full, 0);
  __syncthreads();
  if (threadIdx.x < 32) {
    out[threadIdx.x] = counts[threadIdx.x];
  }
}
int four_more(int i) {
  return i + 1 + 4;
}

// cp.async brings the edge of a tile whose middle is loaded in bulk.
//: pair cp_async_beside_a_load
template <bool mistaken>
__global__ void cp_async_beside_a_load(const int* in, int* out) {
  __shared__ alignas(128) int tile[36];
  __shared__ uint64_t full;
  prepare_barrier(&full, 1);
  if (threadIdx.x == 0) {
    arrive_and_expect(&full, 128);
    load_bulk(tile, in, 128, &full);  //: other
    const int first = mistaken ? 28 : 32;
    cp_async_16(tile + first, in + first);  //: write-during-load
    cp_async_wait_all();
    tile[35] = 36;
  }
  __syncwarp();
  wait_parity(&full, 0);
  out[threadIdx.x] = tile[threadIdx.x];
}

// Block 0 loads from memory that block 1 clears once it is told to.
//: pair cleared_by_another_block
template <bool mistaken>
__global__ void cleared_by_another_block(const int* in, int* out, int* scratch) {
  __shared__ alignas(128) int tile[128];
  __shared__ uint64_t full;
  int* flag = scratch + 1024;
  if (blockIdx.x == 1) {
    wait_for_flag(flag, 1);
    scratch[threadIdx.x] = -3;  //: write-during-load
    return;
  }
  prepare_barrier(&full, 1);
  scratch[threadIdx.x] = in[threadIdx.x];
  fence_proxy_async();
  __syncthreads();
  if (threadIdx.x == 0) {
    arrive_and_expect(&full, sizeof(tile));
    load_bulk(tile, scratch, sizeof(tile), &full);  //: other
    if constexpr (!mistaken) {
      wait_parity(&full, 0);
    }
    store_release(flag, 1);
  }
  wait_parity(&full, 0);
  out[threadIdx.x] = tile[threadIdx.x];
}

constexpr Shape two_blocks{.blocks = 2};

constexpr Pair pairs[] = {
    pair<zero_behind_the_load<true>, zero_behind_the_load<false>, all_but_the_last>(
        "zero_behind_the_load"),
    pair<into_the_other_half<true>, into_the_other_half<false>>("into_the_other_half"),
    pair<into_the_source<true>, into_the_source<false>>("into_the_source"),
    pair<store_into_the_source<true>, store_into_the_source<false>>("store_into_the_source"),
    pair<written_by_the_peer<true>, written_by_the_peer<false>, the_input,
         Shape{.blocks = 2, .checked = 256}>("written_by_the_peer"),
    pair<shared_atomics<true>, shared_atomics<false>, four_more, Shape{.checked = 32}>(
        "shared_atomics"),
    pair<cp_async_beside_a_load<true>, cp_async_beside_a_load<false>, the_input,
         Shape{.threads = 32, .checked = 32}>("cp_async_beside_a_load"),
    pair<cleared_by_another_block<true>, cleared_by_another_block<false>, the_input, two_blocks>(
        "cleared_by_another_block"),
};

int main(int argc, char** argv) {
  return run_pairs(pairs, argc, argv);
}
