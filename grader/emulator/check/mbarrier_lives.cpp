#include "emulator/check/mbarrier_lives.h"

#include <utility>

#include "emulator/memory/address_space.h"

namespace tmaemu::check {
namespace {

// Of the uses before an initialization, as many as are remembered.
constexpr std::size_t most_remembered = 1024;

// Whether the thread knows of the deed, or of what another lane of its warp did then: libcu++ lets
// one lane of each warp tell that the warp is done with an mbarrier.
bool knows_of_warp(const ClusterState& state, ThreadId thread, const Deed& deed) {
  const unsigned first = deed.thread.index / warp_size * warp_size;
  for (unsigned i = first; i < first + warp_size; ++i) {
    const ThreadId lane{deed.thread.rank, static_cast<std::uint16_t>(i)};
    if (lane == thread || state.order.knows(thread, state.order.actor(lane), deed.time))
      return true;
  }
  return false;
}

// Every use of the mbarrier so far is to be known to the thread.
void check_uses(ClusterState& state, const MbarrierLedger& ledger, const Deed& deed) {
  for (const auto& [thread, use] : ledger.uses) {
    if (use.thread == deed.thread || knows_of_warp(state, deed.thread, use)) continue;
    state.report(state.finding(Sentence::mbarrier_invalidated_in_use, use.site, use.thread),
                 state.note(NoteSentence::invalidated_here, deed.site, deed.thread));
  }
}

// Threads that come to the same line and know nothing of each other: nobody has chosen one of them.
bool is_of_all_threads(const ClusterState& state, const MbarrierLedger& own, const Deed& deed) {
  const Deed& first = own.initialized;
  return first.site == deed.site && first.thread != deed.thread &&
         !state.order.knows(deed.thread, state.order.actor(first.thread), first.time);
}

void check_visibility(ClusterState& state, const MbarrierLedger& ledger, const Deed& deed,
                      bool is_operation) {
  const Deed& initialized = ledger.initialized;
  const bool is_remote = shared_rank(ledger.address) != deed.thread.rank;
  if (is_remote && state.has_ended[shared_rank(ledger.address)]) {
    state.report(state.finding(Sentence::mbarrier_of_ended_cta, deed.site, deed.thread));
  }
  if (initialized.thread == deed.thread ||
      state.order.knows(deed.thread, state.order.actor(initialized.thread), initialized.time) ||
      state.order.knows(deed.thread,
                        state.order.actor(initialized.thread, Actor::Track::initializations),
                        initialized.time)) {
    return;
  }
  const Sentence sentence = is_operation ? (is_remote ? Sentence::operation_on_unseen_mbarrier
                                                      : Sentence::operation_before_initialization)
                            : is_remote  ? Sentence::mbarrier_of_other_cta_unseen
                                         : Sentence::mbarrier_used_before_initialization;
  state.report(state.finding(sentence, deed.site, deed.thread),
               state.note(NoteSentence::initialized_here, initialized.site, initialized.thread));
}

}  // namespace

void begin_life(ClusterState& state, MbarrierLedger& own, std::int64_t count, const Deed& deed) {
  if (own.is_live) {
    const Sentence sentence = is_of_all_threads(state, own, deed)
                                  ? Sentence::mbarrier_initialized_by_all
                                  : Sentence::mbarrier_initialized_twice;
    state.report(
        state.finding(sentence, deed.site, deed.thread),
        state.note(NoteSentence::initialized_here, own.initialized.site, own.initialized.thread));
  }
  for (const Deed& early : own.early_uses) {
    state.report(
        state.finding(Sentence::mbarrier_used_before_initialization, early.site, early.thread),
        state.note(NoteSentence::initialized_here, deed.site, deed.thread));
  }
  own.early_uses.clear();
  own.is_live = true;
  own.count = count;
  own.initialized = deed;
  own.invalidated.reset();
  own.first_phase = ++own.phase;  // nobody has seen a phase of this life
  own.current = {};
  own.previous = {};
  own.handover.clear();
  own.handover_in_cta.clear();
  own.waits.clear();
  own.uses.clear();
}

void end_life(ClusterState& state, MbarrierLedger& own, const Deed& deed) {
  if (!own.is_live) {
    if (!own.invalidated) return;
    return state.report(
        state.finding(Sentence::mbarrier_used_after_invalidation, deed.site, deed.thread),
        state.note(NoteSentence::invalidated_here, own.invalidated->site, own.invalidated->thread));
  }
  check_uses(state, own, deed);
  own.is_live = false;
  own.invalidated = deed;
}

void note_use(ClusterState& state, MbarrierLedger& own, const Deed& deed, bool is_operation) {
  // An operation uses it until its phase is over, which is looked after where operations are.
  if (!is_operation) own.uses[number_of(deed.thread)] = deed;
  if (!own.is_live) return note_use_of_none(state, own, deed);
  check_visibility(state, own, deed, is_operation);
}

void note_use_of_none(ClusterState& state, MbarrierLedger& own, const Deed& deed) {
  if (own.invalidated) {
    const bool is_ordered =
        own.invalidated->thread == deed.thread ||
        state.order.knows(deed.thread, state.order.actor(own.invalidated->thread),
                          own.invalidated->time);
    state.report(
        state.finding(is_ordered ? Sentence::mbarrier_used_after_invalidation
                                 : Sentence::mbarrier_invalidated_in_use,
                      deed.site, deed.thread),
        state.note(NoteSentence::invalidated_here, own.invalidated->site, own.invalidated->thread));
  } else if (own.early_uses.size() < most_remembered) {
    own.early_uses.push_back(deed);
  }
}

}  // namespace tmaemu::check
