// The rungs of lab 12's ladder, from a thread an element to the solution's kernels. Whoever
// includes this has included lab12.cu before.
#pragma once

#include "ladders/matmul/before_wgmma.cuh"
#include "ladders/matmul/one_warpgroup.cuh"
#include "ladders/matmul/wide_tiles.cuh"

namespace ladder {

// How often a rung is measured: a product of 8192 x 8192 x 8192 takes it seconds, tens of
// milliseconds, or one to five.
enum class Pace { seconds, tens_of_milliseconds, milliseconds };

struct Rung {
  const char* name;
  void (*launch)(int m, int n, int k, bf16* a, bf16* b, bf16* c);
  Pace pace;
};

// Tiles of 64 x 64 from `wgmma` to `ring`, of 128 x 128 in `specialized`, then of 128 x 256.
inline constexpr Rung RUNGS[] = {
    {"thread", launch_matmul_naive, Pace::seconds},
    {"tile", launch_matmul_tiled, Pace::seconds},
    {"mma-sync", launch_matmul_mma_sync, Pace::tens_of_milliseconds},
    {"wgmma", launch_copied_matmul, Pace::tens_of_milliseconds},
    {"tma", launch_loaded_matmul<1>, Pace::tens_of_milliseconds},
    {"stages", launch_loaded_matmul<4>, Pace::milliseconds},
    {"ring", launch_ring_matmul, Pace::milliseconds},
    {"specialized", launch_specialized_matmul, Pace::milliseconds},
    {"wide", launch_wide_matmul<Ctas::one_a_tile, NO_BANDS, Results::by_threads, Stage::of_one_cta>,
     Pace::milliseconds},
    {"persistent",
     launch_wide_matmul<Ctas::that_stay, NO_BANDS, Results::by_threads, Stage::of_one_cta>,
     Pace::milliseconds},
    {"bands", launch_wide_matmul<Ctas::that_stay, BAND, Results::by_threads, Stage::of_one_cta>,
     Pace::milliseconds},
    {"one-panel",
     launch_wide_matmul<Ctas::that_stay, BAND, Results::from_one_panel, Stage::of_one_cta>,
     Pace::milliseconds},
    {"panels", launch_wide_matmul<Ctas::that_stay, BAND, Results::from_panels, Stage::of_one_cta>,
     Pace::milliseconds},
    {"multicast", launch_wide_matmul<Ctas::that_stay, BAND, Results::from_panels, Stage::of_both>,
     Pace::milliseconds},
    {"overlapped", launch_overlapped_matmul, Pace::milliseconds},
    {"ping-pong", launch_in_turns, Pace::milliseconds},
};

}  // namespace ladder
