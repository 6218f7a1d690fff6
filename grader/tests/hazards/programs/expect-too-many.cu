// Fewer bytes arrive at an mbarrier than were announced: who waits, waits forever.
#include "harness.h"
#include "ptx.h"

// The tail is shorter than the tile.
//: pair short_tail
template <bool mistaken>
__global__ void short_tail(const int* in, int* out) {
  __shared__ alignas(128) int tile[64];
  __shared__ uint64_t full;
  prepare_barrier(&full, 1);
  constexpr int elements = 160;
  for (int first = 0; first < elements; first += 64) {
    const int count = elements - first < 64 ? elements - first : 64;
    const unsigned bytes = count * sizeof(int);
    if (threadIdx.x == 0) {
      arrive_and_expect(&full, mistaken ? sizeof(tile) : bytes);  //: expect-too-many
      load_bulk(tile, in + first, bytes, &full);
    }
    wait_parity(&full, first / 64 % 2);
    if (threadIdx.x < count) {
      out[first + threadIdx.x] = tile[threadIdx.x];
    }
    fence_proxy_async_shared();
    __syncthreads();
  }
}

// Every thread announces all the bytes.
//: pair announced_twice
template <bool mistaken>
__global__ void announced_twice(const __grid_constant__ TensorMaps maps, const int* in, int* out) {
  __shared__ alignas(128) int tile[TILE_INTS];
  __shared__ uint64_t full;
  prepare_barrier(&full, 2);
  if (threadIdx.x == 0 || threadIdx.x == 64) {
    arrive_and_expect(&full, mistaken ? sizeof(tile) : sizeof(tile) / 2);  //: expect-too-many
  }
  if (threadIdx.x == 0) {
    load_tile(tile, &maps.in, 0, 0, &full);
  }
  wait_parity(&full, 0);
  out[threadIdx.x] = tile[threadIdx.x];
}

// Announced for two tiles; the second one's load is behind a condition.
//: pair load_left_out
template <bool mistaken>
__global__ void load_left_out(const int* in, int* out) {
  __shared__ alignas(128) int tiles[2][64];
  __shared__ uint64_t full;
  prepare_barrier(&full, 1);
  constexpr int columns = mistaken ? 1 : 2;
  if (threadIdx.x == 0) {
    arrive_and_expect(&full, sizeof(tiles));  //: expect-too-many
    for (int i = 0; i < columns; ++i) {
      load_bulk(tiles[i], in + 64 * i, sizeof(tiles[i]), &full);
    }
  }
  wait_parity(&full, 0);
  out[threadIdx.x] = tiles[threadIdx.x / 64][threadIdx.x % 64];
}

// Both CTAs announce, and the mask has one of them.
//: pair not_in_the_mask
template <bool mistaken>
__global__ void __cluster_dims__(2) not_in_the_mask(const int* in, int* out) {
  __shared__ alignas(128) int tile[128];
  __shared__ uint64_t full;
  if (threadIdx.x == 0) {
    init_barrier(&full, 1);
    fence_barrier_init();
    arrive_and_expect(&full, sizeof(tile));  //: expect-too-many
  }
  cluster_sync();
  if (cluster_rank() == 0 && threadIdx.x == 0) {
    load_bulk_multicast(tile, in, sizeof(tile), &full, mistaken ? 0b01 : 0b11);
  }
  wait_parity(&full, 0);
  out[128 * cluster_rank() + threadIdx.x] = tile[threadIdx.x];
  cluster_sync();
}
int the_input_twice(int i) {
  return i % 128 + 1;
}

// Announced by itself, not with the arrival; the mistaken one once for each half, but a half is not
// the tile.
//: pair once_for_each_half
template <bool mistaken>
__global__ void once_for_each_half(const int* in, int* out) {
  __shared__ alignas(128) int tile[128];
  __shared__ uint64_t full;
  prepare_barrier(&full, 1);
  if (threadIdx.x == 0) {
    for (int half = 0; half < 2; ++half) {
      load_bulk(tile + 64 * half, in + 64 * half, sizeof(tile) / 2, &full);
      expect(&full, mistaken ? sizeof(tile) : sizeof(tile) / 2);  //: expect-too-many
    }
    arrive(&full);
  }
  wait_parity(&full, 0);
  out[threadIdx.x] = tile[threadIdx.x];
}

// st.async of 127 threads, announced for 128.
//: pair one_store_too_few
template <bool mistaken>
__global__ void __cluster_dims__(2) one_store_too_few(const int* in, int* out) {
  __shared__ alignas(128) int tile[128];
  __shared__ uint64_t full;
  if (threadIdx.x == 0) {
    init_barrier(&full, 1);
    fence_barrier_init();
    arrive_and_expect(&full, sizeof(tile));  //: expect-too-many
  }
  cluster_sync();
  const unsigned peer = cluster_rank() ^ 1;
  if (!mistaken || threadIdx.x != 127) {
    const uint32_t remote = address_in_cta(tile + threadIdx.x, peer);
    store_async(remote, in[128 * peer + threadIdx.x], address_in_cta(&full, peer));
  }
  wait_parity_cluster(&full, 0);
  out[128 * cluster_rank() + threadIdx.x] = tile[threadIdx.x];
  cluster_sync();
}

// The loads of one lap count on two barriers.
//: pair on_another_barrier
template <bool mistaken>
__global__ void on_another_barrier(const int* in, int* out) {
  __shared__ alignas(128) int tile[2][64];
  __shared__ uint64_t full[2];
  prepare_barrier(&full[0], 1);
  prepare_barrier(&full[1], 1);
  if (threadIdx.x == 0) {
    arrive_and_expect(&full[0], mistaken ? sizeof(tile) : sizeof(tile[0]));  //: expect-too-many
    load_bulk(tile[0], in, sizeof(tile[0]), &full[0]);
    arrive_and_expect(&full[1], sizeof(tile[1]));
    load_bulk(tile[1], in + 64, sizeof(tile[1]), &full[1]);
  }
  wait_parity(&full[1], 0);
  wait_parity(&full[0], 0);
  out[threadIdx.x] = tile[threadIdx.x / 64][threadIdx.x % 64];
}

constexpr Shape two_blocks{.blocks = 2, .checked = 256};

constexpr Pair pairs[] = {
    pair<short_tail<true>, short_tail<false>, the_input, Shape{.checked = 160}>("short_tail"),
    pair<announced_twice<true>, announced_twice<false>, the_first_tile>("announced_twice"),
    pair<load_left_out<true>, load_left_out<false>>("load_left_out"),
    pair<not_in_the_mask<true>, not_in_the_mask<false>, the_input_twice, two_blocks>(
        "not_in_the_mask"),
    pair<once_for_each_half<true>, once_for_each_half<false>>("once_for_each_half"),
    pair<one_store_too_few<true>, one_store_too_few<false>, the_input, two_blocks>(
        "one_store_too_few"),
    pair<on_another_barrier<true>, on_another_barrier<false>>("on_another_barrier"),
};

int main(int argc, char** argv) {
  return run_pairs(pairs, argc, argv);
}
