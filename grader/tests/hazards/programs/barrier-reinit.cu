// An mbarrier is initialized or invalidated in use, used after its end, or its 8 bytes are written
// as data.
#include "harness.h"
#include "ptx.h"

// A second life needs the end of the first.
//: pair init_of_a_live_barrier
template <bool mistaken>
__global__ void init_of_a_live_barrier(const int* in, int* out) {
  __shared__ alignas(128) int tile[128];
  __shared__ uint64_t full;
  for (int lap = 0; lap < 2; ++lap) {
    if (threadIdx.x == 0) {
      init_barrier(&full, 1);  //: barrier-reinit //: other
      arrive_and_expect(&full, sizeof(tile));
      load_bulk(tile, in + 128 * lap, sizeof(tile), &full);
    }
    __syncthreads();
    wait_parity(&full, 0);
    out[128 * lap + threadIdx.x] = tile[threadIdx.x];
    fence_proxy_async_shared();
    __syncthreads();
    if (!mistaken && threadIdx.x == 0) {
      invalidate_barrier(&full);
    }
  }
}

//: pair ended_twice
template <bool mistaken>
__global__ void ended_twice(const int* in, int* out) {
  __shared__ alignas(128) int tile[128];
  __shared__ uint64_t full;
  prepare_barrier(&full, 1);
  if (threadIdx.x == 0) {
    arrive_and_expect(&full, sizeof(tile));
    load_bulk(tile, in, sizeof(tile), &full);
  }
  wait_parity(&full, 0);
  __syncthreads();
  if (threadIdx.x == 0) invalidate_barrier(&full);  //: other
  __syncthreads();
  if (mistaken && threadIdx.x == 64) invalidate_barrier(&full);  //: barrier-reinit
  out[threadIdx.x] = tile[threadIdx.x];
}

//: pair wait_after_the_end
template <bool mistaken>
__global__ void wait_after_the_end(const __grid_constant__ TensorMaps maps, const int* in,
                                   int* out) {
  __shared__ alignas(128) int tile[TILE_INTS];
  __shared__ uint64_t full;
  prepare_barrier(&full, 1);
  if (threadIdx.x == 0) {
    arrive_and_expect(&full, sizeof(tile));
    load_tile(tile, &maps.in, 0, 0, &full);
    wait_parity(&full, 0);
    if constexpr (mistaken) {
      invalidate_barrier(&full);  //: other
    }
  }
  __syncthreads();
  if (!mistaken || threadIdx.x != 0) {
    wait_parity(&full, 0);  //: barrier-reinit
  }
  out[threadIdx.x] = tile[threadIdx.x];
}

// Its end has to come after all waits, those of the other threads, too.
//: pair end_beside_the_waits
template <bool mistaken>
__global__ void end_beside_the_waits(const int* in, int* out) {
  __shared__ alignas(128) int tile[128];
  __shared__ uint64_t full;
  prepare_barrier(&full, 1);
  if (threadIdx.x == 0) {
    arrive_and_expect(&full, sizeof(tile));
    load_bulk(tile, in, sizeof(tile), &full);
  }
  wait_parity(&full, 0);  //: barrier-reinit
  if constexpr (!mistaken) {
    __syncthreads();
  }
  if (threadIdx.x == 0) {
    invalidate_barrier(&full);  //: other
  }
  out[threadIdx.x] = tile[threadIdx.x];
}

// Its bytes are given to other data, which is right once it is invalidated.
//: pair written_as_data
template <bool mistaken>
__global__ void written_as_data(const int* in, int* out) {
  __shared__ alignas(128) int tile[128];
  __shared__ alignas(8) int words[32];
  uint64_t* full = reinterpret_cast<uint64_t*>(words);
  prepare_barrier(full, 1);  //: other
  if (threadIdx.x == 0) {
    arrive_and_expect(full, sizeof(tile));
    load_bulk(tile, in, sizeof(tile), full);
  }
  wait_parity(full, 0);
  __syncthreads();
  if (!mistaken && threadIdx.x == 0) {
    invalidate_barrier(full);
  }
  __syncthreads();
  if (threadIdx.x < 32) {
    words[threadIdx.x] = tile[32 + threadIdx.x];  //: barrier-reinit
  }
  __syncthreads();
  out[threadIdx.x] = tile[threadIdx.x] + words[threadIdx.x % 32];
}
int with_the_second_row(int i) {
  return i + 1 + 33 + i % 32;
}

// The stages' barriers lie behind the tile; a load that is 16 bytes too long lands on the first of
// them.
//: pair loaded_over
template <bool mistaken>
__global__ void loaded_over(const int* in, int* out) {
  __shared__ alignas(128) int memory[128 + 8];
  uint64_t* full = reinterpret_cast<uint64_t*>(memory + 128);
  uint64_t* loaded = reinterpret_cast<uint64_t*>(memory + 128 + 4);
  prepare_barrier(full, 128);  //: other
  prepare_barrier(loaded, 1);
  if (threadIdx.x == 0) {
    constexpr unsigned bytes = mistaken ? 512 + 16 : 512;
    arrive_and_expect(loaded, bytes);
    load_bulk(memory, in, bytes, loaded);  //: barrier-reinit
  }
  wait_parity(loaded, 0);
  out[threadIdx.x] = memory[threadIdx.x];
  if constexpr (!mistaken) {
    const uint64_t state = arrive(full);
    wait_state(full, state);
  }
}

//: pair in_a_helper
// The second part of a kernel sets up its barrier where the first part's one still lives.
template <bool ends>
__device__ inline void load_and_add(int* tile, const int* in, int* sum, uint64_t* full) {
  if (threadIdx.x == 0) {
    init_barrier(full, 1);  //: barrier-reinit //: other
    arrive_and_expect(full, 512);
    load_bulk(tile, in, 512, full);
  }
  __syncthreads();
  wait_parity(full, 0);
  *sum += tile[threadIdx.x];
  fence_proxy_async_shared();
  __syncthreads();
  if (ends && threadIdx.x == 0) {
    invalidate_barrier(full);
  }
}
template <bool mistaken>
__global__ void in_a_helper(const int* in, int* out) {
  __shared__ alignas(128) int tile[128];
  __shared__ uint64_t full;
  int sum = 0;
  load_and_add<!mistaken>(tile, in, &sum, &full);
  load_and_add<true>(tile, in + 128, &sum, &full);
  out[threadIdx.x] = sum;
}
int both_tiles(int i) {
  return 2 * (i + 1) + 128;
}

// The peer arrives at a barrier that its owner has ended.
//: pair remote_arrival_after_the_end
template <bool mistaken>
__global__ void __cluster_dims__(2) remote_arrival_after_the_end(const int* in, int* out) {
  __shared__ uint64_t ready;
  if (threadIdx.x == 0) {
    init_barrier(&ready, 128);
    fence_barrier_init();
  }
  cluster_sync();
  if (mistaken && threadIdx.x == 0) {
    invalidate_barrier(&ready);  //: other
  }
  __syncwarp();
  cluster_sync();
  arrive_remote(address_in_cta(&ready, cluster_rank() ^ 1));  //: barrier-reinit
  const unsigned element = 128 * cluster_rank() + threadIdx.x;
  out[element] = in[element];
  cluster_sync();
}

// Initialized with another count while arrivals are missing.
//: pair another_count
template <bool mistaken>
__global__ void another_count(const int* in, int* out) {
  __shared__ uint64_t ready;
  prepare_barrier(&ready, mistaken ? 64 : 32);  //: other
  out[threadIdx.x] = in[threadIdx.x];
  if (mistaken && threadIdx.x == 0) {
    init_barrier(&ready, 32);  //: barrier-reinit
  }
  __syncthreads();
  arrive(&ready);
  wait_parity(&ready, 0);
}

constexpr Shape two_tiles{.checked = 256};

constexpr Pair pairs[] = {
    pair<init_of_a_live_barrier<true>, init_of_a_live_barrier<false>, the_input, two_tiles>(
        "init_of_a_live_barrier"),
    pair<ended_twice<true>, ended_twice<false>>("ended_twice"),
    pair<wait_after_the_end<true>, wait_after_the_end<false>, the_first_tile>("wait_after_the_end"),
    pair<end_beside_the_waits<true>, end_beside_the_waits<false>>("end_beside_the_waits"),
    pair<written_as_data<true>, written_as_data<false>, with_the_second_row>("written_as_data"),
    pair<loaded_over<true>, loaded_over<false>>("loaded_over"),
    pair<in_a_helper<true>, in_a_helper<false>, both_tiles>("in_a_helper"),
    pair<remote_arrival_after_the_end<true>, remote_arrival_after_the_end<false>, the_input,
         Shape{.blocks = 2, .checked = 256}>("remote_arrival_after_the_end"),
    pair<another_count<true>, another_count<false>, the_input, Shape{.threads = 32, .checked = 32}>(
        "another_count"),
};

int main(int argc, char** argv) {
  return run_pairs(pairs, argc, argv);
}
