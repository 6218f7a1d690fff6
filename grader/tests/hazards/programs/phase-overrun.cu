// An mbarrier can go two phases while somebody waits for the first: then that wait does not return.
#include "harness.h"
#include "ptx.h"

// Each lap has a tile of its own, so nothing keeps the issuing thread but the barrier that all
// share.
//: pair loads_of_two_laps
template <bool mistaken>
__global__ void loads_of_two_laps(const int* in, int* out) {
  __shared__ alignas(128) int tiles[2][128];
  __shared__ uint64_t full;
  prepare_barrier(&full, 1);
  for (int lap = 0; lap < 2; ++lap) {
    if (threadIdx.x == 0) {
      arrive_and_expect(&full, sizeof(tiles[0]));
      load_bulk(tiles[lap], in + 128 * lap, sizeof(tiles[0]), &full);
    }
    wait_parity(&full, lap);  //: phase-overrun
    out[128 * lap + threadIdx.x] = tiles[lap][threadIdx.x];
    if constexpr (!mistaken) {
      __syncthreads();
    }
  }
}

// A bell that is rung twice, and nobody has to have heard it the first time.
//: pair rung_twice
template <bool mistaken>
__global__ void rung_twice(const int* in, int* out) {
  __shared__ uint64_t bell;
  __shared__ uint64_t heard;
  __shared__ int values[2];
  prepare_barrier(&bell, 1);
  prepare_barrier(&heard, 1);
  for (int lap = 0; lap < 2; ++lap) {
    if (threadIdx.x == 0) {
      values[lap] = in[lap];
      arrive(&bell);
      if constexpr (!mistaken) {
        wait_parity(&heard, lap);
      }
    } else if (threadIdx.x == 32) {
      wait_parity(&bell, lap);  //: phase-overrun
      out[lap] = values[lap];
      if constexpr (!mistaken) {
        arrive(&heard);
      }
    }
  }
}

// Two warps meet twice; the third one looks on, and is not counted.
//: pair onlooker
template <bool mistaken>
__global__ void onlooker(const int* in, int* out) {
  __shared__ uint64_t meeting;
  prepare_barrier(&meeting, mistaken ? 64 : 96);
  for (int lap = 0; lap < 2; ++lap) {
    if (threadIdx.x < 64) {
      const uint64_t state = arrive(&meeting);
      wait_state(&meeting, state);
    } else {
      if constexpr (!mistaken) {
        arrive(&meeting);
      }
      wait_parity(&meeting, lap);  //: phase-overrun
    }
    out[96 * lap + threadIdx.x] = in[96 * lap + threadIdx.x];
  }
}

// A ring of two barriers with room for all tiles: the producer goes ahead by more than one round.
//: pair producer_a_round_ahead
template <bool mistaken>
__global__ void producer_a_round_ahead(const __grid_constant__ TensorMaps maps, const int* in,
                                       int* out) {
  __shared__ alignas(128) int tiles[4][TILE_INTS];
  __shared__ uint64_t full[2];
  __shared__ uint64_t empty[2];
  for (int stage = 0; stage < 2; ++stage) {
    prepare_barrier(&full[stage], 1);
    prepare_barrier(&empty[stage], 128);
  }
  if (threadIdx.x == 128) {
    for (int tile = 0; tile < 4; ++tile) {
      if (!mistaken && tile >= 2) {
        wait_parity(&empty[tile % 2], 0);
      }
      arrive_and_expect(&full[tile % 2], sizeof(tiles[0]));
      load_tile(tiles[tile], &maps.in, 0, TILE_ROWS * tile, &full[tile % 2]);
      if (mistaken && tile < 2) {
        wait_parity(&full[tile % 2], 0);
      }
    }
  } else if (threadIdx.x < 128) {
    for (int tile = 0; tile < 4; ++tile) {
      wait_parity(&full[tile % 2], tile / 2);  //: phase-overrun
      out[TILE_INTS * tile + threadIdx.x] = tiles[tile][threadIdx.x];
      arrive(&empty[tile % 2]);
    }
  }
}
int tiles_below_each_other(int i) {
  return i / TILE_COLUMNS * MAP_COLUMNS + i % TILE_COLUMNS + 1;
}

// The peer signals the end of two steps; between them it waits for nothing.
//: pair signals_of_the_peer
template <bool mistaken>
__global__ void __cluster_dims__(2) signals_of_the_peer(const int* in, int* out) {
  __shared__ uint64_t signal;
  __shared__ int values[2];
  if (threadIdx.x == 0) {
    init_barrier(&signal, 1);
    fence_barrier_init();
  }
  cluster_sync();
  for (int step = 0; step < 2; ++step) {
    if (cluster_rank() == 1 && threadIdx.x == 0) {
      store_remote(address_in_cta(&values[step], 0), in[step]);
      arrive_remote(address_in_cta(&signal, 0));
    } else if (cluster_rank() == 0 && threadIdx.x == 0) {
      wait_parity_cluster(&signal, step);  //: phase-overrun
      out[step] = values[step];
    }
    __syncwarp();
    if constexpr (!mistaken) {
      cluster_sync();
    }
  }
  cluster_sync();
}

// Both CTAs pause between the steps, each for itself: that they go on together nothing says.
//: pair steps_of_two_ctas
template <bool mistaken>
__global__ void __cluster_dims__(2) steps_of_two_ctas(const int* in, int* out) {
  __shared__ uint64_t signal;
  __shared__ int values[4];
  if (threadIdx.x == 0) {
    init_barrier(&signal, 1);
    fence_barrier_init();
  }
  cluster_sync();
  for (int step = 0; step < 4; ++step) {
    if (cluster_rank() == 1 && threadIdx.x == 0) {
      store_remote(address_in_cta(&values[step], 0), in[step]);
      arrive_remote(address_in_cta(&signal, 0));
    } else if (cluster_rank() == 0 && threadIdx.x == 0) {
      wait_parity_cluster(&signal, step % 2);  //: phase-overrun
      out[step] = values[step];
    }
    if constexpr (mistaken) {
      __syncthreads();
    } else {
      cluster_sync();
    }
  }
  cluster_sync();
}

// What is handed over, and a last element that says that there are no more. The writer does not
// wait for the reader: that may see nothing but the last one.
//: pair elements_with_an_end
template <bool mistaken>
__global__ void elements_with_an_end(const int* in, int* out) {
  __shared__ uint64_t full, empty;
  __shared__ int element;
  prepare_barrier(&full, 1);
  prepare_barrier(&empty, 1);
  if (threadIdx.x == 0) {
    for (int i = 0; i < 3; ++i) {
      if constexpr (!mistaken) {
        wait_parity(&empty, i % 2 ^ 1);
      }
      element = i == 2 ? -1 : in[i];
      arrive(&full);
    }
  } else if (threadIdx.x == 32) {
    for (int i = 0;; ++i) {
      wait_parity(&full, i % 2);  //: phase-overrun
      const int seen = element;
      if (seen < 0) {
        break;
      }
      out[i] = seen;
      arrive(&empty);
    }
  }
}

// Who drops out of a barrier is not waited for: the others may be two phases on before it has seen
// the first.
//: pair wait_after_dropping_out
template <bool mistaken>
__global__ void wait_after_dropping_out(const int* in, int* out) {
  __shared__ uint64_t meeting;
  prepare_barrier(&meeting, 64);
  if (threadIdx.x < 32) {
    for (int lap = 0; lap < 2; ++lap) {
      const uint64_t state = arrive(&meeting);
      wait_state(&meeting, state);
    }
  } else {
    if constexpr (mistaken) {
      arrive_and_drop(&meeting);
    } else {
      arrive(&meeting);
    }
    wait_parity(&meeting, 0);  //: phase-overrun
    if constexpr (!mistaken) {
      arrive_and_drop(&meeting);
    }
  }
  out[threadIdx.x] = in[threadIdx.x];
}

constexpr Pair pairs[] = {
    pair<loads_of_two_laps<true>, loads_of_two_laps<false>, the_input, Shape{.checked = 256}>(
        "loads_of_two_laps"),
    pair<rung_twice<true>, rung_twice<false>, the_input, Shape{.threads = 64, .checked = 2}>(
        "rung_twice"),
    pair<onlooker<true>, onlooker<false>, the_input, Shape{.threads = 96, .checked = 192}>(
        "onlooker"),
    pair<producer_a_round_ahead<true>, producer_a_round_ahead<false>, tiles_below_each_other,
         Shape{.threads = 160, .checked = 512}>("producer_a_round_ahead"),
    pair<signals_of_the_peer<true>, signals_of_the_peer<false>, the_input,
         Shape{.blocks = 2, .checked = 2}>("signals_of_the_peer"),
    pair<steps_of_two_ctas<true>, steps_of_two_ctas<false>, the_input,
         Shape{.blocks = 2, .checked = 4}>("steps_of_two_ctas"),
    pair<elements_with_an_end<true>, elements_with_an_end<false>, the_input,
         Shape{.threads = 64, .checked = 2}>("elements_with_an_end"),
    pair<wait_after_dropping_out<true>, wait_after_dropping_out<false>, the_input,
         Shape{.threads = 64, .checked = 64}>("wait_after_dropping_out"),
};

int main(int argc, char** argv) {
  return run_pairs(pairs, argc, argv);
}
