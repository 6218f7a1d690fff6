// Warps that consume what another warp loads, and that never wait for the load. Where they are
// faster than the producer, they read what nobody has written yet.
#include "harness.h"
#include "ptx.h"

constexpr int LAPS = 4;

//: pair consumers_only_hand_back
template <bool mistaken>
__global__ void consumers_only_hand_back(const int* in, int* out) {
  __shared__ alignas(128) int ring[2][96];
  __shared__ uint64_t full[2], empty[2];
  for (int stage = 0; stage < 2; ++stage) {
    prepare_barrier(&full[stage], 1);
    prepare_barrier(&empty[stage], 96);
  }
  if (threadIdx.x == 96) {
    for (int lap = 0; lap < LAPS; ++lap) {
      const int stage = lap % 2;
      if (lap >= 2) wait_parity(&empty[stage], lap / 2 - 1);
      if (mistaken && lap >= 2) wait_parity(&full[stage], lap / 2 - 1);
      arrive_and_expect(&full[stage], sizeof(ring[0]));
      load_bulk(ring[stage], in + 96 * lap, sizeof(ring[0]), &full[stage]);  //: other
    }
    if (mistaken) {
      wait_parity(&full[0], 1);
      wait_parity(&full[1], 1);
    }
  } else if (threadIdx.x < 96) {
    for (int lap = 0; lap < LAPS; ++lap) {
      const int stage = lap % 2;
      if (!mistaken) wait_parity(&full[stage], lap / 2);
      out[96 * lap + threadIdx.x] = ring[stage][threadIdx.x];  //: read-before-wait
      fence_proxy_async_shared();
      arrive(&empty[stage]);
    }
  }
}

// The warp that loads comes behind the warps that read: they are done before it begins.
//: pair last_warp_loads
template <bool mistaken>
__global__ void last_warp_loads(const int* in, int* out) {
  __shared__ alignas(128) int tile[96];
  __shared__ uint64_t full;
  prepare_barrier(&full, 1);
  if (threadIdx.x >= 96) {
    if (threadIdx.x == 96) {
      arrive_and_expect(&full, sizeof(tile));
      load_bulk(tile, in, sizeof(tile), &full);  //: other
    }
    wait_parity(&full, 0);
  } else {
    if (!mistaken) wait_parity(&full, 0);
    out[threadIdx.x] = tile[threadIdx.x];  //: read-before-wait
  }
}

// A sum of a row by each thread, several words at a time.
//: pair rows_by_vectors
int sum_of_the_row(int i) {
  return 4 * (4 * i + 1) + 6;
}
template <bool mistaken>
__global__ void rows_by_vectors(const __grid_constant__ TensorMaps maps, const int* in, int* out) {
  __shared__ alignas(128) int4 tile[32];
  __shared__ uint64_t full;
  prepare_barrier(&full, 1);
  if (threadIdx.x < 32) {
    if (!mistaken) wait_parity(&full, 0);
    const int4 row = tile[threadIdx.x];  //: read-before-wait
    out[threadIdx.x] = row.x + row.y + row.z + row.w;
  } else if (threadIdx.x == 32) {
    arrive_and_expect(&full, sizeof(tile));
    load_bulk(tile, in, sizeof(tile), &full);  //: other
    wait_parity(&full, 0);
  }
}

// In the peer nobody waits for what CTA 0 sends.
//: pair consumers_in_the_peer
int the_input_twice(int i) {
  return i % 128 + 1;
}
template <bool mistaken>
__global__ void __cluster_dims__(2) consumers_in_the_peer(const int* in, int* out) {
  __shared__ alignas(128) int tile[128];
  __shared__ uint64_t full;
  if (threadIdx.x == 0) {
    init_barrier(&full, 1);
    fence_barrier_init();
    arrive_and_expect(&full, sizeof(tile));
  }
  cluster_sync();
  if (cluster_rank() == 0 && threadIdx.x == 0) {
    load_bulk_multicast(tile, in, sizeof(tile), &full, 0b11);  //: other
  }
  if (!mistaken || cluster_rank() == 0) wait_parity_cluster(&full, 0);
  out[128 * cluster_rank() + threadIdx.x] = tile[threadIdx.x];  //: read-before-wait
  if (mistaken && threadIdx.x == 0) wait_parity_cluster(&full, 0);
  cluster_sync();
}

// A warp adds to a tile that another warp loads.
//: pair tile_is_changed_in_place
template <bool mistaken>
__global__ void tile_is_changed_in_place(const int* in, int* out) {
  __shared__ alignas(128) int tile[64];
  __shared__ uint64_t full;
  prepare_barrier(&full, 1);
  if (threadIdx.x < 64) {
    if (!mistaken) wait_parity(&full, 0);
    tile[threadIdx.x] += 1;  //: read-before-wait
    out[threadIdx.x] = tile[threadIdx.x];
  } else if (threadIdx.x == 64) {
    arrive_and_expect(&full, sizeof(tile));
    load_bulk(tile, in, sizeof(tile), &full);  //: other
    wait_parity(&full, 0);
  }
}

// The consumers wait in the first lap only.
//: pair only_the_first_lap_waits
template <bool mistaken>
__global__ void only_the_first_lap_waits(const int* in, int* out) {
  __shared__ alignas(128) int ring[2][32];
  __shared__ uint64_t full[2];
  prepare_barrier(&full[0], 1);
  prepare_barrier(&full[1], 1);
  if (threadIdx.x == 32) {
    for (int lap = 0; lap < 2; ++lap) {
      arrive_and_expect(&full[lap], sizeof(ring[0]));
      load_bulk(ring[lap], in + 32 * lap, sizeof(ring[0]), &full[lap]);  //: other
    }
    wait_parity(&full[1], 0);
  } else if (threadIdx.x < 32) {
    for (int lap = 0; lap < 2; ++lap) {
      if (!mistaken || lap == 0) wait_parity(&full[lap], 0);
      out[32 * lap + threadIdx.x] = ring[lap][threadIdx.x];  //: read-before-wait
    }
  }
}

constexpr Pair pairs[] = {
    pair<consumers_only_hand_back<true>, consumers_only_hand_back<false>, the_input,
         Shape{.checked = 384}>("consumers_only_hand_back"),
    pair<last_warp_loads<true>, last_warp_loads<false>, the_input, Shape{.checked = 96}>(
        "last_warp_loads"),
    pair<rows_by_vectors<true>, rows_by_vectors<false>, sum_of_the_row,
         Shape{.threads = 64, .checked = 32}>("rows_by_vectors"),
    pair<consumers_in_the_peer<true>, consumers_in_the_peer<false>, the_input_twice,
         Shape{.blocks = 2, .checked = 256}>("consumers_in_the_peer"),
    pair<tile_is_changed_in_place<true>, tile_is_changed_in_place<false>, input_plus_one,
         Shape{.checked = 64}>("tile_is_changed_in_place"),
    pair<only_the_first_lap_waits<true>, only_the_first_lap_waits<false>, the_input,
         Shape{.threads = 64, .checked = 64}>("only_the_first_lap_waits"),
};

int main(int argc, char** argv) {
  return run_pairs(pairs, argc, argv);
}
