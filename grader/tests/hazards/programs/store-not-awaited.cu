// Bytes that a TMA store writes are read, and no full wait for the store lies in between.
#include "harness.h"
#include "ptx.h"

//: pair source_read_is_not_written
template <bool mistaken>
__global__ void source_read_is_not_written(const int* in, int* out, int* scratch) {
  __shared__ alignas(128) int tile[128];
  for (int i = 0; i < 128; ++i) {
    tile[i] = in[i];
  }
  fence_proxy_async_shared();
  store_bulk(scratch, tile, sizeof(tile));  //: other
  commit_group();
  if constexpr (mistaken) {
    wait_group_read<0>();
  } else {
    wait_group<0>();
  }
  for (int i = 0; i < 128; ++i) {
    out[i] = scratch[i];  //: store-not-awaited
  }
}

//: pair read_by_the_other_threads
template <bool mistaken>
__global__ void read_by_the_other_threads(const int* in, int* out, int* scratch) {
  __shared__ alignas(128) int tile[128];
  tile[threadIdx.x] = in[threadIdx.x];
  fence_proxy_async_shared();
  __syncthreads();
  if (threadIdx.x == 0) {
    store_bulk(scratch, tile, sizeof(tile));  //: other
    commit_group();
    if constexpr (mistaken) {
      wait_group_read<0>();
    } else {
      wait_group<0>();
    }
  }
  __syncthreads();
  const unsigned other = threadIdx.x ^ 32;
  out[other] = scratch[other];  //: store-not-awaited
}

// Block 0 stores and raises a flag; block 1 reads.
//: pair read_by_another_block
template <bool mistaken>
__global__ void read_by_another_block(const int* in, int* out, int* scratch) {
  __shared__ alignas(128) int tile[128];
  int* flag = scratch + 1024;
  if (blockIdx.x == 0) {
    tile[threadIdx.x] = in[threadIdx.x];
    fence_proxy_async_shared();
    __syncthreads();
    if (threadIdx.x == 0) {
      store_bulk(scratch, tile, sizeof(tile));  //: other
      commit_group();
      if constexpr (mistaken) {
        wait_group_read<0>();
      } else {
        wait_group<0>();
      }
      store_release(flag, 1);
    }
  } else {
    wait_for_flag(flag, 1);
    out[threadIdx.x] = scratch[threadIdx.x];  //: store-not-awaited
  }
}

// What was stored is loaded again, by the engine: it has to be complete for that, too.
//: pair loaded_again
template <bool mistaken>
__global__ void loaded_again(const __grid_constant__ TensorMaps maps, const int* in, int* out) {
  __shared__ alignas(128) int tile[TILE_INTS];
  __shared__ alignas(128) int again[TILE_INTS];
  __shared__ uint64_t full;
  prepare_barrier(&full, 1);
  tile[threadIdx.x] = in[threadIdx.x];
  fence_proxy_async_shared();
  __syncthreads();
  if (threadIdx.x == 0) {
    store_tile(&maps.out, 0, MAP_ROWS - TILE_ROWS, tile);  //: other
    commit_group();
    if constexpr (mistaken) {
      wait_group_read<0>();
    } else {
      wait_group<0>();
    }
    arrive_and_expect(&full, sizeof(again));
    load_tile(again, &maps.out, 0, MAP_ROWS - TILE_ROWS, &full);  //: store-not-awaited
  }
  wait_parity(&full, 0);
  out[threadIdx.x] = again[threadIdx.x];
}

// Two reductions in a group each; the full wait leaves the second one pending.
//: pair one_group_is_left
template <bool mistaken>
__global__ void one_group_is_left(const int* in, int* out, int* scratch) {
  __shared__ alignas(128) int tile[128];
  tile[threadIdx.x] = in[threadIdx.x];
  fence_proxy_async_shared();
  __syncthreads();
  if (threadIdx.x == 0) {
    reduce_add_bulk(scratch, tile, sizeof(tile));
    commit_group();
    reduce_add_bulk(scratch + 256, tile, sizeof(tile));  //: other
    commit_group();
    wait_group<mistaken ? 1 : 0>();
  }
  __syncthreads();
  const int first = scratch[threadIdx.x];
  const int second = scratch[256 + threadIdx.x];  //: store-not-awaited
  out[threadIdx.x] = first + second;
  if (threadIdx.x == 0) {
    wait_group_read<0>();
  }
}

// Every block stores its part; the last one to be done adds all parts up.
//: pair last_block_adds_up
template <bool mistaken>
__global__ void last_block_adds_up(const int* in, int* out, int* scratch) {
  __shared__ alignas(128) int tile[32];
  int* counter = scratch + 1024;
  tile[threadIdx.x] = in[32 * blockIdx.x + threadIdx.x];
  fence_proxy_async_shared();
  __syncwarp();
  int before = 0;
  if (threadIdx.x == 0) {
    store_bulk(scratch + 32 * blockIdx.x, tile, sizeof(tile));  //: other
    commit_group();
    if constexpr (mistaken) {
      wait_group_read<0>();
    } else {
      wait_group<0>();
    }
    before = add_acquire_release(counter, 1);
  }
  before = __shfl_sync(~0u, before, 0);
  __syncwarp();
  if (before == 3) {
    int sum = 0;
    for (int part = 0; part < 4; ++part) {
      sum += scratch[32 * part + threadIdx.x];  //: store-not-awaited
    }
    out[threadIdx.x] = sum;
  }
}
int sum_of_four_parts(int i) {
  return 4 * (i + 1) + 32 * 6;
}

// The next kernel may start before this one is over, and has to wait for what it reads.
//: pair next_kernel
template <bool mistaken>
__global__ void earlier_kernel(const int* in, int* scratch) {
  __shared__ alignas(128) int tile[128];
  tile[threadIdx.x] = in[threadIdx.x];
  fence_proxy_async_shared();
  __syncthreads();
  let_dependents_start();
  if (threadIdx.x == 0) {
    store_bulk(scratch, tile, sizeof(tile));  //: other
    commit_group();
    wait_group<0>();
  }
}
template <bool mistaken>
__global__ void next_kernel(const int* scratch, int* out) {
  if constexpr (!mistaken) {
    wait_for_earlier_kernels();
  }
  out[threadIdx.x] = scratch[threadIdx.x];  //: store-not-awaited
}
template <bool mistaken>
Outcome run_next_kernel() {
  const Memory memory;
  earlier_kernel<mistaken><<<1, 128>>>(memory.in, memory.scratch);
  launch_early(next_kernel<mistaken>, memory.scratch, memory.out);
  return memory.compare(the_input, 128);
}

// The wait comes, but behind the read.
//: pair read_in_front_of_the_wait
template <bool mistaken>
__global__ void read_in_front_of_the_wait(const int* in, int* out, int* scratch) {
  __shared__ alignas(128) int tile[4];
  if (threadIdx.x != 0) {
    return;
  }
  for (int i = 0; i < 4; ++i) {
    tile[i] = in[i];
  }
  fence_proxy_async_shared();
  store_bulk(scratch, tile, sizeof(tile));  //: other
  commit_group();
  if constexpr (!mistaken) {
    wait_group<0>();
  }
  for (int i = 0; i < 5; ++i) {
    out[i] = scratch[i] + (i == 4 ? 5 : 0);  //: store-not-awaited
  }
  if constexpr (mistaken) {
    wait_group<0>();
  }
}

// Two threads of a block add a half of its tile each by TMA. One of them awaits its own addition
// only, and tells the other block, which reads some element.
//: pair behind_one_of_two_additions
template <bool mistaken>
__global__ void behind_one_of_two_additions(const int* in, int* out, int* scratch) {
  __shared__ alignas(16) int tile[128];
  int* const flag = scratch + 256;
  if (blockIdx.x == 1) {
    if (threadIdx.x == 0) {
      wait_for_flag(flag, 1);
      out[0] = scratch[37];  //: store-not-awaited
    }
    return;
  }
  tile[threadIdx.x] = in[threadIdx.x];
  fence_proxy_async();
  __syncthreads();
  if (threadIdx.x % 64 == 0) {
    reduce_add_bulk(scratch, tile + threadIdx.x, 64 * sizeof(int));  //: other
    commit_group();
    if (mistaken && threadIdx.x == 0) {
      wait_group_read<0>();
    } else {
      wait_group<0>();
    }
  }
  __syncthreads();
  if (threadIdx.x == 64) {
    store_release(flag, 1);
  }
}
int elements_37_and_101(int) {
  return 38 + 102;
}

constexpr Shape one_thread{.threads = 1};
constexpr Shape two_blocks{.blocks = 2};

constexpr Pair pairs[] = {
    pair<source_read_is_not_written<true>, source_read_is_not_written<false>, the_input,
         one_thread>("source_read_is_not_written"),
    pair<read_by_the_other_threads<true>, read_by_the_other_threads<false>>(
        "read_by_the_other_threads"),
    pair<read_by_another_block<true>, read_by_another_block<false>, the_input, two_blocks>(
        "read_by_another_block"),
    pair<loaded_again<true>, loaded_again<false>>("loaded_again"),
    pair<one_group_is_left<true>, one_group_is_left<false>, twice_the_input>("one_group_is_left"),
    pair<last_block_adds_up<true>, last_block_adds_up<false>, sum_of_four_parts,
         Shape{.blocks = 4, .threads = 32, .checked = 32}>("last_block_adds_up"),
    Pair{"next_kernel", run_next_kernel<true>, run_next_kernel<false>},
    pair<read_in_front_of_the_wait<true>, read_in_front_of_the_wait<false>, the_input,
         Shape{.threads = 32, .checked = 5}>("read_in_front_of_the_wait"),
    pair<behind_one_of_two_additions<true>, behind_one_of_two_additions<false>, elements_37_and_101,
         Shape{.blocks = 2, .threads = 128, .checked = 1}>("behind_one_of_two_additions"),
};

int main(int argc, char** argv) {
  return run_pairs(pairs, argc, argv);
}
