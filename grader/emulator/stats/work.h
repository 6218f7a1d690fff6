// Measures how much of a program's work is done which way (model/measures.h), from the events of
// its launches.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <deque>
#include <map>
#include <mutex>
#include <unordered_set>

#include "emulator/memory/coverage.h"
#include "emulator/memory/global_memory.h"
#include "emulator/model/events.h"
#include "emulator/model/launch.h"
#include "emulator/model/measures.h"

namespace tmaemu::stats {

// The sum over several launches. Several host threads may add to it at once.
class Work {
 public:
  explicit Work(const GlobalMemory& memory) : memory_(memory) {}

  // A piece of an imported array, whose bytes a measure has seen.
  struct Covered {
    std::uint64_t address = 0;
    std::size_t size = 0;
    Coverage* coverage = nullptr;
  };
  // Of the array at this address; nothing where there is none. Valid as long as the array is.
  Covered array_at(Measure measure, std::uint64_t address);

  void add(Measure measure, std::uint64_t amount);
  void raise(Measure measure, std::uint64_t amount);

  Measured measured() const;

 private:
  const GlobalMemory& memory_;
  mutable std::mutex mutex_;
  std::map<std::uint64_t, Coverage> seen_[measure_count];  // by the array's address
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
  void arrives(const events::Arrival& arrival) override;
  void sees_phase(const events::PhaseSeen& seen) override;

 private:
  void cover(Measure measure, std::uint64_t address, std::size_t bytes);

  Work& work_;
  unsigned cluster_ctas_;
  std::array<Work::Covered, measure_count> last_{};  // where each measure was last
  std::unordered_set<std::uint32_t> awaited_;        // mbarriers whose last phase nobody has seen
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
