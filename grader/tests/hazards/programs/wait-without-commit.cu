// A wait for a group that does not hold what it is meant for: nothing was committed, or another
// thread issued it.
#include "harness.h"
#include "ptx-wgmma.h"
#include "ptx.h"

//: pair no_commit
template <bool mistaken>
__global__ void no_commit(const int* in, int* out) {
  __shared__ alignas(128) int tile[128];
  tile[threadIdx.x] = in[threadIdx.x];
  fence_proxy_async_shared();
  __syncthreads();
  if (threadIdx.x == 0) {
    store_bulk(out, tile, sizeof(tile));
    if constexpr (!mistaken) {
      commit_group();
    }
    wait_group_read<0>();  //: wait-without-commit
  }
}

//: pair commit_in_front_of_the_store
template <bool mistaken>
__global__ void commit_in_front_of_the_store(const __grid_constant__ TensorMaps maps, const int* in,
                                             int* out) {
  __shared__ alignas(128) int tile[TILE_ROWS][TILE_COLUMNS];
  const int row = threadIdx.x / TILE_COLUMNS;
  const int column = threadIdx.x % TILE_COLUMNS;
  tile[row][column] = in[row * MAP_COLUMNS + column];
  fence_proxy_async_shared();
  __syncthreads();
  if (threadIdx.x == 0) {
    if constexpr (mistaken) {
      commit_group();
    }
    store_tile(&maps.out, 0, 0, tile);
    if constexpr (!mistaken) {
      commit_group();
    }
    wait_group<0>();  //: wait-without-commit
  }
}

// Thread 0 stores and commits; a thread of another warp waits, and has no groups of its own.
//: pair another_thread_waits
template <bool mistaken>
__global__ void another_thread_waits(const int* in, int* out) {
  __shared__ alignas(128) int tile[128];
  for (int lap = 0; lap < 2; ++lap) {
    tile[threadIdx.x] = in[128 * lap + threadIdx.x];
    fence_proxy_async_shared();
    __syncthreads();
    if (threadIdx.x == 0) {
      store_bulk(out + 128 * lap, tile, sizeof(tile));
      commit_group();
    }
    if (threadIdx.x == (mistaken ? 32 : 0)) {
      wait_group_read<0>();  //: wait-without-commit
    }
    __syncthreads();
  }
  if (threadIdx.x == 0) {
    wait_group_read<0>();
  }
}

// The commit, too, is for the caller's own operations.
//: pair another_lane_commits
template <bool mistaken>
__global__ void another_lane_commits(const int* in, int* out) {
  __shared__ alignas(16) int sums[32];
  sums[threadIdx.x] = in[threadIdx.x] + 1;
  fence_proxy_async_shared();
  __syncwarp();
  if (threadIdx.x == 0) {
    reduce_add_bulk(out, sums, sizeof(sums));
  }
  __syncwarp();
  if (threadIdx.x == (mistaken ? 1 : 0)) {
    commit_group();
    wait_group_read<0>();  //: wait-without-commit
  }
}

// cp.async has groups of its own.
//: pair commit_of_the_other_kind
template <bool mistaken>
__global__ void commit_of_the_other_kind(const int* in, int* out) {
  __shared__ alignas(128) int tile[32];
  cp_async_4(tile + threadIdx.x, in + threadIdx.x);
  cp_async_wait_all();
  fence_proxy_async_shared();
  __syncwarp();
  if (threadIdx.x == 0) {
    store_bulk(out, tile, sizeof(tile));
    if constexpr (mistaken) {
      cp_async_commit();
    } else {
      commit_group();
    }
    wait_group_read<0>();  //: wait-without-commit
  }
}

// The second of two stores is issued behind the commit.
//: pair second_store_is_not_in_the_group
template <bool mistaken>
__global__ void second_store_is_not_in_the_group(const int* in, int* out) {
  __shared__ alignas(128) int tile[128];
  tile[threadIdx.x] = in[threadIdx.x];
  fence_proxy_async_shared();
  __syncthreads();
  if (threadIdx.x == 0) {
    store_bulk(out, tile, 256);
    if constexpr (mistaken) {
      commit_group();
    }
    store_bulk(out + 64, tile + 64, 256);
    if constexpr (!mistaken) {
      commit_group();
    }
    wait_group_read<0>();  //: wait-without-commit
  }
}

// cp.async.wait_group waits for groups alone; cp.async.wait_all would wait for these as well.
//: pair cp_async_without_a_group
template <bool mistaken>
__global__ void cp_async_without_a_group(const int* in, int* out) {
  __shared__ alignas(128) int tile[128];
  cp_async_16(tile + 4 * threadIdx.x, in + 4 * threadIdx.x);
  if constexpr (mistaken) {
    cp_async_wait<0>();  //: wait-without-commit
  } else {
    cp_async_wait_all();
  }
  for (int i = 0; i < 4; ++i) {
    out[4 * threadIdx.x + i] = tile[4 * threadIdx.x + i];
  }
  cp_async_wait_all();
}

// Each lap another warp stores, and it is always warp 0 that waits.
//: pair storing_in_turns
template <bool mistaken>
__global__ void storing_in_turns(const int* in, int* out) {
  __shared__ alignas(128) int tile[2][96];
  for (int lap = 0; lap < 2; ++lap) {
    tile[lap][threadIdx.x] = in[96 * lap + threadIdx.x];
    fence_proxy_async_shared();
    __syncthreads();
    const unsigned storing = 32 + 32 * lap;
    if (threadIdx.x == storing) {
      store_bulk(out + 96 * lap, tile[lap], sizeof(tile[lap]));
      commit_group();
    }
    if (threadIdx.x == (mistaken ? 0 : storing)) {
      wait_group_read<0>();  //: wait-without-commit
    }
    __syncthreads();
  }
}

constexpr Shape one_warp{.threads = 32, .checked = 32};

//: pair forgets_the_commit
template <bool mistaken>
__global__ void forgets_the_commit(const int* in, int* out) {
  __shared__ Factors factors;
  __shared__ uint64_t loaded;
  load_factors(factors, in, loaded);
  Sums sums;
  fence_registers();
  multiply(sums, factors);  //: other
  if constexpr (!mistaken) commit_products();
  wait_products<0>();  //: wait-without-commit
  store(out, sums);
}

//: pair commits_too_early
template <bool mistaken>
__global__ void commits_too_early(const int* in, int* out) {
  __shared__ Factors factors;
  __shared__ uint64_t loaded;
  load_factors(factors, in, loaded);
  Sums sums;
  fence_registers();
  multiply(sums, factors);
  if constexpr (mistaken) commit_products();
  multiply(sums, factors);  //: other
  if constexpr (!mistaken) commit_products();
  wait_products<0>();  //: wait-without-commit
  store(out, sums);
}

// Two stores of one tile, and the second is behind the commit. The threads go on from what they
// have stored: they read the tile before they write it.
int the_input_twice(int i) {
  return i % 128 + 1;
}
//: pair goes_on_from_what_is_stored
template <bool mistaken>
__global__ void goes_on_from_what_is_stored(const int* in, int* out) {
  __shared__ alignas(128) int tile[128];
  tile[threadIdx.x] = in[threadIdx.x];
  fence_proxy_async_shared();
  __syncthreads();
  if (threadIdx.x == 0) {
    store_bulk(out, tile, sizeof(tile));
    if (mistaken) commit_group();
    store_bulk(out + 128, tile, sizeof(tile));  //: other
    if (!mistaken) commit_group();
    wait_group_read<0>();  //: wait-without-commit
  }
  __syncthreads();
  tile[threadIdx.x] += 1;
  __syncthreads();
  if (threadIdx.x == 0) {
    commit_group();
    wait_group_read<0>();
  }
}

constexpr Pair pairs[] = {
    pair<no_commit<true>, no_commit<false>>("no_commit"),
    pair<commit_in_front_of_the_store<true>, commit_in_front_of_the_store<false>, the_input,
         Shape{.checked = 32}>("commit_in_front_of_the_store"),
    pair<another_thread_waits<true>, another_thread_waits<false>, the_input, Shape{.checked = 256}>(
        "another_thread_waits"),
    pair<another_lane_commits<true>, another_lane_commits<false>, the_input, one_warp>(
        "another_lane_commits"),
    pair<commit_of_the_other_kind<true>, commit_of_the_other_kind<false>, the_input, one_warp>(
        "commit_of_the_other_kind"),
    pair<second_store_is_not_in_the_group<true>, second_store_is_not_in_the_group<false>>(
        "second_store_is_not_in_the_group"),
    pair<cp_async_without_a_group<true>, cp_async_without_a_group<false>, the_input,
         Shape{.threads = 32}>("cp_async_without_a_group"),
    pair<storing_in_turns<true>, storing_in_turns<false>, the_input,
         Shape{.threads = 96, .checked = 192}>("storing_in_turns"),
    pair<forgets_the_commit<true>, forgets_the_commit<false>, the_product, PRODUCT>(
        "forgets_the_commit"),
    pair<commits_too_early<true>, commits_too_early<false>, twice_the_product, PRODUCT>(
        "commits_too_early"),
    pair<goes_on_from_what_is_stored<true>, goes_on_from_what_is_stored<false>, the_input_twice,
         Shape{.checked = 256}>("goes_on_from_what_is_stored"),
};

int main(int argc, char** argv) {
  return run_pairs(pairs, argc, argv);
}
