// Measures how much of a program's work is done which way (contract/protocol/measures.h), from the
// events of its launches.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <map>
#include <mutex>
#include <optional>
#include <span>

#include "contract/protocol/measures.h"
#include "contract/protocol/turned_signs.h"
#include "emulator/memory/global_memory.h"
#include "emulator/model/events.h"
#include "emulator/model/launch.h"
#include "emulator/model/stream_order.h"
#include "emulator/program/program.h"
#include "emulator/provenance/array_work.h"
#include "emulator/provenance/detours.h"
#include "emulator/provenance/multicasts.h"
#include "emulator/provenance/origins.h"
#include "emulator/provenance/overlap.h"
#include "emulator/provenance/steps.h"

namespace tmaemu::provenance {

// The sum over several launches. Several host threads may add to it at once.
class Work {
 public:
  explicit Work(const GlobalMemory& memory) : memory_(memory) {}

  // The imported array at this address, null where there is none. Valid as long as the array is.
  ArrayWork* array_at(std::uint64_t address);
  // What a copy of the host's reads and writes.
  void copies(std::span<const StreamedBytes> bytes);
  // Through memory that is none of the arrays.
  Detours& detours() { return detours_; }

  void add(Measure measure, std::uint64_t amount);
  void raise(Measure measure, std::uint64_t amount);

  Measured measured() const;

  // Whether a launch whose CTAs take this share of the GPU has room there beside those that asked
  // before. Whose CTAs stay takes each tile when there is room for it, and does not start them anew
  // for the next tiles.
  bool finds_room(double share);

  // Whether launches from now on are followed by their values (provenance/origins.h).
  void follow_values(bool follows) { follows_values_ = follows; }
  bool follows_values() const { return follows_values_; }
  // Whether signs are turned of what their values are handed over.
  void turn_signs(const TurnedSigns& turned) { turned_signs_ = turned; }
  const TurnedSigns& turned_signs() const { return turned_signs_; }

 private:
  std::uint64_t measured_of_arrays(Measure measure) const;

  const GlobalMemory& memory_;
  bool follows_values_ = true;
  TurnedSigns turned_signs_;
  mutable std::mutex mutex_;
  std::map<std::uint64_t, ArrayWork> arrays_;  // by the address of their regions
  Measured counted_{};
  Detours detours_;
  double share_taken_ = 0;
};

// Whether all CTAs of a launch are on the GPU at once, and have room beside those of the launches
// before it. Only of those that write to an array is it asked: of others nobody knows.
class Residency {
 public:
  Residency(Work& work, std::uint64_t ctas, std::uint64_t room)
      : work_(work), share_(static_cast<double>(ctas) / static_cast<double>(room)) {}
  // One of the CTAs writes; several host threads may ask at once.
  bool holds();

 private:
  Work& work_;
  double share_;
  std::once_flag once_;
  bool holds_ = false;
};

// One cluster after the other.
class ClusterWork final : public Observer {
 public:
  // `steps`: null where no value need be followed.
  ClusterWork(Work& work, const Steps* steps, Residency& residency);

  bool wants_instructions() const override { return origins_.has_value(); }
  void may_look_at(SharedViews& views) override;
  void cluster_starts(const Dimensions& first) override;
  void initializes(std::uint32_t mbarrier, std::int64_t count, ThreadId thread,
                   std::uint32_t site) override;
  void executes(const events::Instruction& instruction) override;
  void accesses(const events::Access& access) override;
  void accesses_local(const events::Access& access) override;
  void copies_local(WarpId warp, unsigned lane, std::uint32_t from, std::uint32_t to,
                    std::uint32_t bytes) override;
  void issues(const events::Bulk& bulk) override;
  void issues_product(const events::WarpgroupProduct& product) override;
  void commits_copies(const events::Groups& groups) override;
  void awaits_copies(const events::Groups& wait) override;
  void orders_arrival(const events::OrderedArrival& arrival) override;
  void arrives(const events::Arrival& arrival) override;
  void cluster_ends(events::End end) override;
  void sees_phase(const events::PhaseSeen& seen) override;
  void completes_barrier(BarrierId barrier, std::uint16_t rank) override;

 private:
  ArrayWork* array_at(std::uint64_t address);
  std::span<const events::LaneAddress> by_address(std::span<const events::LaneAddress> lanes);
  void touch_global(const events::Access& access);
  // These bytes, which `lane` and those after it access, are the program's own.
  void touch_own(const events::Access& access, unsigned lane, std::uint64_t address,
                 std::uint64_t bytes);
  void follow_global(const events::Access& access);
  void follow_bulk(const events::Bulk& bulk);
  // What the operation does to arrays counts as these measures.
  void count(const events::Bulk& bulk, MeasureSet measures);
  // Through memory that is none of the arrays.
  void detour(events::Access::Kind kind, std::uint64_t address, std::uint64_t bytes);
  void detour(BulkKind kind, const events::GlobalRange& range);
  // These bytes of such memory are read.
  void learns(std::uint64_t address, std::uint64_t bytes);
  void touch_shared(const events::Access& access);

  Work& work_;
  Residency& residency_;
  // Where it was of late: kernels go to and fro between a few arrays.
  std::array<ArrayWork*, 4> recent_{};
  std::size_t oldest_ = 0;
  std::array<events::LaneAddress, warp_size> sorted_;
  bool knows_input_ = false;  // has read from an array, or what somebody wrote who had
  Overlap overlap_;
  std::uint64_t overlapped_ = 0;
  std::optional<Origins> origins_;
  Multicasts multicasts_;
};

class LaunchWork final : public LaunchObserver {
 public:
  // `resident_ctas`: how many the GPU holds at once.
  LaunchWork(Work& work, const Program& program, const LaunchRequest& request,
             std::uint64_t resident_ctas);
  Observer& observe_cluster() override;

 private:
  Work& work_;
  Residency residency_;
  std::optional<Steps> steps_;  // where values are followed
  std::mutex mutex_;
  std::deque<ClusterWork> clusters_;
};

}  // namespace tmaemu::provenance
