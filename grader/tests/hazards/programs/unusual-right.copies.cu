// Right programs with asynchronous copies that look like mistakes. There is nothing to find in
// them; what the harness calls mistaken is the right kernel once more.
#include "harness.h"
#include "memory_order.h"
#include "ptx.h"

template <auto kernel, int (*expected)(int) = the_input, Shape shape = Shape{}>
constexpr Pair right(const char* name) {
  return pair<kernel, kernel, expected, shape>(name);
}
constexpr Shape two_warps{.threads = 64, .checked = 32};
constexpr Shape two_ctas{.blocks = 2, .threads = 128, .checked = 256};
int sum_of_eight_laps(int i) {
  return 8 * (32 - i) + 32 * (0 + 1 + 2 + 3 + 4 + 5 + 6 + 7);
}

//: pair ring_released_by_arrivals
// The next load of a stage waits for the readers' arrivals, each behind its warp's fences.
__global__ void ring_released_by_arrivals(const int* in, int* out) {
  __shared__ alignas(128) int ring[2][32];
  __shared__ uint64_t full[2], empty[2];
  for (int stage = 0; stage < 2; ++stage) {
    prepare_barrier(&full[stage], 1);
    prepare_barrier(&empty[stage], 1);
  }
  const unsigned lane = threadIdx.x % 32;
  int sum = 0;
  for (int lap = 0; lap < 8; ++lap) {
    const int stage = lap % 2;
    const unsigned parity = lap / 2 % 2;
    if (threadIdx.x == 0) {
      wait_parity(&empty[stage], parity ^ 1);
      arrive_and_expect(&full[stage], sizeof(ring[stage]));
      load_bulk(ring[stage], in + lap * 32, sizeof(ring[stage]), &full[stage]);
    } else if (threadIdx.x >= 32) {
      wait_parity(&full[stage], parity);
      sum += ring[stage][31 - lane];
      fence_proxy_async_shared();
      __syncwarp();
      if (lane == 0) arrive(&empty[stage]);
    }
  }
  if (threadIdx.x >= 32) out[lane] = sum;
}

//: pair initialized_and_loaded_by_one_thread
// Others need the barrier of the threads, the thread itself needs nothing.
__global__ void initialized_and_loaded_by_one_thread(const int* in, int* out) {
  __shared__ alignas(128) int tile[128];
  __shared__ uint64_t loaded;
  if (threadIdx.x == 0) {
    init_barrier(&loaded, 1);
    arrive_and_expect(&loaded, sizeof(tile));
    load_bulk(tile, in, sizeof(tile), &loaded);
  }
  __syncthreads();
  wait_parity(&loaded, 0);
  out[threadIdx.x] = tile[threadIdx.x];
}

//: pair one_lane_waits
// One lane of each warp waits, and the warp's barrier tells the others.
__global__ void one_lane_waits(const __grid_constant__ TensorMaps maps, const int*, int* out) {
  __shared__ alignas(128) int tile[TILE_INTS];
  __shared__ uint64_t loaded;
  prepare_barrier(&loaded, 1);
  if (threadIdx.x == 0) {
    arrive_and_expect(&loaded, sizeof(tile));
    load_tile(tile, &maps.in, 0, 0, &loaded);
  }
  if (threadIdx.x % 32 == 0) wait_parity(&loaded, 0);
  __syncwarp();
  out[threadIdx.x] = tile[threadIdx.x];
}

//: pair announced_behind_the_load
// The phase cannot end before its arrival: the load may come first, and its announcement later.
__global__ void announced_behind_the_load(const int* in, int* out) {
  __shared__ alignas(128) int tile[128];
  __shared__ uint64_t loaded;
  prepare_barrier(&loaded, 1);
  if (threadIdx.x == 0) {
    load_bulk(tile, in, sizeof(tile), &loaded);
    arrive_and_expect(&loaded, sizeof(tile));
  }
  wait_parity(&loaded, 0);
  out[threadIdx.x] = tile[threadIdx.x];
}

//: pair every_lane_its_own_slice
// 32 lanes issue, each one 16 bytes, after one announcement of all.
__global__ void every_lane_its_own_slice(const int* in, int* out) {
  __shared__ alignas(128) int tile[128];
  __shared__ uint64_t loaded;
  prepare_barrier(&loaded, 1);
  if (threadIdx.x < 32) {
    if (threadIdx.x == 0) arrive_and_expect(&loaded, sizeof(tile));
    __syncwarp();
    load_bulk(tile + 4 * threadIdx.x, in + 4 * threadIdx.x, 16, &loaded);
  }
  wait_parity(&loaded, 0);
  out[threadIdx.x] = tile[threadIdx.x];
}

//: pair threads_and_engine_on_one_barrier
// The engine writes one half, the threads write the other one; one phase waits for both.
__global__ void threads_and_engine_on_one_barrier(const int* in, int* out) {
  __shared__ alignas(128) int tile[128];
  __shared__ uint64_t written;
  prepare_barrier(&written, 128);
  if (threadIdx.x >= 64) tile[threadIdx.x] = in[threadIdx.x];
  if (threadIdx.x == 0) {
    arrive_and_expect(&written, 256);
    load_bulk(tile, in, 256, &written);
  } else {
    arrive(&written);
  }
  wait_parity(&written, 0);
  out[threadIdx.x] = tile[threadIdx.x];
}

//: pair additions_in_flight
// Reductions of two CTAs to the same places: the engine adds atomically.
int minus_one_and_both(int i) {
  return -1 + (i + 1) + (i + 129);
}
__global__ void additions_in_flight(const int* in, int* out) {
  __shared__ alignas(128) int tile[128];
  tile[threadIdx.x] = in[blockIdx.x * 128 + threadIdx.x];
  fence_proxy_async_shared();
  __syncthreads();
  if (threadIdx.x == 0) {
    reduce_add_bulk(out, tile, sizeof(tile));
    commit_group();
    wait_group_read<0>();
  }
}

//: pair box_beyond_the_matrix
// What lies outside of the tensor is filled with zeros, and counted as if it were loaded.
__global__ void box_beyond_the_matrix(const __grid_constant__ TensorMaps maps, const int*,
                                      int* out) {
  __shared__ alignas(128) int tile[TILE_INTS];
  __shared__ uint64_t loaded;
  prepare_barrier(&loaded, 1);
  if (threadIdx.x == 0) {
    arrive_and_expect(&loaded, sizeof(tile));
    load_tile(tile, &maps.in, MAP_COLUMNS - 16, -1, &loaded);
  }
  wait_parity(&loaded, 0);
  out[threadIdx.x] = tile[threadIdx.x];
}
int corner(int i) {
  const int row = i / TILE_COLUMNS - 1;
  const int column = MAP_COLUMNS - 16 + i % TILE_COLUMNS;
  return row < 0 || column >= MAP_COLUMNS ? 0 : row * MAP_COLUMNS + column + 1;
}

//: pair two_buffers_for_stores
// A buffer is written again when at most the store of the other one has still to read.
__global__ void two_buffers_for_stores(const int* in, int* out) {
  __shared__ alignas(128) int buffers[2][128];
  for (int lap = 0; lap < 4; ++lap) {
    if (threadIdx.x == 0) wait_group_read<1>();
    __syncthreads();
    buffers[lap % 2][threadIdx.x] = in[lap * 128 + threadIdx.x];
    fence_proxy_async_shared();
    __syncthreads();
    if (threadIdx.x == 0) {
      store_bulk(out + lap * 128, buffers[lap % 2], sizeof(buffers[0]));
      commit_group();
    }
  }
  if (threadIdx.x == 0) wait_group_read<0>();
}

//: pair barrier_lives_twice
// Invalidated when all have waited, and initialized anew.
__global__ void barrier_lives_twice(const int* in, int* out) {
  __shared__ alignas(128) int tile[128];
  __shared__ uint64_t loaded;
  for (int life = 0; life < 2; ++life) {
    prepare_barrier(&loaded, 1);
    if (threadIdx.x == 0) {
      arrive_and_expect(&loaded, sizeof(tile));
      load_bulk(tile, in + 128 * life, sizeof(tile), &loaded);
    }
    wait_parity(&loaded, 0);
    out[128 * life + threadIdx.x] = tile[threadIdx.x];
    __syncthreads();
    if (threadIdx.x == 0) invalidate_barrier(&loaded);
  }
}

//: pair small_copies_arrive
// Each thread's cp.async arrives for it, when its bytes are there.
__global__ void small_copies_arrive(const int* in, int* out) {
  __shared__ alignas(16) int tile[128];
  __shared__ uint64_t copied;
  prepare_barrier(&copied, 128);
  cp_async_4(&tile[threadIdx.x], in + 127 - threadIdx.x);
  cp_async_arrive(&copied);
  wait_parity(&copied, 0);
  out[threadIdx.x] = tile[127 - threadIdx.x];
}

//: pair both_ctas_send_halves
// Each CTA of the cluster sends its half to both. A relaxed arrival tells that it runs.
__global__ void __cluster_dims__(2) both_ctas_send_halves(const int* in, int* out) {
  __shared__ alignas(128) int tile[128];
  __shared__ uint64_t loaded;
  const unsigned rank = cluster_rank();
  if (threadIdx.x == 0) {
    init_barrier(&loaded, 1);
    fence_barrier_init();
  }
  cluster_arrive_relaxed();
  cluster_wait();
  if (threadIdx.x == 0) {
    arrive_and_expect(&loaded, sizeof(tile));
    load_bulk_multicast(tile + 64 * rank, in + 64 * rank, 256, &loaded, 0b11);
  }
  wait_parity_cluster(&loaded, 0);
  out[rank * 128 + threadIdx.x] = tile[threadIdx.x];
  cluster_sync();
}
int input_in_both(int i) {
  return i % 128 + 1;
}

//: pair first_phase_of_one_thread
// Thread 0 waits for both phases; the others synchronize with it and wait for none.
__global__ void first_phase_of_one_thread(const int* in, int* out) {
  __shared__ alignas(128) int tiles[2][128];
  __shared__ uint64_t loaded;
  prepare_barrier(&loaded, 1);
  if (threadIdx.x == 0) {
    for (int tile = 0; tile < 2; ++tile) {
      arrive_and_expect(&loaded, sizeof(tiles[0]));
      load_bulk(tiles[tile], in + 128 * tile, sizeof(tiles[0]), &loaded);
      wait_parity(&loaded, tile);
    }
  }
  __syncthreads();
  for (int tile = 0; tile < 2; ++tile) {
    out[128 * tile + threadIdx.x] = tiles[tile][threadIdx.x];
  }
}

//: pair every_lane_copies_one_word
// cp.async of one word to one place by all lanes: whoever is last, it holds the same.
__global__ void every_lane_copies_one_word(const int* in, int* out) {
  __shared__ int first;
  cp_async_4(&first, in);
  cp_async_commit();
  cp_async_wait<0>();
  __syncthreads();
  out[threadIdx.x] = first + threadIdx.x;
}

//: pair every_warp_copies_one_row
// And four words by each lane, of which each warp copies the same.
__global__ void every_warp_copies_one_row(const int* in, int* out) {
  __shared__ alignas(16) int row[128];
  const unsigned lane = threadIdx.x % 32;
  cp_async_16(&row[4 * lane], in + 4 * lane);
  cp_async_commit();
  cp_async_wait<0>();
  __syncthreads();
  out[threadIdx.x] = row[threadIdx.x];
}

//: pair last_tile_is_past_the_end
// A loop that loads one tile more than there is: nothing but the fill, which nobody uses.
__global__ void last_tile_is_past_the_end(const __grid_constant__ TensorMaps maps, const int*,
                                          int* out) {
  __shared__ alignas(128) int tiles[2][TILE_INTS];
  __shared__ uint64_t loaded[2];
  prepare_barrier(&loaded[0], 1);
  prepare_barrier(&loaded[1], 1);
  if (threadIdx.x == 0) {
#pragma unroll 1
    for (int tile = 0; tile < 2; ++tile) {
      arrive_and_expect(&loaded[tile], sizeof(tiles[0]));
      load_tile(tiles[tile], &maps.in, 0, MAP_ROWS * tile, &loaded[tile]);
    }
  }
  wait_parity(&loaded[0], 0);
  wait_parity(&loaded[1], 0);
  out[threadIdx.x] = tiles[0][threadIdx.x];
}

//: pair swizzle_by_address
// A tile at a multiple of 128 bytes, whose swizzle is undone as the engine has done it.
__global__ void unswizzles(const __grid_constant__ CUtensorMap map, int* out) {
  __shared__ alignas(1024) int pool[1024];
  __shared__ uint64_t loaded;
  prepare_barrier(&loaded, 1);
  int* const tile = pool + 64;
  if (threadIdx.x == 0) {
    arrive_and_expect(&loaded, 512 * sizeof(int));
    load_tile(tile, &map, 0, 0, &loaded);
  }
  wait_parity(&loaded, 0);
  const unsigned first_line = shared_address(tile) / 128;
  for (unsigned i = threadIdx.x; i < 512; i += 128) {
    const unsigned unit = i / 4 ^ (first_line + i / 32) % 8;
    out[i] = tile[4 * unit + i % 4];
  }
}
Outcome swizzle_by_address() {
  const Memory memory;
  CUtensorMap map{};
  const cuuint64_t size[] = {32, 16};
  const cuuint64_t stride[] = {128};
  const cuuint32_t box[] = {32, 16};
  const cuuint32_t element_stride[] = {1, 1};
  if (cuTensorMapEncodeTiled(&map, CU_TENSOR_MAP_DATA_TYPE_INT32, 2, memory.in, size, stride, box,
                             element_stride, CU_TENSOR_MAP_INTERLEAVE_NONE,
                             CU_TENSOR_MAP_SWIZZLE_128B, CU_TENSOR_MAP_L2_PROMOTION_NONE,
                             CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE) != CUDA_SUCCESS) {
    note(cudaErrorInvalidValue);
  }
  unswizzles<<<1, 128>>>(map, memory.out);
  return memory.compare(the_input, 512);
}

constexpr Pair pairs[] = {
    right<ring_released_by_arrivals, sum_of_eight_laps, two_warps>("ring_released_by_arrivals"),
    right<initialized_and_loaded_by_one_thread>("initialized_and_loaded_by_one_thread"),
    right<one_lane_waits, the_first_tile>("one_lane_waits"),
    right<announced_behind_the_load>("announced_behind_the_load"),
    right<every_lane_its_own_slice>("every_lane_its_own_slice"),
    right<threads_and_engine_on_one_barrier>("threads_and_engine_on_one_barrier"),
    right<additions_in_flight, minus_one_and_both,
          Shape{.blocks = 2, .threads = 128, .checked = 128}>("additions_in_flight"),
    right<box_beyond_the_matrix, corner>("box_beyond_the_matrix"),
    right<two_buffers_for_stores, the_input, Shape{.checked = 512}>("two_buffers_for_stores"),
    right<barrier_lives_twice, the_input, Shape{.checked = 256}>("barrier_lives_twice"),
    right<small_copies_arrive>("small_copies_arrive"),
    right<both_ctas_send_halves, input_in_both, two_ctas>("both_ctas_send_halves"),
    right<first_phase_of_one_thread, the_input, Shape{.checked = 256}>("first_phase_of_one_thread"),
    right<every_lane_copies_one_word>("every_lane_copies_one_word"),
    right<every_warp_copies_one_row>("every_warp_copies_one_row"),
    right<last_tile_is_past_the_end, the_first_tile>("last_tile_is_past_the_end"),
    {"swizzle_by_address", swizzle_by_address, swizzle_by_address},
};

int main(int argc, char** argv) {
  return run_pairs(pairs, argc, argv);
}
