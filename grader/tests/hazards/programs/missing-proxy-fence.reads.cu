// Bytes that threads have read are overwritten by the engine: ordered, but without a proxy fence on
// the way, so that a read may still be under way. What a GPU then does: tests/experiments.
#include "harness.h"
#include "ptx.h"

namespace {
constexpr unsigned WARP = 32;
}

// A ring of one stage: 96 consumers arrive, a producer refills.
//: pair handed_back_by_arrivals
template <bool mistaken>
__global__ void handed_back_by_arrivals(const int* in, int* out) {
  __shared__ alignas(128) int tile[96];
  __shared__ uint64_t full, empty;
  prepare_barrier(&full, 1);
  prepare_barrier(&empty, 96);
  for (int lap = 0; lap < 3; ++lap) {
    if (threadIdx.x == 96) {
      wait_parity(&empty, (lap + 1) % 2);
      arrive_and_expect(&full, sizeof(tile));
      load_bulk(tile, in + 96 * lap, sizeof(tile), &full);  //: missing-proxy-fence
    } else if (threadIdx.x < 96) {
      wait_parity(&full, lap % 2);
      out[96 * lap + threadIdx.x] = tile[threadIdx.x];  //: other
      if constexpr (!mistaken) fence_proxy_async_shared();
      arrive(&empty);
    }
  }
}

// Read before the arrival, used after it: the most that a compiler may do to the pair above.
//: pair values_used_later
template <bool mistaken>
__global__ void values_used_later(const int* in, int* out) {
  __shared__ alignas(128) int tile[96];
  __shared__ uint64_t full, empty;
  prepare_barrier(&full, 1);
  prepare_barrier(&empty, 96);
  for (int lap = 0; lap < 3; ++lap) {
    if (threadIdx.x == 96) {
      wait_parity(&empty, (lap + 1) % 2);
      arrive_and_expect(&full, sizeof(tile));
      load_bulk(tile, in + 96 * lap, sizeof(tile), &full);  //: missing-proxy-fence
    } else if (threadIdx.x < 96) {
      wait_parity(&full, lap % 2);
      const int value = tile[threadIdx.x];  //: other
      if constexpr (!mistaken) fence_proxy_async();
      arrive(&empty);
      out[96 * lap + threadIdx.x] = value;
    }
  }
}

// Each thread sums a row: the rows begin in one bank, so the reads queue up. The fence of the right
// one is the issuing thread's, behind the arrivals.
//: pair sums_of_rows
template <bool mistaken>
__global__ void sums_of_rows(const int* in, int* out) {
  constexpr int rows = 32;
  __shared__ alignas(128) int tile[rows][32];
  __shared__ uint64_t full, empty;
  prepare_barrier(&full, 1);
  prepare_barrier(&empty, rows);
  for (int lap = 0; lap < 4; ++lap) {
    if (threadIdx.x == rows) {
      wait_parity(&empty, (lap + 1) % 2);
      if constexpr (!mistaken) fence_proxy_async();
      arrive_and_expect(&full, sizeof(tile));
      load_bulk(tile, in + rows * 32 * lap, sizeof(tile), &full);  //: missing-proxy-fence
    } else if (threadIdx.x < rows) {
      wait_parity(&full, lap % 2);
      int sum = 0;
#pragma unroll
      for (int column = 0; column < 32; ++column) {
        sum += tile[threadIdx.x][column];  //: other
      }
      arrive(&empty);
      out[rows * lap + threadIdx.x] = sum;
    }
  }
}
int sum_of_the_row(int i) {
  return 32 * (32 * i) + 32 * 33 / 2;
}

// Not one warp of four has fenced, but three.
//: pair one_warp_forgets
template <bool mistaken>
__global__ void one_warp_forgets(const __grid_constant__ TensorMaps maps, const int*, int* out) {
  __shared__ alignas(128) int tile[TILE_INTS];
  __shared__ uint64_t full;
  prepare_barrier(&full, 1);
  for (int lap = 0; lap < 4; ++lap) {
    if (threadIdx.x == 0) {
      arrive_and_expect(&full, sizeof(tile));
      load_tile(tile, &maps.in, 0, TILE_ROWS * lap, &full);  //: missing-proxy-fence
    }
    wait_parity(&full, lap % 2);
    out[TILE_INTS * lap + threadIdx.x] = tile[threadIdx.x];  //: other
    if (!mistaken || threadIdx.x / WARP != 2) fence_proxy_async_shared();
    __syncthreads();
  }
}
int tiles_below_each_other(int i) {
  return i / TILE_COLUMNS * MAP_COLUMNS + i % TILE_COLUMNS + 1;
}

// It is the shared memory that the load writes.
//: pair fence_of_global_memory
template <bool mistaken>
__global__ void fence_of_global_memory(const int* in, int* out) {
  __shared__ alignas(128) int ring[2][128];
  __shared__ uint64_t full[2];
  prepare_barrier(&full[0], 1);
  prepare_barrier(&full[1], 1);
  const auto load = [&](int tile) {
    arrive_and_expect(&full[tile % 2], sizeof(ring[0]));
    //: missing-proxy-fence
    load_bulk(ring[tile % 2], in + 128 * tile, sizeof(ring[0]), &full[tile % 2]);
  };
  if (threadIdx.x == 0) {
    load(0);
    load(1);
  }
  for (int tile = 0; tile < 4; ++tile) {
    wait_parity(&full[tile % 2], tile / 2);
    out[128 * tile + threadIdx.x] = ring[tile % 2][threadIdx.x];  //: other
    if constexpr (mistaken) {
      fence_proxy_async_global();
    } else {
      fence_proxy_async_shared();
    }
    __syncthreads();
    if (threadIdx.x == 0 && tile < 2) load(tile + 2);
  }
}

// It covers what comes before it.
//: pair fence_before_the_read
template <bool mistaken>
__global__ void fence_before_the_read(const int* in, int* out) {
  __shared__ alignas(128) int tile[64];
  __shared__ uint64_t full;
  prepare_barrier(&full, 1);
  for (int lap = 0; lap < 2; ++lap) {
    if (threadIdx.x == 0) {
      arrive_and_expect(&full, sizeof(tile));
      load_bulk(tile, in + 64 * lap, sizeof(tile), &full);  //: missing-proxy-fence
    }
    wait_parity(&full, lap);
    if constexpr (mistaken) fence_proxy_async();
    out[64 * lap + threadIdx.x] = tile[63 - threadIdx.x];  //: other
    if constexpr (!mistaken) fence_proxy_async();
    named_barrier_sync(1, 64);
  }
}
int mirrored_halves(int i) {
  return i / 64 * 64 + 64 - i % 64;
}

// A thread's own reads are no exception: it does not wait for them.
//: pair by_one_thread
template <bool mistaken>
__global__ void by_one_thread(const int* in, int* out) {
  __shared__ alignas(128) int tile[4];
  __shared__ uint64_t full;
  prepare_barrier(&full, 1);
  if (threadIdx.x != 0) return;
  for (int lap = 0; lap < 8; ++lap) {
    arrive_and_expect(&full, sizeof(tile));
    load_bulk(tile, in + 4 * lap, sizeof(tile), &full);  //: missing-proxy-fence
    wait_parity(&full, lap % 2);
    for (int i = 0; i < 4; ++i) {
      out[4 * lap + i] = tile[i];  //: other
    }
    if constexpr (!mistaken) fence_proxy_async_shared();
  }
}

// Each warp has its own tile. A shuffle orders its lanes' reads before lane 0's load, and lane 0's
// fence behind it covers them all.
//: pair behind_a_shuffle
template <bool mistaken>
__global__ void behind_a_shuffle(const int* in, int* out) {
  __shared__ alignas(128) int tiles[4][WARP];
  __shared__ uint64_t full[4];
  const int warp = threadIdx.x / WARP;
  const int lane = threadIdx.x % WARP;
  for (int i = 0; i < 4; ++i) prepare_barrier(&full[i], 1);
  for (int lap = 0; lap < 2; ++lap) {
    if (lane == 0) {
      if constexpr (!mistaken) fence_proxy_async_shared();
      arrive_and_expect(&full[warp], sizeof(tiles[warp]));
      //: missing-proxy-fence
      load_bulk(tiles[warp], in + 128 * lap + WARP * warp, sizeof(tiles[warp]), &full[warp]);
    }
    wait_parity(&full[warp], lap);
    int sum = tiles[warp][lane];  //: other
    for (int distance = WARP / 2; distance > 0; distance /= 2) {
      sum += __shfl_xor_sync(0xffffffff, sum, distance);
    }
    if (lane == 0) out[4 * lap + warp] = sum;
  }
}
int sum_of_the_warp(int i) {
  return 32 * 32 * i + 32 * 33 / 2;
}

// Matrix fragments are read like everything else.
//: pair fragments
template <bool mistaken>
__global__ void fragments(const int* in, int* out) {
  __shared__ alignas(128) int tile[32];  // a matrix of 8 rows of 8 halves
  __shared__ uint64_t full;
  prepare_barrier(&full, 1);
  for (int lap = 0; lap < 4; ++lap) {
    if (threadIdx.x == 0) {
      arrive_and_expect(&full, sizeof(tile));
      load_bulk(tile, in + 32 * lap, sizeof(tile), &full);  //: missing-proxy-fence
    }
    wait_parity(&full, lap % 2);
    out[32 * lap + threadIdx.x] = load_fragment(&tile[4 * (threadIdx.x % 8)]);  //: other
    if constexpr (!mistaken) fence_proxy_async_shared();
    __syncwarp();
  }
}

// The engine's stores write over global memory in the same way.
//: pair global_memory_in_place
template <bool mistaken>
__global__ void global_memory_in_place(const int* in, int* out, int* scratch) {
  __shared__ alignas(128) int twice[128];
  const int value = scratch[threadIdx.x];  //: other
  twice[threadIdx.x] = 2 * in[threadIdx.x];
  if constexpr (mistaken) {
    fence_proxy_async_shared();
  } else {
    fence_proxy_async();
  }
  __syncthreads();
  if (threadIdx.x == 0) {
    store_bulk(scratch, twice, sizeof(twice));  //: missing-proxy-fence
    commit_group();
    wait_group<0>();
  }
  __syncthreads();
  out[threadIdx.x] = value + scratch[threadIdx.x];
}

// The peer reads this CTA's tile, and tells so.
//: pair read_by_the_peer
template <bool mistaken>
__global__ void __cluster_dims__(2) read_by_the_peer(const int* in, int* out) {
  __shared__ alignas(128) int tile[128];
  __shared__ uint64_t full, go, empty;
  if (threadIdx.x == 0) {
    init_barrier(&full, 1);
    init_barrier(&go, 1);
    init_barrier(&empty, 128);
    fence_barrier_init();
  }
  cluster_sync();
  for (int lap = 0; lap < 2; ++lap) {
    if (cluster_rank() == 0 && threadIdx.x == 0) {
      if (lap == 1) wait_parity_cluster(&empty, 0);
      arrive_and_expect(&full, sizeof(tile));
      load_bulk(tile, in + 128 * lap, sizeof(tile), &full);  //: missing-proxy-fence
      wait_parity(&full, lap);
      arrive_remote(address_in_cta(&go, 1));
    }
    if (cluster_rank() == 1) {
      wait_parity_cluster(&go, lap);
      //: other
      out[128 * lap + threadIdx.x] = load_remote(address_in_cta(&tile[threadIdx.x], 0));
      if constexpr (!mistaken) fence_proxy_async();
      if (lap == 0) arrive_remote(address_in_cta(&empty, 0));
    }
  }
  cluster_sync();
}

constexpr Pair pairs[] = {
    pair<handed_back_by_arrivals<true>, handed_back_by_arrivals<false>, the_input,
         Shape{.checked = 288}>("handed_back_by_arrivals"),
    pair<values_used_later<true>, values_used_later<false>, the_input, Shape{.checked = 288}>(
        "values_used_later"),
    pair<sums_of_rows<true>, sums_of_rows<false>, sum_of_the_row, Shape{.threads = 64}>(
        "sums_of_rows"),
    pair<one_warp_forgets<true>, one_warp_forgets<false>, tiles_below_each_other,
         Shape{.checked = 512}>("one_warp_forgets"),
    pair<fence_of_global_memory<true>, fence_of_global_memory<false>, the_input,
         Shape{.checked = 512}>("fence_of_global_memory"),
    pair<fence_before_the_read<true>, fence_before_the_read<false>, mirrored_halves,
         Shape{.threads = 64}>("fence_before_the_read"),
    pair<by_one_thread<true>, by_one_thread<false>, the_input, Shape{.checked = 32}>(
        "by_one_thread"),
    pair<behind_a_shuffle<true>, behind_a_shuffle<false>, sum_of_the_warp, Shape{.checked = 8}>(
        "behind_a_shuffle"),
    pair<fragments<true>, fragments<false>, the_input, Shape{.threads = 32}>("fragments"),
    pair<global_memory_in_place<true>, global_memory_in_place<false>, twice_the_input>(
        "global_memory_in_place"),
    pair<read_by_the_peer<true>, read_by_the_peer<false>, the_input,
         Shape{.blocks = 2, .checked = 256}>("read_by_the_peer"),
};

int main(int argc, char** argv) {
  return run_pairs(pairs, argc, argv);
}
