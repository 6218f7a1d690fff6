// A CTA and its cluster: the threads that share memory and barriers, and the unit that the grid's
// scheduler places. A kernel launched without clusters has clusters of one CTA.
#pragma once

#include <array>
#include <cstdint>
#include <cstring>
#include <memory>
#include <unordered_map>
#include <vector>

#include "emulator/mbarrier/mbarrier.h"
#include "emulator/memory/address_space.h"
#include "emulator/memory/global_memory.h"
#include "emulator/memory/shared_memory.h"
#include "emulator/sched/async_copies.h"
#include "emulator/sched/causality.h"
#include "emulator/sched/warp.h"
#include "emulator/tma/engine.h"
#include "emulator/tma/map_cache.h"
#include "emulator/tma/map_changes.h"

namespace tmaemu {

class Diagnostics;
struct Cluster;

// What one launch holds in common.
struct Launch {
  const Program* program = nullptr;
  const LaunchRequest* request = nullptr;
  GlobalMemory* memory = nullptr;
  Diagnostics* diagnostics = nullptr;
  TensorMapChanges* map_changes = nullptr;
  AsyncPolicy policy;
  std::string* output = nullptr;  // what the kernel prints
  std::size_t shared_bytes = 0;   // of a CTA: reserved, static and dynamic
  bool counts = false;               // statistics
  std::uint64_t grid_workspace = 0;  // address, for the grid's barrier; 0: no cooperative launch
  std::uint64_t number = 1;          // of the launch, in the program's order
};

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
  bool only_polled = false;  // in the last run(): every warp that ran ended at a failed test_wait

 private:
  void complete_if_due(CtaBarrier& barrier);
};

struct Cluster {
  // `counters`: where its statistics go; null where nobody counts.
  explicit Cluster(const Launch& launch, stats::Counters* counters = nullptr);
  // Begins with the CTAs of the cluster at `first` (a ctaid, the lowest of the cluster).
  void start(const Dimensions& first);

  // `blocked`: nothing can run until something outside the cluster changes. `polling`: all that
  // runs asks for what does not come.
  enum class Progress : std::uint8_t { ran, polling, blocked, finished };
  // Gives every warp at most `rounds` turns.
  Progress run(unsigned rounds);
  bool finished() const;
  // Executed by all its threads, since it was made.
  std::uint64_t thread_instructions() const;
  // As if the time limit of every try_wait that sleeps had passed. False where none sleeps.
  bool time_out_waits();

  // --- mbarriers, by shared::cluster address (which has() has been asked about) ---
  Mbarrier load_mbarrier(std::uint32_t address) const {
    std::uint64_t bits = 0;
    const std::byte* shared = ctas[shared_rank(address)]->shared.generic();
    std::memcpy(&bits, shared + shared_offset(address), sizeof bits);
    return Mbarrier::unpack(bits);
  }
  void store_mbarrier(std::uint32_t address, const Mbarrier& barrier);
  void init_mbarrier(std::uint32_t address, std::int64_t count, ThreadId by);
  // Whether `thread`, in another CTA than the mbarrier, knows that it was initialized: a barrier of
  // the cluster, or what has the same effect, lies between.
  bool sees_initialization(std::uint32_t address, ThreadId thread) const;
  // Adds `tx_bytes` to the tx-count, then arrives `count` times; either may be 0. `by` is null for
  // the engine's complete_tx. Returns what was illegal about it, in words; empty where nothing was.
  std::string arrive_mbarrier(std::uint32_t address, std::int64_t count, std::int64_t tx_bytes,
                              const ThreadId* by);
  // `by` has seen the phase complete.
  void observe_mbarrier(std::uint32_t address, ThreadId by);

  // --- Flags: shared memory through which threads synchronise (atomics, volatile, release and
  // acquire). Lenient: a fence that is missing beside such an access is not noticed.
  void publish_flag(Cta& cta, std::uint32_t offset, ThreadId by);
  void observe_flag(Cta& cta, std::uint32_t offset, ThreadId by);

  // Each of its threads has a number of its own, from 0.
  std::size_t thread_count() const { return ctas.size() * ctas.front()->thread_count; }
  std::size_t number_of(ThreadId thread) const {
    return std::size_t{thread.rank} * ctas.front()->thread_count + thread.index;
  }

  Cta& cta(std::uint32_t shared_address) { return *ctas[shared_rank(shared_address)]; }
  // Whether these bytes are shared memory of this cluster.
  bool has(std::uint32_t shared_address, std::size_t bytes) const {
    const std::uint32_t rank = shared_rank(shared_address);
    const std::uint32_t offset = shared_offset(shared_address);
    if (rank >= ctas.size() || !ctas[rank]->shared.contains(offset, bytes)) return false;
    return offset >= h200::reserved_shared_bytes_per_cta || is_group_scratch(offset, bytes);
  }

  // barrier.cluster: completes when all living threads of the cluster have arrived.
  void arrive_cluster_barrier(unsigned threads);
  std::uint64_t cluster_generation = 0;

  const Launch& launch;
  stats::Counters* const counters;
  std::vector<std::unique_ptr<Cta>> ctas;
  Causality causality;
  AsyncEngine engine;
  AsyncCopies copies;
  TensorMapCache tensor_maps;

 private:
  friend struct Cta;
  struct PhaseKnowledge {
    Knowledge arriving;   // released by the arrivals of the current phase
    Knowledge completed;  // of the phases that are over
  };
  // Of the reserved bytes, those that cooperative groups use.
  bool is_group_scratch(std::uint32_t offset, std::size_t bytes) const {
    constexpr std::size_t end = h200::cooperative_groups_offset + h200::cooperative_groups_bytes;
    return launch.program->uses_group_scratch && offset >= h200::cooperative_groups_offset &&
           offset + bytes <= end;
  }
  bool deliver_for_waiters();
  void on_exit();

  struct Initialization {
    ThreadId by;
    Stamp stamp = 0;
  };

  std::unordered_map<std::uint32_t, PhaseKnowledge> mbarrier_knowledge_;
  std::unordered_map<std::uint32_t, Initialization> initializations_;  // clusters of several CTAs
  std::unordered_map<std::uint32_t, Knowledge> flag_knowledge_;
  unsigned cluster_arrived_ = 0;
  unsigned polling_rounds_ = 0;
};

}  // namespace tmaemu
