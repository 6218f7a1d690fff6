// What the barriers of CTAs and of the cluster order, and whether the threads that meet at one are
// those that are meant to.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "emulator/check/cluster_state.h"
#include "emulator/check/flags.h"
#include "emulator/check/lanes.h"
#include "emulator/check/mbarrier_ledger.h"
#include "emulator/model/events.h"

namespace tmaemu::check {

class BarrierChecker {
 public:
  explicit BarrierChecker(ClusterState& state) : state_(state) {}

  void start();
  void arrive(const events::BarrierArrival& arrival);
  // A relaxed arrival at the barrier of the cluster releases what a fence before it has covered.
  void release_fenced(const Release& fenced) {
    if (fenced.scope >= Scope::cluster) arriving_.join(fenced.clocks);
  }
  void complete(BarrierId barrier, std::uint16_t rank);
  // Threads wait at the barrier of the cluster.
  void wait_for_cluster(const events::Wait& wait);
  // fence.mbarrier_init: releases what the thread initialized before it.
  void fence_initializations(ThreadId thread) {
    fenced_.at(state_.slot(thread)) = state_.order.now(thread);
    state_.order.begin_moment(thread);
  }

 private:
  // Lanes of a warp, together.
  struct Arrived {
    WarpId warp;
    LaneMask lanes = 0;
    std::uint32_t site = 0;
    Time time = 0;
    bool also_waits = false;
    bool is_aligned = true;

    bool has(ThreadId thread) const {
      return warp_of(thread) == warp && (lanes >> thread.index % warp_size & 1) != 0;
    }
    Action action(unsigned lane) const { return {thread_of(warp, lane), site, time}; }
    Action first() const { return action(static_cast<unsigned>(std::countr_zero(lanes))); }
    Action last() const { return action(static_cast<unsigned>(std::bit_width(lanes)) - 1); }
  };
  // One of a CTA's sixteen barriers.
  struct CtaBarrier {
    std::vector<Arrived> arrived;
    std::vector<Arrived> previous;
    Released released;  // by those who do not wait
    bool counts = false;
    unsigned expected = 0;  // threads, as those who have arrived say
  };

  void arrive_at_cta(CtaBarrier& barrier, const events::BarrierArrival& arrival);
  void arrive_at_cluster(const events::BarrierArrival& arrival);
  bool knows_any_of(ThreadId thread, const Arrived& arrived) const;
  void complete_cta(CtaBarrier& barrier, bool is_syncthreads);
  void check_lanes(const CtaBarrier& barrier, bool is_syncthreads);
  bool are_apart(std::uint32_t site, std::uint32_t other);
  void report_counts(Action first, std::uint32_t count, Action second, std::uint32_t other);
  void check_groups(const CtaBarrier& barrier, const Action& action);
  void check_own_arrival(const CtaBarrier& barrier, const Action& action);
  void check_second_arrivals(const CtaBarrier& barrier);
  void report_second_arrival(const Action& second, const Action& first);

  static constexpr unsigned barriers_per_cta = 16;
  ClusterState& state_;
  std::vector<std::array<CtaBarrier, barriers_per_cta>> ctas_;                // by rank
  std::map<std::pair<std::uint32_t, std::uint32_t>, bool> are_on_two_sides_;  // of copies, by sites
  // The barrier of the cluster: what its generation under way is told, and what the last one was.
  Released arriving_;
  SharedClocks completed_;
  std::uint64_t generation_ = 0;
  // By thread: one more than the generation that it arrived in and has not waited for; 0: none.
  std::vector<std::uint64_t> arrived_in_;
  std::vector<ThreadId> waiting_;
  std::vector<Time> fenced_;  // by thread: the moment of its last fence.mbarrier_init
};

}  // namespace tmaemu::check
