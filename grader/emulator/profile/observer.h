// Counts what a launch does, from its events.
#pragma once

#include <cstdint>
#include <deque>
#include <mutex>
#include <vector>

#include "emulator/model/events.h"
#include "emulator/profile/counters.h"
#include "emulator/program/program.h"

namespace tmaemu::profile {

// Counts for one cluster after the other.
class ClusterCounter final : public Observer {
 public:
  explicit ClusterCounter(const Program& program) : effects_(program.effects) {}

  const Counters& counters() const { return counters_; }

  void cluster_starts(const Dimensions& first) override;
  void executes(const events::Instruction& instruction) override;
  void puts_off(const events::Instruction& instruction) override;
  void accesses(const events::Access& access) override;
  void waits(const events::Wait& wait) override;
  void sleeps(const events::Wait& wait) override;
  void issues(const events::Bulk& bulk) override;
  void releases_source(const events::Bulk& bulk) override;
  void finishes(const events::Bulk& bulk) override;

 private:
  // A load is in flight until its bytes are in shared memory, a store until its bytes have been
  // read from there.
  struct InFlight {
    std::uint64_t load = 0;
    std::uint64_t store = 0;
  };
  InFlight& in_flight(std::uint32_t rank);
  void count_global(const events::Access& access);
  void count_shared(const events::Access& access);
  void count_product(const events::Instruction& instruction, Count times);

  std::span<const Effects> effects_;  // by site
  Counters counters_;
  std::vector<InFlight> in_flight_;  // bytes, by the CTA's rank
};

class LaunchCounter final : public LaunchObserver {
 public:
  explicit LaunchCounter(const Program& program) : program_(program) {}

  Observer& observe_cluster() override;
  // When the launch has ended.
  Counters sum() const;

 private:
  const Program& program_;
  std::mutex mutex_;
  std::deque<ClusterCounter> clusters_;
};

}  // namespace tmaemu::profile
