// Several observers of one launch, who see the same events one after another, and several
// instruments.
#pragma once

#include <algorithm>
#include <deque>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "emulator/model/events.h"
#include "emulator/observe/instrument.h"

namespace tmaemu {

// Hands every event of a cluster to all.
class ObserverList final : public Observer {
 public:
  explicit ObserverList(std::vector<Observer*> all) : all_(std::move(all)) {}

  bool wants_instructions() const override {
    return std::ranges::any_of(all_, [](const Observer* o) { return o->wants_instructions(); });
  }
  void may_look_at(const SharedViews& views) override {
    for (Observer* const observer : all_) observer->may_look_at(views);
  }
  void cluster_starts(const Dimensions& first) override { each(&Observer::cluster_starts, first); }
  void cta_ends(std::uint16_t rank) override { each(&Observer::cta_ends, rank); }
  void cluster_ends(events::End end) override { each(&Observer::cluster_ends, end); }
  void executes(const events::Instruction& e) override { each(&Observer::executes, e); }
  void puts_off(const events::Instruction& e) override { each(&Observer::puts_off, e); }
  void accesses(const events::Access& e) override { each(&Observer::accesses, e); }
  void allocates(std::uint64_t address, std::uint64_t bytes) override {
    each(&Observer::allocates, address, bytes);
  }
  void initializes(std::uint32_t mbarrier, std::int64_t count, ThreadId thread,
                   std::uint32_t site) override {
    each(&Observer::initializes, mbarrier, count, thread, site);
  }
  void invalidates(std::uint32_t mbarrier, ThreadId thread, std::uint32_t site) override {
    each(&Observer::invalidates, mbarrier, thread, site);
  }
  void misses_mbarrier(std::uint32_t address, ThreadId thread, std::uint32_t site) override {
    each(&Observer::misses_mbarrier, address, thread, site);
  }
  void overflows_mbarrier(std::uint32_t address, std::int64_t tx_bytes,
                          const Finding& finding) override {
    each(&Observer::overflows_mbarrier, address, tx_bytes, finding);
  }
  void arrives(const events::Arrival& e) override { each(&Observer::arrives, e); }
  void waits(const events::Wait& e) override { each(&Observer::waits, e); }
  void sleeps(const events::Wait& e) override { each(&Observer::sleeps, e); }
  void sees_phase(const events::PhaseSeen& e) override { each(&Observer::sees_phase, e); }
  void arrives_at_barrier(const events::BarrierArrival& e) override {
    each(&Observer::arrives_at_barrier, e);
  }
  void fences_registers(WarpId warp, std::uint32_t site) override {
    each(&Observer::fences_registers, warp, site);
  }
  void uses_registers(const events::RegisterUse& e) override { each(&Observer::uses_registers, e); }
  void issues_product(const events::WarpgroupProduct& e) override {
    each(&Observer::issues_product, e);
  }
  void multiplies(WarpId warp, std::uint32_t number) override {
    each(&Observer::multiplies, warp, number);
  }
  void commits_products(WarpId warp, std::uint32_t site) override {
    each(&Observer::commits_products, warp, site);
  }
  void awaits_products(const events::ProductsAwaited& e) override {
    each(&Observer::awaits_products, e);
  }
  void changes_registers(const events::RegisterCount& e) override {
    each(&Observer::changes_registers, e);
  }
  void completes_barrier(BarrierId barrier, std::uint16_t rank) override {
    each(&Observer::completes_barrier, barrier, rank);
  }
  void fences(const events::Fence& e) override { each(&Observer::fences, e); }
  void synchronizes_warp(WarpId warp, LaneMask lanes) override {
    each(&Observer::synchronizes_warp, warp, lanes);
  }
  void awaits_earlier_launches(WarpId warp, LaneMask lanes) override {
    each(&Observer::awaits_earlier_launches, warp, lanes);
  }
  void lets_next_launch_start(WarpId warp, LaneMask lanes) override {
    each(&Observer::lets_next_launch_start, warp, lanes);
  }
  void exchanges(const events::Exchange& e) override { each(&Observer::exchanges, e); }
  void reads_absent_lane(const events::Exchange& e, unsigned reader, unsigned source) override {
    each(&Observer::reads_absent_lane, e, reader, source);
  }
  void commits_copies(const events::Groups& e) override { each(&Observer::commits_copies, e); }
  void awaits_copies(const events::Groups& e) override { each(&Observer::awaits_copies, e); }
  void orders_arrival(const events::OrderedArrival& e) override {
    each(&Observer::orders_arrival, e);
  }
  void stores_asynchronously(const events::AsyncStore& e) override {
    each(&Observer::stores_asynchronously, e);
  }
  void misses_lanes(const events::Exchange& e, std::uint32_t elsewhere) override {
    each(&Observer::misses_lanes, e, elsewhere);
  }
  void acquires_tensor_map(const events::TensorMapUse& e) override {
    each(&Observer::acquires_tensor_map, e);
  }
  void uses_tensor_map(const events::TensorMapUse& e) override {
    each(&Observer::uses_tensor_map, e);
  }
  void commits_bulk(const events::Groups& e) override { each(&Observer::commits_bulk, e); }
  void awaits_bulk(const events::Groups& e) override { each(&Observer::awaits_bulk, e); }
  void issues(const events::Bulk& e) override { each(&Observer::issues, e); }
  void releases_source(const events::Bulk& e) override { each(&Observer::releases_source, e); }
  void finishes(const events::Bulk& e) override { each(&Observer::finishes, e); }

 private:
  template <class Member, class... Arguments>
  void each(Member member, const Arguments&... arguments) {
    for (Observer* const observer : all_) (observer->*member)(arguments...);
  }

  std::vector<Observer*> all_;
};

class LaunchObservers final : public LaunchObserver {
 public:
  void add(LaunchObserver& observer) { observers_.push_back(&observer); }
  // Null where there is none, and the one where there is one.
  LaunchObserver* all() {
    if (observers_.empty()) return nullptr;
    return observers_.size() == 1 ? observers_.front() : this;
  }
  Observer& observe_cluster() override {
    std::vector<Observer*> all;
    for (LaunchObserver* const observer : observers_) all.push_back(&observer->observe_cluster());
    const std::lock_guard lock(mutex_);
    return lists_.emplace_back(std::move(all));
  }

 private:
  std::vector<LaunchObserver*> observers_;
  std::mutex mutex_;
  std::deque<ObserverList> lists_;
};

// All instruments that look on at a launch.
class LaunchInstruments {
 public:
  LaunchInstruments(const Instruments& instruments, ObservedLaunch& launch) {
    for (const auto& instrument : instruments.all) {
      if (auto begun = instrument->begin(launch)) {
        observers_.add(begun->observer());
        all_.push_back(std::move(begun));
      }
    }
  }
  // Null where nobody looks on.
  LaunchObserver* observer() { return observers_.all(); }
  void explain(Finding& fault) const {
    for (const auto& each : all_) each->explain(fault);
  }
  void end(const Finding* fault) {
    for (const auto& each : all_) each->end(fault);
  }

 private:
  std::vector<std::unique_ptr<LaunchInstrument>> all_;
  LaunchObservers observers_;
};

}  // namespace tmaemu
