// A CTA: the threads that share memory and barriers.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "emulator/memory/shared_memory.h"
#include "emulator/model/ids.h"
#include "emulator/sched/register_pool.h"
#include "emulator/sched/turn_order.h"
#include "emulator/sched/warp.h"
#include "emulator/sched/warpgroup.h"

namespace tmaemu {

struct Cluster;

// One of a CTA's sixteen barriers (PTX ISA, barrier{.cta}).
struct CtaBarrier {
  unsigned arrived = 0;          // threads
  unsigned expected = 0;         // threads; 0: all that live
  std::uint64_t generation = 0;  // how often it completed
  std::vector<ThreadId> participants;
  // barrier.red: of the generation under way, and of the last that completed.
  unsigned holding = 0;  // threads whose predicate held
  unsigned last_holding = 0;
  unsigned last_arrived = 0;
};

struct Cta {
  static constexpr unsigned barrier_count = 16;

  Cta(Cluster& cluster, unsigned rank);
  void start(const Dimensions& id);

  // A turn for every warp that can run. True where anything ran.
  bool run();
  bool finished() const;

  // bar.sync / bar.arrive by `threads` threads of a warp.
  // `holding`: the lanes whose predicate holds, for barrier.red.
  void arrive(unsigned barrier, unsigned expected, const Warp& warp, LaneMask lanes,
              LaneMask holding = 0);
  // Called when threads end: barriers that wait for all living threads may complete.
  void on_exit(unsigned threads);
  Warpgroup& warpgroup(const Warp& warp) { return warpgroups[warp.index() / warps_of_warpgroup]; }
  // Its number in the grid.
  std::uint64_t number() const;

  Cluster& cluster;
  unsigned rank;  // in the cluster
  Dimensions id;  // ctaid
  SharedMemory shared;
  std::array<CtaBarrier, barrier_count> barriers;
  unsigned thread_count;  // as launched
  unsigned live_threads = 0;
  std::vector<std::unique_ptr<Warp>> warps;
  std::vector<Warpgroup> warpgroups;  // of four warps each; the last one may have fewer
  RegisterPool registers;
  TurnOrder turns;
  // Of the last run(): every warp that ran ended at a failed test_wait, or at a flag that nobody
  // had changed.
  bool only_idled = false;

 private:
  void complete_if_due(CtaBarrier& barrier);

  std::uint32_t used_barriers_ = 0;  // a bit for each at which threads have arrived since start()
};

}  // namespace tmaemu
