// A CTA ends while its own bulk copies, or one into it, are under way.
#include "harness.h"
#include "ptx.h"

//: pair store_without_a_wait
template <bool mistaken>
__global__ void store_without_a_wait(const int* in, int* out) {
  __shared__ alignas(128) int tile[128];
  tile[threadIdx.x] = in[threadIdx.x];
  fence_proxy_async_shared();
  __syncthreads();
  if (threadIdx.x == 0) {
    store_bulk(out, tile, sizeof(tile));  //: exit-during-bulk-copy
    commit_group();
    if constexpr (!mistaken) {
      wait_group_read<0>();
    }
  }
}

// At the end no group may be pending, on a ring neither.
//: pair one_group_is_left
template <bool mistaken>
__global__ void one_group_is_left(const __grid_constant__ TensorMaps maps, const int* in,
                                  int* out) {
  __shared__ alignas(128) int ring[2][TILE_ROWS][TILE_COLUMNS];
  const int row = threadIdx.x / TILE_COLUMNS;
  const int column = threadIdx.x % TILE_COLUMNS;
  for (int tile = 0; tile < 3; ++tile) {
    ring[tile % 2][row][column] = in[(TILE_ROWS * tile + row) * MAP_COLUMNS + column];
    fence_proxy_async_shared();
    __syncthreads();
    if (threadIdx.x == 0) {
      reduce_add_tile(&maps.out, 0, TILE_ROWS * tile, ring[tile % 2]);  //: exit-during-bulk-copy
      commit_group();
      wait_group_read<1>();
    }
    __syncthreads();
  }
  if (!mistaken && threadIdx.x == 0) {
    wait_group_read<0>();
  }
}

// The ring is filled one tile further than it is read.
//: pair load_that_nobody_needs
template <bool mistaken>
__global__ void load_that_nobody_needs(const int* in, int* out) {
  __shared__ alignas(128) int ring[2][128];
  __shared__ uint64_t full[2];
  prepare_barrier(&full[0], 1);
  prepare_barrier(&full[1], 1);
  constexpr int tiles = 3;
  constexpr int loads = mistaken ? tiles + 1 : tiles;
  for (int step = 0; step <= tiles; ++step) {
    if (threadIdx.x == 0 && step < loads) {
      arrive_and_expect(&full[step % 2], sizeof(ring[0]));
      //: exit-during-bulk-copy
      load_bulk(ring[step % 2], in + 128 * step, sizeof(ring[0]), &full[step % 2]);
    }
    if (step > 0) {
      const int tile = step - 1;
      wait_parity(&full[tile % 2], tile / 2);
      out[128 * tile + threadIdx.x] = ring[tile % 2][threadIdx.x];
      fence_proxy_async_shared();
      __syncthreads();
    }
  }
}

// The stage is filled again behind each tile, behind the last one, too.
//: pair refill_behind_the_last_tile
template <bool mistaken>
__global__ void refill_behind_the_last_tile(const __grid_constant__ TensorMaps maps, const int* in,
                                            int* out) {
  __shared__ alignas(128) int tile[TILE_ROWS][TILE_COLUMNS];
  __shared__ uint64_t full;
  prepare_barrier(&full, 1);
  const int row = threadIdx.x / TILE_COLUMNS;
  const int column = threadIdx.x % TILE_COLUMNS;
  constexpr int tiles = 2;
  if (threadIdx.x == 0) {
    arrive_and_expect(&full, sizeof(tile));
    load_tile(tile, &maps.in, 0, 0, &full);
  }
  for (int step = 0; step < tiles; ++step) {
    wait_parity(&full, step % 2);
    out[(TILE_ROWS * step + row) * MAP_COLUMNS + column] = tile[row][column];
    fence_proxy_async_shared();
    __syncthreads();
    if (threadIdx.x == 0 && (mistaken || step + 1 < tiles)) {
      arrive_and_expect(&full, sizeof(tile));
      load_tile(tile, &maps.in, 0, TILE_ROWS * (step + 1), &full);  //: exit-during-bulk-copy
    }
  }
}

// CTA 1 goes without having seen what CTA 0's multicast brings it.
//: pair multicast_that_one_does_not_await
template <bool mistaken>
__global__ void __cluster_dims__(2) multicast_that_one_does_not_await(const int* in, int* out) {
  __shared__ alignas(128) int tile[128];
  __shared__ uint64_t full;
  if (threadIdx.x == 0) {
    init_barrier(&full, 1);
    fence_barrier_init();
    arrive_and_expect(&full, sizeof(tile));
  }
  cluster_sync();
  if (cluster_rank() == 0 && threadIdx.x == 0) {
    load_bulk_multicast(tile, in, sizeof(tile), &full, 0b11);  //: exit-during-bulk-copy
  }
  if (!mistaken || cluster_rank() == 0) {
    wait_parity(&full, 0);
  }
  if (cluster_rank() == 0) {
    out[threadIdx.x] = tile[threadIdx.x];
  }
  cluster_sync();
}

// The issuing thread leaves early on one path.
//: pair early_return
template <bool mistaken>
__global__ void early_return(const int* in, int* out) {
  __shared__ alignas(16) int sums[32];
  sums[threadIdx.x] = in[threadIdx.x] + 1;
  fence_proxy_async_shared();
  __syncwarp();
  if (threadIdx.x == 0) {
    reduce_add_bulk(out, sums, sizeof(sums));  //: exit-during-bulk-copy
    commit_group();
    if (mistaken && in[0] == 1) {
      return;
    }
    wait_group<0>();
  }
}

constexpr Shape two_blocks{.blocks = 2};

constexpr Pair pairs[] = {
    pair<store_without_a_wait<true>, store_without_a_wait<false>>("store_without_a_wait"),
    pair<one_group_is_left<true>, one_group_is_left<false>, the_index, Shape{.checked = 32}>(
        "one_group_is_left"),
    pair<load_that_nobody_needs<true>, load_that_nobody_needs<false>, the_input,
         Shape{.checked = 384}>("load_that_nobody_needs"),
    pair<refill_behind_the_last_tile<true>, refill_behind_the_last_tile<false>, the_input,
         Shape{.checked = 32}>("refill_behind_the_last_tile"),
    pair<multicast_that_one_does_not_await<true>, multicast_that_one_does_not_await<false>,
         the_input, two_blocks>("multicast_that_one_does_not_await"),
    pair<early_return<true>, early_return<false>, the_input, Shape{.threads = 32, .checked = 32}>(
        "early_return"),
};

int main(int argc, char** argv) {
  return run_pairs(pairs, argc, argv);
}
