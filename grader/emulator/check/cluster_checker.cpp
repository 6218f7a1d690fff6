#include "emulator/check/cluster_checker.h"

#include <vector>

#include "emulator/check/lanes.h"

namespace tmaemu::check {
void ClusterChecker::cluster_starts(const Dimensions& first) {
  state_.start(first);
  mbarriers_.start();
  barriers_.start();
  flags_.start();
  memory_.start();
  lanes_.start();
  maps_.start();
  registers_.start();
  register_counts_.start();
  dependent_start_.start();
}

void ClusterChecker::cta_ends(std::uint16_t rank) {
  Clocks last;
  const Clocks* previous = nullptr;
  for (unsigned i = 0; i < state_.threads_per_cta && !state_.order.is_pristine(); ++i) {
    const Clocks* const known = state_.order.known({rank, static_cast<std::uint16_t>(i)}).get();
    if (known != previous) {  // only these are asked at the end
      for (const View view : views_of_happened) last[view].join((*known)[view]);
    }
    previous = known;
  }
  memory_.end_cta(rank, last);
  mbarriers_.end_cta(rank, last);
  register_counts_.end_cta(rank);
  dependent_start_.end_cta(rank);
  state_.has_ended[rank] = true;
}

void ClusterChecker::cluster_ends(events::End end) {
  mbarriers_.end_cluster(end);
  register_counts_.end_cluster(end);
  const Places& places = state_.launch.places;
  const SameSource source{
      [&](std::uint32_t one, std::uint32_t other) {
        return places.line(one) == places.line(other);
      },
      [&](std::uint32_t one, std::uint32_t other) { return places.are_copies(one, other); }};
  state_.reporter.finish(source, [&](std::vector<Finding>& findings) {
    state_.launch.missing_barriers.merge(findings);
  });
}

void ClusterChecker::fences(const events::Fence& fence) {
  using Kind = events::Fence::Kind;
  const std::vector<ThreadId> threads = threads_of(fence.warp, fence.lanes);
  switch (fence.kind) {
    case Kind::memory:
      if (fence.is_sequential) {
        state_.order.fence(threads,
                           {fence.order.scope == Scope::cta       ? View::fenced_memory_in_cta
                            : fence.order.scope == Scope::cluster ? View::fenced_memory_in_cluster
                                                                  : View::fenced_memory});
      }
      return flags_.fence(fence);
    case Kind::mbarrier_init:
      for (const ThreadId thread : threads) barriers_.fence_initializations(thread);
      return;
    case Kind::async_own:
      state_.order.fence(threads, {View::fenced_own});
      // Who fences what another CTA has written into its shared memory writes it like this, too:
      // CUTLASS has no other fence.
      if (state_.ctas > 1) state_.order.fence(threads, {View::fenced_received});
      return;
    case Kind::async_shared:
      return state_.order.fence(threads, {View::fenced_own, View::fenced_shared});
    case Kind::async_global:
      return state_.order.fence(threads, {View::fenced_global});
    case Kind::map_release:
      return state_.order.fence(
          threads,
          {fence.order.scope == Scope::cta ? View::released_maps_in_cta : View::released_maps});
    case Kind::async:
      return state_.order.fence(threads,
                                {View::fenced_own, View::fenced_shared, View::fenced_global});
  }
}

void ClusterChecker::initializes(std::uint32_t mbarrier, std::int64_t count, ThreadId thread,
                                 std::uint32_t site) {
  mbarriers_.initialize(mbarrier, count, action(thread, site));
  memory_.make_mbarrier(mbarrier, action(thread, site), true);
}

void ClusterChecker::invalidates(std::uint32_t mbarrier, ThreadId thread, std::uint32_t site) {
  mbarriers_.invalidate(mbarrier, action(thread, site));
  memory_.make_mbarrier(mbarrier, action(thread, site), false);
}

void ClusterChecker::arrives(const events::Arrival& arrival) {
  if (arrival.follows_copies && arrival.thread != nullptr) {
    mbarriers_.add_copies(arrival.mbarrier,
                          state_.order.actor(*arrival.thread, Actor::Track::copies),
                          memory_.groups().take_ordered_arrival(*arrival.thread, arrival.mbarrier));
  }
  if (arrival.thread != nullptr && arrival.count > 0 && !arrival.order.releases()) {
    mbarriers_.release_fenced(arrival.mbarrier, *arrival.thread, flags_.fenced(*arrival.thread));
  }
  mbarriers_.arrive(arrival);
}

void ClusterChecker::arrives_at_barrier(const events::BarrierArrival& arrival) {
  if (arrival.barrier.kind == BarrierId::Kind::cluster && !arrival.order.releases()) {
    for (const ThreadId thread : threads_of(arrival.warp, arrival.lanes))
      barriers_.release_fenced(flags_.fenced(thread));
  }
  barriers_.arrive(arrival);
}

void ClusterChecker::waits(const events::Wait& wait) {
  if (wait.barrier.kind == BarrierId::Kind::cluster) barriers_.wait_for_cluster(wait);
}

void ClusterChecker::sleeps(const events::Wait& wait) {
  if (wait.barrier.kind != BarrierId::Kind::mbarrier) return;
  for (const ThreadId thread : threads_of(wait.warp, wait.lanes)) {
    mbarriers_.sleep(wait.barrier.number, action(thread, wait.site));
  }
}

void ClusterChecker::sees_phase(const events::PhaseSeen& seen) {
  // What nobody looks at is no wait: try_wait may also return before the phase is over.
  if (state_.launch.facts->is_vain_question(seen.site)) return;
  const SharedClocks completed = mbarriers_.see_phase(seen);
  if (completed == nullptr || seen.order.acquires()) return;
  flags_.expect_fence(seen.thread, {completed, seen.order.scope, state_.order.cta(seen.thread.rank),
                                    state_.number});
}

void ClusterChecker::awaits_earlier_launches(WarpId warp, LaneMask lanes) {
  for_each_thread(warp, lanes, [&](ThreadId thread) { dependent_start_.wait(thread); });
}

void ClusterChecker::lets_next_launch_start(WarpId warp, LaneMask lanes) {
  for_each_thread(warp, lanes, [&](ThreadId thread) { dependent_start_.let_start(thread); });
}

void ClusterChecker::exchanges(const events::Exchange& exchange) {
  lanes_.exchange(exchange);
  state_.order.share(threads_of(exchange.warp, exchange.lanes));
}

void ClusterChecker::reads_absent_lane(const events::Exchange& exchange, unsigned reader,
                                       unsigned source) {
  lanes_.read_absent_lane(exchange, reader, source);
}

void ClusterChecker::synchronizes_warp(WarpId warp, LaneMask lanes) {
  const std::vector<ThreadId> threads = threads_of(warp, lanes);
  state_.order.synchronize(threads, threads);
}

}  // namespace tmaemu::check
