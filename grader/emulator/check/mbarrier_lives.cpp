#include "emulator/check/mbarrier_lives.h"

#include <algorithm>
#include <utility>

#include "contract/findings/sentences.h"
#include "emulator/memory/address_space.h"

namespace tmaemu::check {
namespace {

// Whether the thread knows of the action, or of what another lane of its warp did then: libcu++
// lets one lane of each warp tell that the warp is done with an mbarrier.
bool knows_of_warp(const ClusterState& state, ThreadId thread, const Action& action) {
  const unsigned first = action.thread.index / warp_size * warp_size;
  for (unsigned i = first; i < first + warp_size; ++i) {
    const ThreadId lane{action.thread.rank, static_cast<std::uint16_t>(i)};
    if (lane == thread || state.order.knows(thread, state.order.actor(lane), action.time))
      return true;
  }
  return false;
}

// Every use of the mbarrier so far is to be known to the thread.
void check_uses(ClusterState& state, const MbarrierLedger& ledger, const Action& action) {
  for (const auto& [thread, use] : ledger.uses) {
    if (use.thread == action.thread || knows_of_warp(state, action.thread, use)) continue;
    state.report(state.finding(Sentence::mbarrier_invalidated_in_use, use.site, use.thread),
                 state.note(NoteSentence::invalidated_here, action.site, action.thread));
  }
}

// Threads that come to the same line and know nothing of each other: nobody has chosen one of them.
bool is_of_all_threads(const ClusterState& state, const MbarrierLedger& own, const Action& action) {
  const Action& first = own.initialized;
  return first.site == action.site && first.thread != action.thread &&
         !state.order.knows(action.thread, state.order.actor(first.thread), first.time);
}

}  // namespace

void MbarrierLives::begin(MbarrierLedger& own, std::int64_t count, const Action& action) {
  if (own.is_live) {
    const Sentence sentence = is_of_all_threads(state_, own, action)
                                  ? Sentence::mbarrier_initialized_by_all
                                  : Sentence::mbarrier_initialized_twice;
    state_.report(
        state_.finding(sentence, action.site, action.thread),
        state_.note(NoteSentence::initialized_here, own.initialized.site, own.initialized.thread));
  }
  for (const auto& [by, early] : own.early_uses) {
    note_unseen(
        {early.number, early, own.address, Sentence::mbarrier_used_before_initialization, action});
  }
  own.early_uses.clear();
  if (count < 1) state_.reporter.note(Fact::mbarrier_misused, own.address);
  own.is_live = true;
  own.count = count;
  own.initialized = action;
  own.invalidated.reset();
  own.first_phase = ++own.phase;  // nobody has seen a phase of this life
  own.is_out_of_step = false;
  own.current = {};
  own.previous = {};
  own.earlier = {};
  own.lap = {};
  own.handover.clear();
  own.handover_in_cta.clear();
  own.waits.clear();
  own.uses.clear();
}

void MbarrierLives::end(MbarrierLedger& own, const Action& action) {
  if (!own.is_live) {
    if (!own.invalidated) return;
    return state_.report(
        state_.finding(Sentence::mbarrier_used_after_invalidation, action.site, action.thread),
        state_.note(NoteSentence::invalidated_here, own.invalidated->site,
                    own.invalidated->thread));
  }
  check_uses(state_, own, action);
  own.is_live = false;
  own.invalidated = action;
}

void MbarrierLives::use(MbarrierLedger& own, const Action& action, bool is_operation) {
  // An operation uses it until its phase is over, which is looked after where operations are.
  if (!is_operation) own.uses[number_of(action.thread)] = action;
  if (!own.is_live) return use_none(own, action);
  check_visibility(own, action, is_operation);
}

void MbarrierLives::use_none(MbarrierLedger& own, const Action& action) {
  if (own.invalidated) {
    const bool is_ordered =
        own.invalidated->thread == action.thread ||
        state_.order.knows(action.thread, state_.order.actor(own.invalidated->thread),
                           own.invalidated->time);
    return state_.report(state_.finding(is_ordered ? Sentence::mbarrier_used_after_invalidation
                                                   : Sentence::mbarrier_invalidated_in_use,
                                        action.site, action.thread),
                         state_.note(NoteSentence::invalidated_here, own.invalidated->site,
                                     own.invalidated->thread));
  }
  own.early_uses.try_emplace({action.thread, action.site}, EarlyUse{action, ++uses_});
}

void MbarrierLives::check_visibility(const MbarrierLedger& ledger, const Action& action,
                                     bool is_operation) {
  const Action& initialized = ledger.initialized;
  const bool is_remote = shared_rank(ledger.address) != action.thread.rank;
  if (is_remote && state_.has_ended[shared_rank(ledger.address)]) {
    state_.report(state_.finding(Sentence::mbarrier_of_ended_cta, action.site, action.thread));
  }
  if (initialized.thread == action.thread ||
      state_.order.knows(action.thread, state_.order.actor(initialized.thread), initialized.time) ||
      state_.order.knows(action.thread,
                         state_.order.actor(initialized.thread, Actor::Track::initializations),
                         initialized.time)) {
    return;
  }
  const Sentence sentence = is_operation ? (is_remote ? Sentence::operation_on_unseen_mbarrier
                                                      : Sentence::operation_before_initialization)
                            : is_remote  ? Sentence::mbarrier_of_other_cta_unseen
                                         : Sentence::mbarrier_used_before_initialization;
  note_unseen({++uses_, action, ledger.address, sentence, initialized,
               heard_flags_.short_edge(state_.order.actor(initialized.thread), initialized.time,
                                       action.thread)});
}

void MbarrierLives::note_unseen(Unseen unseen) {
  std::vector<Unseen>& uses = unseen_[unseen.use.thread];
  const auto same = std::ranges::find_if(uses, [&](const Unseen& other) {
    return other.use.site == unseen.use.site && other.said == unseen.said;
  });
  if (same == uses.end()) {
    uses.push_back(std::move(unseen));
  } else if (unseen.number < same->number) {
    *same = std::move(unseen);
  }
}

void MbarrierLives::report_unseen(const std::map<std::uint32_t, MbarrierLedger>& ledgers) {
  for (const auto& [address, ledger] : ledgers) {
    for (const auto& [by, early] : ledger.early_uses) {
      note_unseen({early.number, early, address, Sentence::mbarrier_uninitialized, std::nullopt});
    }
  }
  for (auto& [thread, uses] : unseen_) report_until_wait(uses);
}

void MbarrierLives::report_until_wait(std::vector<Unseen>& uses) {
  std::ranges::sort(uses, {}, &Unseen::number);
  for (const Unseen& each : uses) {
    Finding finding = state_.finding(each.said, each.use.site, each.use.thread);
    if (each.initialized) {
      state_.report(std::move(finding),
                    state_.note(NoteSentence::initialized_here, each.initialized->site,
                                each.initialized->thread),
                    each.edge);
    } else if (state_.reporter.is_noted(Fact::unawaited, each.mbarrier)) {
      state_.suspect(std::move(finding), {}, {.mbarrier = each.mbarrier});
    } else {
      state_.report(std::move(finding));
    }
    if (state_.launch.program.effects[each.use.site].asks_phase) return;
  }
}

}  // namespace tmaemu::check
