// The steps of part persistent, one at a time: tiles of 128 x 256 of C, in the skeleton's frame, a
// cluster of two CTAs. Needs lab12.cu in front of it. K is a multiple of 8, and so are M and N.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace ladder {

// Who has a stage: a CTA alone, or both CTAs of the cluster, which then share its tile of B.
enum class Stage { of_one_cta, of_both };
// Who writes the sums to C: the threads, or TMA from panels: one, whose store is waited for, or two
// in turn.
enum class Results { by_threads, from_one_panel, from_panels };

// One thread. As load_tiles of the solution, but each CTA loads all of its tile of B.
__device__ void load_tiles_alone(Ring<TILE_ROWS, TILE_COLUMNS, STAGES>& ring,
                                 const CUtensorMap* a_map, const CUtensorMap* b_map,
                                 const Pairs& pairs, int k) {
  Position<STAGES> at;
  for (int pair = blockIdx.x / CLUSTER; pair < pairs.count; pair += gridDim.x / CLUSTER) {
    const int row = pairs.row(pair), column = pairs.column(pair);
    for (int begin = 0; begin < k; begin += DEPTH, at.advance()) {
      auto& stage = ring.stages[at.stage];
      uint64_t* full = &ring.full[at.stage];
      wait(&ring.empty[at.stage], at.parity ^ 1);
      expect_bytes_and_arrive(full, sizeof(stage));
      cp_async_bulk_tensor_2d_global_to_shared(stage.a, a_map, begin, row, full);
      for (int half = 0; half < TILE_COLUMNS; half += HALF_COLUMNS) {
        cp_async_bulk_tensor_2d_global_to_shared(stage.b + half * DEPTH, b_map, begin,
                                                 column + half, full);
      }
    }
  }
}

// A consumer: it has multiplied the stage.
template <Stage STAGE>
__device__ void hand_back_stage(uint64_t* empty) {
  if constexpr (STAGE == Stage::of_both) {
    hand_back(empty);
  } else if (threadIdx.x % WARPGROUP == 0) {
    arrive(empty, 1);
  }
}

// A consumer: its sums of a tile, from this row and column of C on.
template <Results RESULTS>
__device__ void write_results(Shared& shared, const CUtensorMap* c_map, bf16* c, int m, int n,
                              const float (&sums)[16][8], int first_row, int first_column) {
  const int group = threadIdx.x / WARPGROUP - 1;
  if constexpr (RESULTS == Results::by_threads) {
#pragma unroll
    for (int i = 0; i < 128; ++i) {
      const int row = first_row + row_of(i), column = first_column + column_of(i);
      if (row >= m || column >= n) continue;
      c[static_cast<size_t>(column) * m + row] = __float2bfloat16(sums[i / 8][i % 8]);
    }
  } else if constexpr (RESULTS == Results::from_one_panel) {
    bf16* panel = shared.panels[group][0];
#pragma unroll
    for (int first = 0; first < TILE_COLUMNS; first += PANEL_COLUMNS) {
#pragma unroll
      for (int i = 0; i < 32; ++i) {
        const int column = column_of(i), chunk = row_of(i) / 8 ^ column % 8;
        panel[column * GROUP_ROWS + chunk * 8 + row_of(i) % 8] =
            __float2bfloat16(sums[first / 16 + i / 8][i % 8]);
      }
      async_proxy_fence_shared();
      warpgroup_sync(1 + group);
      if (threadIdx.x % WARPGROUP == 0) {
        cp_async_bulk_tensor_2d_shared_to_global(c_map, first_row, first_column + first, panel);
        tma_store_commit_group();
        tma_store_wait_until_pending_read<0>();
      }
      warpgroup_sync(1 + group);
    }
  } else {
    uint32_t rounded[16][4];
    round_sums(rounded, sums);
#pragma unroll
    for (int first = 0; first < TILE_COLUMNS; first += PANEL_COLUMNS) {
      store_columns(shared, c_map, group, rounded, first_row, first_column, first);
    }
  }
}

template <Stage STAGE, Results RESULTS>
__device__ void multiply_wide_tiles(Shared& shared, const CUtensorMap* c_map, bf16* c,
                                    const Pairs& pairs, int m, int n, int k) {
  const int group = threadIdx.x / WARPGROUP - 1;
  Position<STAGES> at;
  for (int pair = blockIdx.x / CLUSTER; pair < pairs.count; pair += gridDim.x / CLUSTER) {
    float sums[16][8] = {};
    accumulators_changed(sums);  // the zeros are there before the loop
    for (int begin = 0; begin < k; begin += DEPTH, at.advance()) {
      const auto& stage = shared.ring.stages[at.stage];
      wait(&shared.ring.full[at.stage], at.parity);
      warpgroup_arrive();
      for (int step = 0; step < DEPTH; step += STEP) {
        wgmma_n256<1, 1, 1, 0, 0>(columns_of(stage.a, group * GROUP_ROWS, step),
                                  columns_of(stage.b, 0, step), sums);
      }
      wgmma_commit();
      wgmma_wait<1>();
      if (begin > 0) hand_back_stage<STAGE>(&shared.ring.empty[at.stage_before()]);
    }
    wgmma_wait<0>();
    accumulators_changed(sums);
    hand_back_stage<STAGE>(&shared.ring.empty[at.stage_before()]);

    write_results<RESULTS>(shared, c_map, c, m, n, sums, pairs.row(pair) + group * GROUP_ROWS,
                           pairs.column(pair));
  }
  if (threadIdx.x % WARPGROUP == 0) tma_store_wait_until_pending_read<0>();
}

template <Stage STAGE, Results RESULTS>
__global__ __cluster_dims__(CLUSTER)
    __launch_bounds__(THREADS, 1) void wide_matmul(const __grid_constant__ CUtensorMap a_map,
                                                   const __grid_constant__ CUtensorMap b_map,
                                                   const __grid_constant__ CUtensorMap c_map,
                                                   bf16* c, const Pairs pairs, int m, int n,
                                                   int k) {
  Shared& shared = *reinterpret_cast<Shared*>(dynamic_memory);
  if (threadIdx.x == 0) {
    for (int stage = 0; stage < STAGES; ++stage) {
      init_barrier(&shared.ring.full[stage], 1);
      init_barrier(&shared.ring.empty[stage],
                   STAGE == Stage::of_both ? CLUSTER * CONSUMERS : CONSUMERS);
    }
    fence_barrier_init();
  }
  cluster_arrive_relaxed();
  cluster_wait();

  if (threadIdx.x < WARPGROUP) {
    warpgroup_reg_dealloc<PRODUCER_REGISTERS>();
    if (threadIdx.x == 0) {
      if constexpr (STAGE == Stage::of_both) {
        load_tiles(shared.ring, &a_map, &b_map, pairs, k);
      } else {
        load_tiles_alone(shared.ring, &a_map, &b_map, pairs, k);
      }
    }
  } else {
    warpgroup_reg_alloc<CONSUMER_REGISTERS>();
    multiply_wide_tiles<STAGE, RESULTS>(shared, &c_map, c, pairs, m, n, k);
  }
  __syncwarp();
  cluster_arrive_relaxed();
  cluster_wait();
}

enum class Ctas { one_a_tile, that_stay };
inline constexpr int NO_BANDS = 1 << 15;  // pairs of tiles: all of a column, and then the next one

// Clusters that are on the GPU at once.
inline int resident_clusters() {
  int device, sms;
  cuda_check(cudaGetDevice(&device));
  cuda_check(cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, device));
  return sms / CLUSTER;
}

template <Ctas CTAS, int PAIRS_IN_BAND, Results RESULTS, Stage STAGE>
void launch_wide_matmul(int m, int n, int k, bf16* a, bf16* b, bf16* c) {
  const CUtensorMap a_map = map_of(a, m, k, TILE_ROWS, 128);
  const CUtensorMap b_map = map_of(b, n, k, HALF_COLUMNS, 128);
  const CUtensorMap c_map = map_of(c, n, m, PANEL_COLUMNS, 128);
  const auto kernel = wide_matmul<STAGE, RESULTS>;
  cuda_check(
      cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, sizeof(Shared)));
  const Pairs pairs(m, n, TILE_COLUMNS, PAIRS_IN_BAND);
  const int clusters =
      CTAS == Ctas::one_a_tile ? pairs.count : std::min(pairs.count, resident_clusters());
  kernel<<<CLUSTER * clusters, THREADS, sizeof(Shared)>>>(a_map, b_map, c_map, c, pairs, m, n, k);
  cuda_check(cudaGetLastError());
}

// The solution's two kernels, each by itself: launch_h100_matmul chooses one of them.
inline void launch_overlapped_matmul(int m, int n, int k, bf16* a, bf16* b, bf16* c) {
  const CUtensorMap a_map = map_of(a, m, k, TILE_ROWS, 128);
  const CUtensorMap b_map = map_of(b, n, k, HALF_COLUMNS, 128);
  const CUtensorMap c_map = map_of(c, n, m, PANEL_COLUMNS, 128);
  cuda_check(cudaFuncSetAttribute(h100_matmul, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                  sizeof(Shared)));
  const int clusters = std::min(Pairs(m, n).count, resident_clusters());
  const cudaLaunchConfig_t config = early_launch(CLUSTER * clusters, sizeof(Shared));
  cuda_check(cudaLaunchKernelEx(&config, h100_matmul, a_map, b_map, c_map, m, n, k));
}

inline void launch_in_turns(int m, int n, int k, bf16* a, bf16* b, bf16* c) {
  launch_ping_pong_matmul(m, n, k, a, b, c, resident_clusters());
}

}  // namespace ladder
