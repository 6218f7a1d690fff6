// The checker of one cluster at a time: hands each event to the part that it concerns.
#pragma once

#include "emulator/check/barrier_checker.h"
#include "emulator/check/cluster_state.h"
#include "emulator/check/dependent_start.h"
#include "emulator/check/flag_checker.h"
#include "emulator/check/lane_checker.h"
#include "emulator/check/mbarrier_checker.h"
#include "emulator/check/memory_checker.h"
#include "emulator/check/register_checker.h"
#include "emulator/check/register_count_checker.h"
#include "emulator/check/tensor_map_checker.h"
#include "emulator/model/events.h"

namespace tmaemu::check {

class ClusterChecker final : public Observer {
 public:
  explicit ClusterChecker(LaunchState& launch)
      : state_(launch),
        flags_(state_),
        mbarriers_(state_, flags_.heard()),
        barriers_(state_),
        memory_(state_, mbarriers_, flags_),
        lanes_(state_),
        maps_(state_, flags_.heard()),
        registers_(state_),
        register_counts_(state_),
        dependent_start_(state_) {}
  ClusterChecker(const ClusterChecker&) = delete;
  ClusterChecker& operator=(const ClusterChecker&) = delete;

  bool wants_instructions() const override { return false; }
  // Whether the CTA is of the cluster that it looks on at, or was the last to.
  bool has(const Dimensions& cta, ThreadId thread) const {
    return state_.order.cta(thread.rank) == state_.launch.number_of(cta);
  }
  const DependentStart& dependent_start() const { return dependent_start_.found(); }
  // See MbarrierChecker.
  bool is_root_of_waits(std::uint32_t mbarrier) const {
    return mbarriers_.is_root_of_waits(mbarrier);
  }
  std::vector<std::uint32_t> arrivals_at(std::uint32_t mbarrier) const {
    return mbarriers_.arrivals_at(mbarrier);
  }
  bool has_no_arrivals(std::uint32_t mbarrier) const {
    return mbarriers_.has_no_arrivals(mbarrier);
  }
  std::size_t phases_ended(std::uint32_t mbarrier) const {
    return mbarriers_.phases_ended(mbarrier);
  }
  // Of a wait for arrivals that never ends: adds where their number was given, and who arrives.
  void explain_wait(std::uint32_t mbarrier, std::vector<Note>& notes) const {
    mbarriers_.explain_wait(mbarrier, notes);
  }

  void cluster_starts(const Dimensions& first) override;
  void cta_ends(std::uint16_t rank) override;
  void cluster_ends(events::End end) override;

  void accesses(const events::Access& access) override {
    memory_.access(access);
    lanes_.access(access);
  }
  void allocates(std::uint64_t address, std::uint64_t bytes) override {
    state_.launch.shadow.forget(address, bytes);
  }
  void fences(const events::Fence& fence) override;
  void initializes(std::uint32_t mbarrier, std::int64_t count, ThreadId thread,
                   std::uint32_t site) override;
  void invalidates(std::uint32_t mbarrier, ThreadId thread, std::uint32_t site) override;
  void misses_mbarrier(std::uint32_t address, ThreadId thread, std::uint32_t site) override {
    mbarriers_.miss(address, action(thread, site));
  }
  void overflows_mbarrier(std::uint32_t address, std::int64_t tx_bytes,
                          const Finding& finding) override {
    mbarriers_.overflow(address, tx_bytes, finding);
  }
  void arrives(const events::Arrival& arrival) override;
  void waits(const events::Wait& wait) override;
  void sleeps(const events::Wait& wait) override;
  void sees_phase(const events::PhaseSeen& seen) override;
  void arrives_at_barrier(const events::BarrierArrival& arrival) override;
  void completes_barrier(BarrierId barrier, std::uint16_t rank) override {
    barriers_.complete(barrier, rank);
  }
  void synchronizes_warp(WarpId warp, LaneMask lanes) override;

  void awaits_earlier_launches(WarpId warp, LaneMask lanes) override;
  void lets_next_launch_start(WarpId warp, LaneMask lanes) override;
  void exchanges(const events::Exchange& exchange) override;
  void reads_absent_lane(const events::Exchange& exchange, unsigned reader,
                         unsigned source) override;

  void orders_arrival(const events::OrderedArrival& arrival) override {
    memory_.groups().order_arrival(arrival.thread, arrival.mbarrier);
    mbarriers_.order_arrival(arrival);
  }
  void commits_copies(const events::Groups& groups) override {
    memory_.groups().commit_copies(groups);
  }
  void awaits_copies(const events::Groups& groups) override {
    memory_.groups().await_copies(groups);
  }
  void stores_asynchronously(const events::AsyncStore& store) override { memory_.issue(store); }
  void misses_lanes(const events::Exchange& exchange, std::uint32_t elsewhere) override {
    lanes_.miss_lanes(exchange, elsewhere);
  }
  void acquires_tensor_map(const events::TensorMapUse& use) override { maps_.acquire(use); }
  void uses_tensor_map(const events::TensorMapUse& use) override { maps_.use(use); }
  void commits_bulk(const events::Groups& groups) override { memory_.groups().commit_bulk(groups); }
  void awaits_bulk(const events::Groups& groups) override { memory_.groups().await_bulk(groups); }
  void issues(const events::Bulk& bulk) override { memory_.issue(bulk); }
  void fences_registers(WarpId warp, std::uint32_t /*site*/) override { registers_.fence(warp); }
  void uses_registers(const events::RegisterUse& use) override { registers_.use(use); }
  void issues_product(const events::WarpgroupProduct& product) override {
    memory_.issue(product);
    registers_.issue(product);
  }
  void commits_products(WarpId warp, std::uint32_t /*site*/) override {
    memory_.commit_products(warp);
    registers_.commit(warp);
  }
  void awaits_products(const events::ProductsAwaited& wait) override {
    memory_.await(wait);
    registers_.await(wait);
  }
  void changes_registers(const events::RegisterCount& count) override {
    register_counts_.change(count);
  }

 private:
  Action action(ThreadId thread, std::uint32_t site) const {
    return {thread, site, state_.order.now(thread)};
  }

  ClusterState state_;
  FlagChecker flags_;
  MbarrierChecker mbarriers_;
  BarrierChecker barriers_;
  MemoryChecker memory_;
  LaneChecker lanes_;
  TensorMapChecker maps_;
  RegisterChecker registers_;
  RegisterCountChecker register_counts_;
  DependentStartChecker dependent_start_;
};

}  // namespace tmaemu::check
