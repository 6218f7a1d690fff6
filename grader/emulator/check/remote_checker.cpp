#include "emulator/check/remote_checker.h"

#include "contract/findings/sentences.h"
#include "emulator/check/lanes.h"
#include "emulator/memory/address_space.h"

namespace tmaemu::check {

void RemoteChecker::access(const events::Access& access) {
  const bool is_write = access.is_async_store || access.writes();
  for (const events::LaneAddress& lane : access.lanes) {
    const auto rank = shared_rank(static_cast<std::uint32_t>(lane.address));
    if (rank == access.warp.rank || rank >= state_.ctas) continue;
    const ThreadId thread = thread_of(access.warp, lane.lane);
    const Action action{thread, access.site, state_.order.now(thread)};
    Accesses& accesses = accesses_[rank];
    (is_write ? accesses.writes : accesses.reads)[number_of(thread)] = action;
    if (state_.has_ended[rank]) {
      state_.report(state_.finding(Sentence::access_outlives_cta, access.site, thread));
    } else if (!(*state_.order.known(thread))[View::done].knows_any_of(
                   state_.order.cta(static_cast<std::uint16_t>(rank)))) {
      state_.report(state_.finding(Sentence::cta_not_known_to_run, access.site, thread));
    }
  }
}

void RemoteChecker::end_cta(std::uint16_t rank, const Clocks& last) {
  const auto check = [&](const Action& action, bool is_over) {
    if (is_over) return;
    state_.suspect(state_.finding(Sentence::access_outlives_cta, action.site, action.thread));
  };
  for (const auto& [thread, action] : accesses_[rank].writes) {
    check(action, last[View::done].knows(state_.order.actor(action.thread), action.time));
  }
  // For a read an order of events is enough: many kernels end with a relaxed barrier of the
  // cluster.
  for (const auto& [thread, action] : accesses_[rank].reads) {
    check(action, Order::has_happened(last, state_.order.actor(action.thread), action.time));
  }
}

}  // namespace tmaemu::check
