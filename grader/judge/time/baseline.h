// What a measurement takes without a submission: the sets, the protocol and the GPU by themselves.
// What a round takes is held against it.
#pragma once

#include <chrono>

#include "common/result.h"
#include "judge/call/runner_pool.h"
#include "judge/time/product_library.h"
#include "judge/time/snapshot.h"
#include "judge/time/timed_sets.h"

namespace judge {

inline constexpr int timed_rounds = 9;
// Of the library, before the submission is loaded and once more when it is gone.
inline constexpr int library_rounds = 5;
inline constexpr std::chrono::seconds warming_time{5};

// A GPU counts as at rest when filling the sets takes no longer than this many times what it took
// before there was a submission; with another process's kernels between it takes twice as long.
inline constexpr double resting_fill = 1.25;
inline constexpr int tries_to_rest = 3;

// After a long request the snapshot takes up to 0.07 ms longer than after an empty call (seen on an
// H200). So much is forgiven, of the 16 ms and more of a request.
inline constexpr double forgiven_seconds = 1e-4;

struct Baseline {
  double roofline_gb_per_s = 0;  // of copies; of a product, the library's operations instead,
                                 // before the submission
  double fill_seconds = 0;       // of all sets, on a GPU that has nothing else to do
  double waking_seconds = 0;     // of an empty call after the sets were filled
  double protocol_seconds = 0;   // of an empty call after another one
  double settling_seconds = 0;   // from its reply until the judge's own kernel has run

  // Of the seconds that filling the sets and an empty call took before a round.
  bool is_at_rest(double filled, double answered) const;
  // How much longer both took than usual. It is a part of the time measured, so that work outside
  // the clock gains nothing while the GPU counts as at rest either.
  double unrest_seconds(double filled, double answered) const;
};

// Needs what a round needs, and a runner that has loaded no submission: nobody can make the
// protocol look slower than it is.
// `library`: for a matrix product, else null.
common::Result<Baseline> measure_baseline(TimedSets& sets, Snapshot& snapshot,
                                          const ProductLibrary* library, const RunnerPool& runners);

// Whether empty calls are slow with nobody but the grader at work.
common::Result<bool> machine_is_busy(const Baseline& baseline, TimedSets& sets,
                                     const RunnerPool& runners);

}  // namespace judge
