#include "emulator/check/mbarrier_lives.h"

#include <utility>

#include "contract/findings/sentences.h"
#include "emulator/memory/address_space.h"

namespace tmaemu::check {
namespace {

// Of the uses before an initialization, as many as are remembered.
constexpr std::size_t most_remembered = 1024;

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

void check_visibility(ClusterState& state, const MbarrierLedger& ledger, const Action& action,
                      bool is_operation) {
  const Action& initialized = ledger.initialized;
  const bool is_remote = shared_rank(ledger.address) != action.thread.rank;
  if (is_remote && state.has_ended[shared_rank(ledger.address)]) {
    state.report(state.finding(Sentence::mbarrier_of_ended_cta, action.site, action.thread));
  }
  if (initialized.thread == action.thread ||
      state.order.knows(action.thread, state.order.actor(initialized.thread), initialized.time) ||
      state.order.knows(action.thread,
                        state.order.actor(initialized.thread, Actor::Track::initializations),
                        initialized.time)) {
    return;
  }
  const Sentence sentence = is_operation ? (is_remote ? Sentence::operation_on_unseen_mbarrier
                                                      : Sentence::operation_before_initialization)
                            : is_remote  ? Sentence::mbarrier_of_other_cta_unseen
                                         : Sentence::mbarrier_used_before_initialization;
  state.report(state.finding(sentence, action.site, action.thread),
               state.note(NoteSentence::initialized_here, initialized.site, initialized.thread));
}

}  // namespace

void begin_life(ClusterState& state, MbarrierLedger& own, std::int64_t count,
                const Action& action) {
  if (own.is_live) {
    const Sentence sentence = is_of_all_threads(state, own, action)
                                  ? Sentence::mbarrier_initialized_by_all
                                  : Sentence::mbarrier_initialized_twice;
    state.report(
        state.finding(sentence, action.site, action.thread),
        state.note(NoteSentence::initialized_here, own.initialized.site, own.initialized.thread));
  }
  for (const Action& early : own.early_uses) {
    state.report(
        state.finding(Sentence::mbarrier_used_before_initialization, early.site, early.thread),
        state.note(NoteSentence::initialized_here, action.site, action.thread));
  }
  own.early_uses.clear();
  if (count < 1) state.reporter.note(Fact::mbarrier_misused, own.address);
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

void end_life(ClusterState& state, MbarrierLedger& own, const Action& action) {
  if (!own.is_live) {
    if (!own.invalidated) return;
    return state.report(
        state.finding(Sentence::mbarrier_used_after_invalidation, action.site, action.thread),
        state.note(NoteSentence::invalidated_here, own.invalidated->site, own.invalidated->thread));
  }
  check_uses(state, own, action);
  own.is_live = false;
  own.invalidated = action;
}

void note_use(ClusterState& state, MbarrierLedger& own, const Action& action, bool is_operation) {
  // An operation uses it until its phase is over, which is looked after where operations are.
  if (!is_operation) own.uses[number_of(action.thread)] = action;
  if (!own.is_live) return note_use_of_none(state, own, action);
  check_visibility(state, own, action, is_operation);
}

void note_use_of_none(ClusterState& state, MbarrierLedger& own, const Action& action) {
  if (own.invalidated) {
    const bool is_ordered =
        own.invalidated->thread == action.thread ||
        state.order.knows(action.thread, state.order.actor(own.invalidated->thread),
                          own.invalidated->time);
    state.report(
        state.finding(is_ordered ? Sentence::mbarrier_used_after_invalidation
                                 : Sentence::mbarrier_invalidated_in_use,
                      action.site, action.thread),
        state.note(NoteSentence::invalidated_here, own.invalidated->site, own.invalidated->thread));
  } else if (own.early_uses.size() < most_remembered) {
    own.early_uses.push_back(action);
  }
}

}  // namespace tmaemu::check
