// A load lands in bytes that another thread may still have to read.
#include "harness.h"
#include "ptx.h"

// What a load writes over needs a proxy fence and an order. Both variants have the fence: this is
// about the order.

//: pair loop_without_a_barrier
template <bool mistaken>
__global__ void loop_without_a_barrier(const int* in, int* out) {
  __shared__ alignas(128) int tile[128];
  __shared__ uint64_t full[4];
  for (uint64_t& barrier : full) {
    prepare_barrier(&barrier, 1);
  }
  for (int lap = 0; lap < 4; ++lap) {
    if (threadIdx.x == 0) {
      arrive_and_expect(&full[lap], sizeof(tile));
      load_bulk(tile, in + 128 * lap, sizeof(tile), &full[lap]);  //: load-over-unread-data
    }
    wait_parity(&full[lap], 0);
    out[128 * lap + threadIdx.x] = tile[threadIdx.x];  //: other
    fence_proxy_async_shared();
    if constexpr (!mistaken) {
      __syncthreads();
    }
  }
}

// A producing warp refills when the 96 consumers have arrived; the mistaken ones arrive before they
// read.
//: pair arrival_before_the_read
template <bool mistaken>
__global__ void arrival_before_the_read(const int* in, int* out) {
  __shared__ alignas(128) int tile[96];
  __shared__ uint64_t full;
  __shared__ uint64_t empty;
  prepare_barrier(&full, 1);
  prepare_barrier(&empty, 96);
  if (threadIdx.x >= 96) {
    for (int lap = 0; threadIdx.x == 96 && lap < 3; ++lap) {
      wait_parity(&empty, (lap + 1) % 2);
      arrive_and_expect(&full, sizeof(tile));
      load_bulk(tile, in + 96 * lap, sizeof(tile), &full);  //: other
    }
  } else {
    for (int lap = 0; lap < 3; ++lap) {
      wait_parity(&full, lap % 2);
      if constexpr (mistaken) {
        arrive(&empty);  //: load-over-unread-data
      }
      out[96 * lap + threadIdx.x] = tile[threadIdx.x];  //: other
      fence_proxy_async_shared();
      if constexpr (!mistaken) {
        arrive(&empty);
      }
    }
  }
}

// One lane arrives for its warp: only after __syncwarp() does it know what the others have read.
//: pair arrival_for_the_warp
template <bool mistaken>
__global__ void arrival_for_the_warp(const int* in, int* out) {
  __shared__ alignas(128) int tile[64];
  __shared__ uint64_t full;
  __shared__ uint64_t empty;
  prepare_barrier(&full, 1);
  prepare_barrier(&empty, 2);
  for (int lap = 0; lap < 2; ++lap) {
    if (threadIdx.x == 64) {
      wait_parity(&empty, (lap + 1) % 2);
      arrive_and_expect(&full, sizeof(tile));
      load_bulk(tile, in + 64 * lap, sizeof(tile), &full);  //: other
    } else if (threadIdx.x < 64) {
      wait_parity(&full, lap % 2);
      if constexpr (mistaken) {
        __syncwarp();
      }
      out[64 * lap + threadIdx.x] = tile[threadIdx.x];  //: other
      fence_proxy_async_shared();
      if constexpr (!mistaken) {
        __syncwarp();
      }
      if (threadIdx.x % 32 == 0) {
        arrive(&empty);  //: load-over-unread-data
      }
    }
  }
}

// Two stages, a load two laps ahead: into the stage that was just read, so it has to be behind the
// barrier.
//: pair barrier_in_front_of_the_read
template <bool mistaken>
__global__ void barrier_in_front_of_the_read(const __grid_constant__ TensorMaps maps, const int* in,
                                             int* out) {
  __shared__ alignas(128) int ring[2][TILE_INTS];
  __shared__ uint64_t full[2];
  prepare_barrier(&full[0], 1);
  prepare_barrier(&full[1], 1);
  const auto load = [&](int tile) {
    arrive_and_expect(&full[tile % 2], sizeof(ring[0]));
    //: load-over-unread-data
    load_tile(ring[tile % 2], &maps.in, 0, TILE_ROWS * tile, &full[tile % 2]);
  };
  if (threadIdx.x == 0) {
    load(0);
    load(1);
  }
  for (int tile = 0; tile < 4; ++tile) {
    wait_parity(&full[tile % 2], tile / 2);
    if constexpr (mistaken) {
      __syncthreads();
    }
    out[TILE_INTS * tile + threadIdx.x] = ring[tile % 2][threadIdx.x];  //: other
    fence_proxy_async_shared();
    if constexpr (!mistaken) {
      __syncthreads();
    }
    if (threadIdx.x == 0 && tile < 2) {
      load(tile + 2);
    }
  }
}
int tiles_below_each_other(int i) {
  return i / TILE_COLUMNS * MAP_COLUMNS + i % TILE_COLUMNS + 1;
}

// CTA 0 loads for both: its own __syncthreads() says nothing of CTA 1's reads.
//: pair multicast_into_the_peer
template <bool mistaken>
__global__ void __cluster_dims__(2) multicast_into_the_peer(const int* in, int* out) {
  __shared__ alignas(128) int tile[128];
  __shared__ uint64_t full[2];
  if (threadIdx.x == 0) {
    init_barrier(&full[0], 1);
    init_barrier(&full[1], 1);
    fence_barrier_init();
    arrive_and_expect(&full[0], sizeof(tile));
    arrive_and_expect(&full[1], sizeof(tile));
  }
  cluster_sync();
  for (int lap = 0; lap < 2; ++lap) {
    if (cluster_rank() == 0 && threadIdx.x == 0) {
      load_bulk_multicast(tile, in, sizeof(tile), &full[lap], 0b11);  //: load-over-unread-data
    }
    wait_parity(&full[lap], 0);
    out[256 * lap + 128 * cluster_rank() + threadIdx.x] = tile[threadIdx.x];  //: other
    fence_proxy_async_shared();
    if (mistaken) {
      __syncthreads();
    } else {
      cluster_sync();
    }
  }
}
int the_input_four_times(int i) {
  return i % 128 + 1;
}

// A relaxed arrival releases nothing.
//: pair relaxed_arrival
template <bool mistaken>
__global__ void relaxed_arrival(const int* in, int* out) {
  __shared__ alignas(128) int tile[128];
  __shared__ uint64_t full;
  __shared__ uint64_t empty;
  prepare_barrier(&full, 1);
  prepare_barrier(&empty, 128);
  for (int lap = 0; lap < 2; ++lap) {
    if (threadIdx.x == 0) {
      arrive_and_expect(&full, sizeof(tile));
      load_bulk(tile, in + 128 * lap, sizeof(tile), &full);  //: load-over-unread-data
    }
    wait_parity(&full, lap);
    out[128 * lap + threadIdx.x] = tile[threadIdx.x];  //: other
    fence_proxy_async_shared();
    if constexpr (mistaken) {
      arrive_relaxed(&empty);
    } else {
      arrive(&empty);
    }
    wait_parity(&empty, lap);
  }
}

// Each warp has its part of the tile. The refill of the first part is 16 bytes too long.
//: pair into_the_neighbors_part
template <bool mistaken>
__global__ void into_the_neighbors_part(const int* in, int* out) {
  __shared__ alignas(128) int tile[64];
  __shared__ uint64_t full;
  __shared__ uint64_t refilled;
  prepare_barrier(&full, 1);
  prepare_barrier(&refilled, 1);
  if (threadIdx.x == 0) {
    arrive_and_expect(&full, sizeof(tile));
    load_bulk(tile, in, sizeof(tile), &full);
  }
  wait_parity(&full, 0);
  const int first = tile[threadIdx.x];  //: other
  fence_proxy_async_shared();
  __syncwarp();
  if (threadIdx.x == 0) {
    constexpr int bytes = mistaken ? 128 + 16 : 128;
    arrive_and_expect(&refilled, bytes);
    load_bulk(tile, in + 64, bytes, &refilled);  //: load-over-unread-data
  }
  if (threadIdx.x < 32) {
    wait_parity(&refilled, 0);
    out[threadIdx.x] = first + tile[threadIdx.x];
  } else {
    out[threadIdx.x] = first;
  }
}
int first_part_has_two(int i) {
  return i < 32 ? i + 1 + i + 65 : i + 1;
}

// The named barrier is for the two warps that compute; a third reads as well.
//: pair reader_who_is_not_in_the_barrier
template <bool mistaken>
__global__ void reader_who_is_not_in_the_barrier(const int* in, int* out) {
  __shared__ alignas(128) int tile[96];
  __shared__ uint64_t full[2];
  prepare_barrier(&full[0], 1);
  prepare_barrier(&full[1], 1);
  constexpr int threads = mistaken ? 64 : 96;
  for (int lap = 0; lap < 2; ++lap) {
    if (threadIdx.x == 0) {
      arrive_and_expect(&full[lap], sizeof(tile));
      load_bulk(tile, in + 96 * lap, sizeof(tile), &full[lap]);  //: load-over-unread-data
    }
    wait_parity(&full[lap], 0);
    out[96 * lap + threadIdx.x] = tile[threadIdx.x];  //: other
    fence_proxy_async_shared();
    if (threadIdx.x < threads) {
      named_barrier_sync(3, threads);
    }
  }
}

// The readers count themselves on an atomic.
//: pair counted_by_a_relaxed_atomic
template <bool mistaken>
__global__ void counted_by_a_relaxed_atomic(const int* in, int* out, int* scratch) {
  __shared__ alignas(128) int tile[128];
  __shared__ uint64_t full;
  prepare_barrier(&full, 1);
  for (int lap = 0; lap < 2; ++lap) {
    if (threadIdx.x == 0) {
      wait_for_flag(scratch, 128 * lap);
      arrive_and_expect(&full, sizeof(tile));
      load_bulk(tile, in + 128 * lap, sizeof(tile), &full);  //: load-over-unread-data
    }
    wait_parity(&full, lap);
    out[128 * lap + threadIdx.x] = tile[threadIdx.x];  //: other
    fence_proxy_async_shared();
    if constexpr (mistaken) {
      add_relaxed(scratch, 1);
    } else {
      add_release(scratch, 1);
    }
  }
}

// The peer fills this CTA's tile twice; it is told too soon that the first was read.
//: pair copy_into_the_peer
template <bool mistaken>
__global__ void __cluster_dims__(2) copy_into_the_peer(const int* in, int* out) {
  __shared__ alignas(128) int source[2][128];
  __shared__ alignas(128) int tile[128];
  __shared__ uint64_t full;
  __shared__ uint64_t empty;
  if (threadIdx.x == 0) {
    init_barrier(&full, 1);
    init_barrier(&empty, 128);
    fence_barrier_init();
  }
  source[0][threadIdx.x] = in[threadIdx.x];
  source[1][threadIdx.x] = in[128 + threadIdx.x];
  fence_proxy_async_shared();
  cluster_sync();
  for (int lap = 0; lap < 2; ++lap) {
    if (cluster_rank() == 0 && threadIdx.x == 0) {
      if (lap == 1) {
        wait_parity_cluster(&empty, 0);
      }
      const uint32_t remote = address_in_cta(tile, 1);
      const uint32_t barrier = address_in_cta(&full, 1);
      arrive_and_expect_remote(barrier, sizeof(tile));
      copy_bulk_to_cta(remote, source[lap], sizeof(tile), barrier);  //: other
    } else if (cluster_rank() == 1) {
      wait_parity_cluster(&full, lap);
      if (mistaken && lap == 0) {
        arrive_remote(address_in_cta(&empty, 0));  //: load-over-unread-data
      }
      out[128 * lap + threadIdx.x] = tile[threadIdx.x];  //: other
      fence_proxy_async_shared();
      if (!mistaken && lap == 0) {
        arrive_remote(address_in_cta(&empty, 0));
      }
    }
  }
  cluster_sync();
}

//: pair copy_into_the_stage_that_others_read
// A ring of cp.async whose next copies begin when the thread itself has read.
template <bool mistaken>
__global__ void copy_into_the_stage_that_others_read(const int* in, int* out) {
  constexpr int stages = 2;
  constexpr int tiles = 6;
  __shared__ alignas(16) int ring[stages][128];
  const int i = threadIdx.x;
  for (int tile = 0; tile < stages; ++tile) {
    cp_async_4(&ring[tile][i], in + 128 * tile + i);
    cp_async_commit();
  }
  for (int tile = 0; tile < tiles; ++tile) {
    cp_async_wait<1>();
    __syncthreads();
    out[128 * tile + i] = ring[tile % stages][127 - i];  //: other
    if constexpr (!mistaken) __syncthreads();
    const int next = tile + stages;
    int* const to = &ring[next % stages][i];
    if (next < tiles) cp_async_4(to, in + 128 * next + i);  //: load-over-unread-data
    cp_async_commit();
  }
}
int mirrored_tiles(int i) {
  return i / 128 * 128 + 128 - i % 128;
}

constexpr Pair pairs[] = {
    pair<loop_without_a_barrier<true>, loop_without_a_barrier<false>, the_input,
         Shape{.checked = 512}>("loop_without_a_barrier"),
    pair<arrival_before_the_read<true>, arrival_before_the_read<false>, the_input,
         Shape{.checked = 288}>("arrival_before_the_read"),
    pair<arrival_for_the_warp<true>, arrival_for_the_warp<false>, the_input>(
        "arrival_for_the_warp"),
    pair<barrier_in_front_of_the_read<true>, barrier_in_front_of_the_read<false>,
         tiles_below_each_other, Shape{.checked = 512}>("barrier_in_front_of_the_read"),
    pair<multicast_into_the_peer<true>, multicast_into_the_peer<false>, the_input_four_times,
         Shape{.blocks = 2, .checked = 512}>("multicast_into_the_peer"),
    pair<relaxed_arrival<true>, relaxed_arrival<false>, the_input, Shape{.checked = 256}>(
        "relaxed_arrival"),
    pair<into_the_neighbors_part<true>, into_the_neighbors_part<false>, first_part_has_two,
         Shape{.threads = 64, .checked = 64}>("into_the_neighbors_part"),
    pair<reader_who_is_not_in_the_barrier<true>, reader_who_is_not_in_the_barrier<false>, the_input,
         Shape{.threads = 96, .checked = 192}>("reader_who_is_not_in_the_barrier"),
    pair<counted_by_a_relaxed_atomic<true>, counted_by_a_relaxed_atomic<false>, the_input,
         Shape{.checked = 256}>("counted_by_a_relaxed_atomic"),
    pair<copy_into_the_peer<true>, copy_into_the_peer<false>, the_input,
         Shape{.blocks = 2, .checked = 256}>("copy_into_the_peer"),
    pair<copy_into_the_stage_that_others_read<true>, copy_into_the_stage_that_others_read<false>,
         mirrored_tiles, Shape{.checked = 768}>("copy_into_the_stage_that_others_read"),
};

int main(int argc, char** argv) {
  return run_pairs(pairs, argc, argv);
}
