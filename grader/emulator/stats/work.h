// Measures how much of a program's work is done which way (model/measures.h), from the events of
// its launches.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <map>
#include <mutex>
#include <span>
#include <unordered_set>

#include "emulator/memory/global_memory.h"
#include "emulator/model/events.h"
#include "emulator/model/launch.h"
#include "emulator/model/measures.h"
#include "emulator/model/stream_order.h"
#include "emulator/stats/array_work.h"
#include "emulator/stats/overlap.h"

namespace tmaemu::stats {

// The sum over several launches. Several host threads may add to it at once.
class Work {
 public:
  explicit Work(const GlobalMemory& memory) : memory_(memory) {}

  // The imported array at this address, null where there is none. Valid as long as the array is.
  ArrayWork* array_at(std::uint64_t address);
  // What a copy of the host's reads and writes.
  void copies(std::span<const StreamedBytes> bytes);

  void add(Measure measure, std::uint64_t amount);
  void raise(Measure measure, std::uint64_t amount);

  Measured measured() const;

 private:
  const GlobalMemory& memory_;
  mutable std::mutex mutex_;
  std::map<std::uint64_t, ArrayWork> arrays_;  // by the address of their regions
  Measured counted_{};
};

// One cluster after the other.
class ClusterWork final : public Observer {
 public:
  ClusterWork(Work& work, unsigned cluster_ctas) : work_(work), cluster_ctas_(cluster_ctas) {}

  bool wants_instructions() const override { return false; }
  void cluster_starts(const Dimensions& first) override;
  void accesses(const events::Access& access) override;
  void issues(const events::Bulk& bulk) override;
  void commits_copies(const events::Groups& groups) override;
  void awaits_copies(const events::Groups& wait) override;
  void orders_arrival(ThreadId thread, std::uint32_t mbarrier) override;
  void arrives(const events::Arrival& arrival) override;
  void cluster_ends(events::End end) override;
  void sees_phase(const events::PhaseSeen& seen) override;

 private:
  ArrayWork* array_at(std::uint64_t address);
  void touch_global(const events::Access& access);
  void touch_shared(const events::Access& access);

  Work& work_;
  unsigned cluster_ctas_;
  // Where it was of late: kernels go to and fro between a few arrays.
  std::array<ArrayWork*, 4> recent_{};
  std::size_t oldest_ = 0;
  Overlap overlap_;
  std::uint64_t overlapped_ = 0;
  std::unordered_set<std::uint32_t> awaited_;  // mbarriers whose last phase nobody has seen
};

class LaunchWork final : public LaunchObserver {
 public:
  LaunchWork(Work& work, const LaunchRequest& request);
  Observer& observe_cluster() override;

 private:
  Work& work_;
  unsigned cluster_ctas_;
  std::mutex mutex_;
  std::deque<ClusterWork> clusters_;
};

}  // namespace tmaemu::stats
