// Reductions do each other no harm, in whatever order they come. But who reads what they add up to
// has to come behind all of them, and all of them behind who wrote the first value.
#include "harness.h"
#include "ptx.h"

// Two warps add, and the third is ordered behind one of them only.
//: pair behind_one_of_two_warps
template <bool mistaken>
__global__ void behind_one_of_two_warps(const int* in, int* out) {
  __shared__ int sum;
  if (threadIdx.x == 0) {
    sum = 0;
  }
  __syncthreads();
  if (threadIdx.x < 64 && threadIdx.x % 32 == 0) {
    atomicAdd(&sum, in[threadIdx.x]);  //: other
  }
  if (!mistaken || threadIdx.x >= 32) {
    named_barrier_sync(1, mistaken ? 64 : 96);
  }
  if (threadIdx.x >= 64) {
    out[threadIdx.x - 64] = sum;  //: data-race
  }
}
int first_of_two_warps(int) {
  return 1 + 33;
}

// The same where the last value counts, and nobody looks at the one before it.
//: pair behind_one_of_two_writers
template <bool mistaken>
__global__ void behind_one_of_two_writers(const int* in, int* out) {
  __shared__ int largest;
  if (threadIdx.x == 0) {
    largest = 0;
  }
  __syncthreads();
  if (threadIdx.x < 64) {
    atomicMax(&largest, in[threadIdx.x]);  //: other
  }
  if (!mistaken || threadIdx.x >= 32) {
    named_barrier_sync(1, mistaken ? 64 : 96);
  }
  if (threadIdx.x >= 64) {
    out[threadIdx.x - 64] = largest;  //: data-race
  }
}
int largest_of_64(int) {
  return 64;
}

// Two blocks add to a sum in global memory. The third waits for the flag of one of them.
//: pair behind_one_of_two_blocks
template <bool mistaken>
__global__ void behind_one_of_two_blocks(const int* in, int* out, int* scratch) {
  int* const flags = scratch + 32;
  if (threadIdx.x != 0) {
    return;
  }
  if (blockIdx.x < 2) {
    atomicAdd(scratch, in[blockIdx.x]);  //: other
    store_release(&flags[blockIdx.x], 1);
    return;
  }
  wait_for_flag(&flags[1], 1);
  if constexpr (!mistaken) {
    wait_for_flag(&flags[0], 1);
  }
  out[0] = scratch[0];  //: data-race
}
int one_and_two(int) {
  return 3;
}

// A split sum: each block adds its part, and the last one reads them all. The ticket tells who is
// the last, and not that the parts are there.
//: pair ticket_without_fence
template <bool mistaken>
__global__ void ticket_without_fence(const int* in, int* out, int* scratch) {
  __shared__ bool is_last;
  unsigned* const tickets = reinterpret_cast<unsigned*>(scratch + 256);
  atomicAdd(&scratch[threadIdx.x], in[threadIdx.x]);  //: other
  if constexpr (!mistaken) {
    __threadfence();
  }
  __syncthreads();
  if (threadIdx.x == 0) {
    is_last = atomicInc(tickets, gridDim.x - 1) == gridDim.x - 1;
    if constexpr (!mistaken) {
      __threadfence();
    }
  }
  __syncthreads();
  if (is_last) {
    out[threadIdx.x] = scratch[threadIdx.x];  //: data-race
  }
}
int three_times_the_input(int i) {
  return 3 * (i + 1);
}

// The first block zeroes the sums, and the others add without having waited for that.
//: pair zeroed_by_the_first_block
template <bool mistaken>
__global__ void zeroed_by_the_first_block(const int* in, int* out, int* scratch) {
  __shared__ alignas(16) int tile[128];
  int* const flag = scratch + 256;
  tile[threadIdx.x] = in[threadIdx.x];
  fence_proxy_async();
  if (blockIdx.x == 0) {
    scratch[threadIdx.x] = 0;
    fence_proxy_async_global();
  }
  __syncthreads();
  if (threadIdx.x != 0) {
    return;
  }
  if (blockIdx.x == 0) {
    store_release(flag, 1);
  } else if constexpr (!mistaken) {
    wait_for_flag(flag, 1);
    fence_proxy_async_global();
  }
  reduce_add_bulk(scratch, tile, sizeof(tile));  //: data-race
  commit_group();
  wait_group<0>();
  if (blockIdx.x == 0) {
    for (int i = 0; i < 128; ++i) {
      out[i] = in[i];
    }
  }
}

// Two CTAs add into the first one's shared memory, each with an mbarrier of its own. Only one of
// them is waited for.
//: pair behind_one_of_two_ctas
template <bool mistaken>
__global__ void __cluster_dims__(3) behind_one_of_two_ctas(const int* in, int* out) {
  __shared__ int sum;
  __shared__ uint64_t added[2];
  const unsigned rank = cluster_rank();
  if (threadIdx.x == 0) {
    sum = 0;
    init_barrier(&added[0], 1);
    init_barrier(&added[1], 1);
    fence_barrier_init();
  }
  cluster_sync();
  if (threadIdx.x == 0 && rank > 0) {
    add_remote(address_in_cta(&sum, 0), in[rank]);  //: other
    arrive_remote(address_in_cta(&added[rank - 1], 0));
  }
  if (threadIdx.x == 0 && rank == 0) {
    wait_parity_cluster(&added[1], 0);
    if constexpr (!mistaken) {
      wait_parity_cluster(&added[0], 0);
    }
    out[0] = sum;  //: data-race
  }
  __syncwarp();
  cluster_sync();
}
int two_and_three(int) {
  return 5;
}

constexpr Pair pairs[] = {
    pair<behind_one_of_two_warps<true>, behind_one_of_two_warps<false>, first_of_two_warps,
         Shape{.threads = 96, .checked = 32}>("behind_one_of_two_warps"),
    pair<behind_one_of_two_writers<true>, behind_one_of_two_writers<false>, largest_of_64,
         Shape{.threads = 96, .checked = 32}>("behind_one_of_two_writers"),
    pair<behind_one_of_two_blocks<true>, behind_one_of_two_blocks<false>, one_and_two,
         Shape{.blocks = 3, .threads = 32, .checked = 1}>("behind_one_of_two_blocks"),
    pair<ticket_without_fence<true>, ticket_without_fence<false>, three_times_the_input,
         Shape{.blocks = 3, .threads = 128, .checked = 128}>("ticket_without_fence"),
    pair<zeroed_by_the_first_block<true>, zeroed_by_the_first_block<false>, the_input,
         Shape{.blocks = 3, .threads = 128, .checked = 128}>("zeroed_by_the_first_block"),
    pair<behind_one_of_two_ctas<true>, behind_one_of_two_ctas<false>, two_and_three,
         Shape{.blocks = 3, .threads = 32, .checked = 1}>("behind_one_of_two_ctas"),
};

int main(int argc, char** argv) {
  return run_pairs(pairs, argc, argv);
}
