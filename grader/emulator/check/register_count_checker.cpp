#include "emulator/check/register_count_checker.h"

#include <bit>

#include "contract/findings/sentences.h"
#include "emulator/check/lanes.h"

namespace tmaemu::check {

// Calls visit(its id, what is known of it) for the other warps; null: it has executed none.
template <class Visit>
void RegisterCountChecker::for_others_of_warpgroup(WarpId warp, Visit visit) const {
  const unsigned first = first_of_warpgroup(warp).index;
  for (unsigned i = first; i < first + warps_of_warpgroup; ++i) {
    if (i == warp.index || i * warp_size >= state_.threads_per_cta) continue;
    const WarpId other{warp.rank, static_cast<std::uint16_t>(i)};
    const auto found = warps_.find(number_of(other));
    visit(other, found == warps_.end() ? nullptr : &found->second);
  }
}

void RegisterCountChecker::change(const events::RegisterCount& count) {
  Warp& own = warps_[number_of(count.warp)];
  if (own.site == count.site && (own.lanes & count.lanes) == 0 && own.changes != 0) {
    own.lanes |= count.lanes;  // lanes that have diverged, one after another
    return;
  }
  check_lanes(own);
  if (own.changes != 0) check_synchronized(own, count);
  own.gave_back = count.gave_back;
  own.id = count.warp;
  ++own.changes;
  own.site = count.site;
  own.lanes = count.lanes;
  own.registers = count.registers;
  own.time = state_.order.now(thread_of(count.warp, 0));
  check_agreement(own);
}

void RegisterCountChecker::check_lanes(const Warp& warp) {
  if (warp.changes == 0 || warp.lanes == all_lanes) return;
  const auto first = static_cast<unsigned>(std::countr_zero(warp.lanes));
  state_.report(
      state_.finding(Sentence::register_count_by_lanes, warp.site, thread_of(warp.id, first)));
}

// The others have executed the one before, and events order that before this warp.
void RegisterCountChecker::check_synchronized(const Warp& own, const events::RegisterCount& count) {
  const ThreadId thread = thread_of(count.warp, 0);
  for_others_of_warpgroup(count.warp, [&](WarpId other, const Warp* known) {
    const bool is_ahead = known != nullptr && known->changes > own.changes;
    const bool is_known =
        known != nullptr && known->changes == own.changes &&
        state_.order.has_happened(thread, state_.order.actor(thread_of(other, 0)), known->time);
    if (is_ahead || is_known) return;
    state_.report(state_.finding(Sentence::register_count_unsynchronized, count.site, thread),
                  state_.note(NoteSentence::register_count_changed_here, own.site, thread));
  });
}

// Whichever of two comes first, it is the one with the higher number that is told of.
void RegisterCountChecker::check_agreement(const Warp& own) {
  for_others_of_warpgroup(own.id, [&](WarpId other, const Warp* known) {
    if (known == nullptr || known->changes != own.changes || known->registers == own.registers) {
      return;
    }
    const Warp& first = other.index < own.id.index ? *known : own;
    const Warp& last = other.index < own.id.index ? own : *known;
    state_.report(
        state_.finding(Sentence::register_count_by_part, last.site, thread_of(last.id, 0)),
        state_.note(NoteSentence::register_count_changed_here, first.site, thread_of(first.id, 0)));
  });
}

void RegisterCountChecker::check_warpgroups(std::uint16_t rank, bool only_given_back) {
  for (const auto& entry : warps_) {
    const Warp& warp = entry.second;
    if (warp.id.rank != rank || (only_given_back && !warp.gave_back)) continue;
    check_lanes(warp);
    if (warp.lanes != all_lanes) continue;  // that says it
    for_others_of_warpgroup(warp.id, [&](WarpId, const Warp* known) {
      if (known != nullptr && known->changes >= warp.changes) return;
      state_.report(
          state_.finding(Sentence::register_count_by_part, warp.site, thread_of(warp.id, 0)));
    });
  }
}

void RegisterCountChecker::end_cta(std::uint16_t rank) {
  check_warpgroups(rank, false);
}

// Who waits for registers would have executed it, too.
void RegisterCountChecker::end_cluster(events::End end) {
  if (end != events::End::deadlock) return;
  for (unsigned rank = 0; rank < state_.ctas; ++rank) {
    if (!state_.has_ended[rank]) check_warpgroups(static_cast<std::uint16_t>(rank), true);
  }
}

}  // namespace tmaemu::check
