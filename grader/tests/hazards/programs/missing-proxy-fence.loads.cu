// Bytes that threads wrote are loaded, in global memory, or overwritten: ordered, but without a
// proxy fence on the way.
#include "harness.h"
#include "ptx.h"

// Threads zero the tile, and the load covers its first half.
//: pair load_over_zeros
template <bool mistaken>
__global__ void load_over_zeros(const int* in, int* out) {
  __shared__ alignas(128) int tile[128];
  __shared__ uint64_t full;
  prepare_barrier(&full, 1);
  tile[threadIdx.x] = 0;  //: other
  if constexpr (!mistaken) {
    fence_proxy_async_shared();
  }
  __syncthreads();
  if (threadIdx.x == 0) {
    arrive_and_expect(&full, sizeof(tile) / 2);
    load_bulk(tile, in, sizeof(tile) / 2, &full);  //: missing-proxy-fence
  }
  wait_parity(&full, 0);
  out[threadIdx.x] = tile[threadIdx.x];
}
int the_input_then_zeros(int i) {
  return i < 64 ? i + 1 : 0;
}

// One stale element is enough: the last one belongs to a padding that a single thread zeroes.
//: pair load_over_a_written_edge
template <bool mistaken>
__global__ void load_over_a_written_edge(const __grid_constant__ TensorMaps maps, const int* in,
                                         int* out) {
  __shared__ alignas(128) int tile[TILE_INTS];
  __shared__ uint64_t full;
  prepare_barrier(&full, 1);
  if (threadIdx.x == 0) {
    if constexpr (!mistaken) {
      tile[TILE_INTS - 1] = -5;
      fence_proxy_async_shared();
    } else {
      fence_proxy_async_shared();
      tile[TILE_INTS - 1] = -5;  //: other
    }
    arrive_and_expect(&full, sizeof(tile));
    load_tile(tile, &maps.in, 0, 0, &full);  //: missing-proxy-fence
  }
  wait_parity(&full, 0);
  out[threadIdx.x] = tile[threadIdx.x];
}

//: pair global_memory_in_a_block
template <bool mistaken>
__global__ void global_memory_in_a_block(const int* in, int* out, int* scratch) {
  __shared__ alignas(128) int tile[128];
  __shared__ uint64_t full;
  prepare_barrier(&full, 1);
  scratch[threadIdx.x] = 2 * in[threadIdx.x];  //: other
  if constexpr (mistaken) {
    fence_proxy_async_shared();
  } else {
    fence_proxy_async_global();
  }
  __syncthreads();
  if (threadIdx.x == 0) {
    arrive_and_expect(&full, sizeof(tile));
    load_bulk(tile, scratch, sizeof(tile), &full);  //: missing-proxy-fence
  }
  wait_parity(&full, 0);
  out[threadIdx.x] = tile[threadIdx.x];
}

// Block 0 writes and raises a flag; block 1 sees it and loads.
//: pair global_memory_across_blocks
template <bool mistaken>
__global__ void global_memory_across_blocks(const int* in, int* out, int* scratch) {
  __shared__ alignas(128) int tile[128];
  __shared__ uint64_t full;
  int* flag = scratch + 1024;
  if (blockIdx.x == 0) {
    scratch[threadIdx.x] = in[threadIdx.x];  //: other
    __syncthreads();
    if (threadIdx.x == 0) {
      store_release(flag, 1);
    }
    return;
  }
  prepare_barrier(&full, 1);
  if (threadIdx.x == 0) {
    wait_for_flag(flag, 1);
    if constexpr (!mistaken) {
      fence_proxy_async_global();
    }
    arrive_and_expect(&full, sizeof(tile));
    load_bulk(tile, scratch, sizeof(tile), &full);  //: missing-proxy-fence
  }
  wait_parity(&full, 0);
  out[threadIdx.x] = tile[threadIdx.x];
}

// The store covers bytes of global memory that threads wrote: the fence of shared memory is not
// enough for these.
//: pair store_over_written_global_memory
template <bool mistaken>
__global__ void store_over_written_global_memory(const int* in, int* out) {
  __shared__ alignas(128) int tile[64];
  out[threadIdx.x] = 0;  //: other
  if (threadIdx.x < 64) {
    tile[threadIdx.x] = in[threadIdx.x];
  }
  if constexpr (mistaken) {
    fence_proxy_async_shared();
  } else {
    fence_proxy_async();
  }
  __syncthreads();
  if (threadIdx.x == 0) {
    store_bulk(out, tile, sizeof(tile));  //: missing-proxy-fence
    commit_group();
    wait_group_read<0>();
  }
}

// The fence may stand in the block that writes, but behind its writes.
//: pair fence_by_the_writing_block
template <bool mistaken>
__global__ void fence_by_the_writing_block(const int* in, int* out, int* scratch) {
  __shared__ alignas(128) int tile[128];
  __shared__ uint64_t full;
  int* counter = scratch + 1024;
  if (blockIdx.x == 0) {
    if constexpr (mistaken) {
      fence_proxy_async_global();
    }
    scratch[threadIdx.x] = in[threadIdx.x];  //: other
    if constexpr (!mistaken) {
      fence_proxy_async_global();
    }
    add_release(counter, 1);
    return;
  }
  prepare_barrier(&full, 1);
  if (threadIdx.x == 0) {
    wait_for_flag(counter, 128);
    arrive_and_expect(&full, sizeof(tile));
    load_bulk(tile, scratch, sizeof(tile), &full);  //: missing-proxy-fence
  }
  wait_parity(&full, 0);
  out[threadIdx.x] = tile[threadIdx.x];
}

// CTA 0 loads into both tiles, which their own threads have zeroed.
//: pair multicast_over_zeros
template <bool mistaken>
__global__ void __cluster_dims__(2) multicast_over_zeros(const int* in, int* out) {
  __shared__ alignas(128) int tile[128];
  __shared__ uint64_t full;
  if (threadIdx.x == 0) {
    init_barrier(&full, 1);
    fence_barrier_init();
    arrive_and_expect(&full, 256);
  }
  tile[threadIdx.x] = 0;  //: other
  if (!mistaken || cluster_rank() == 0) {
    fence_proxy_async();
  }
  cluster_sync();
  if (cluster_rank() == 0 && threadIdx.x == 0) {
    load_bulk_multicast(tile, in, 256, &full, 0b11);  //: missing-proxy-fence
  }
  wait_parity(&full, 0);
  if (cluster_rank() == 1) {
    out[threadIdx.x] = tile[threadIdx.x];
  }
}

constexpr Shape two_blocks{.blocks = 2};

constexpr Pair pairs[] = {
    pair<load_over_zeros<true>, load_over_zeros<false>, the_input_then_zeros>("load_over_zeros"),
    pair<load_over_a_written_edge<true>, load_over_a_written_edge<false>, the_first_tile>(
        "load_over_a_written_edge"),
    pair<global_memory_in_a_block<true>, global_memory_in_a_block<false>, twice_the_input>(
        "global_memory_in_a_block"),
    pair<global_memory_across_blocks<true>, global_memory_across_blocks<false>, the_input,
         two_blocks>("global_memory_across_blocks"),
    pair<store_over_written_global_memory<true>, store_over_written_global_memory<false>,
         the_input_then_zeros>("store_over_written_global_memory"),
    pair<fence_by_the_writing_block<true>, fence_by_the_writing_block<false>, the_input,
         two_blocks>("fence_by_the_writing_block"),
    pair<multicast_over_zeros<true>, multicast_over_zeros<false>, the_input_then_zeros, two_blocks>(
        "multicast_over_zeros"),
};

int main(int argc, char** argv) {
  return run_pairs(pairs, argc, argv);
}
