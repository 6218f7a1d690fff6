// Arrivals at an mbarrier that are more than it counts in a phase.
#include <algorithm>

#include "common/text.h"
#include "contract/findings/sentences.h"
#include "emulator/check/mbarrier_checker.h"

namespace tmaemu::check {

// An arrival that comes when the phase before it had all of its arrivals, and does not know that:
// it is one too many, though the mbarrier takes it for the next phase. Where bytes come, too, who
// knows of all arrivals does not yet know that the phase is over.
void MbarrierChecker::check_arrival(MbarrierLedger& ledger, const PhaseLedger::Arriver& action) {
  if (state_.is_ordered_by_flags()) return;
  const PhaseLedger& previous = ledger.previous;
  if (ledger.phase == ledger.first_phase || previous.arrivers.empty()) return;
  if (previous.arrivers.size() == most_arrivers) return;  // it may be one that is not remembered
  // In a cluster who arrives once a phase at several CTAs may be a phase ahead at one of them.
  const auto is_own = [&](const PhaseLedger::Arriver& arrival) {
    const bool is_of_one_lap = arrival.lap == action.lap;
    return arrival.thread == action.thread && !is_of_one_lap;
  };
  if (state_.ctas > 1 && std::ranges::any_of(previous.arrivers, is_own)) return;
  if (state_.order.has_happened(action.thread, ledger.phases, ledger.phase)) return;
  const Action* unknown = nullptr;
  for (const Action& earlier : ledger.previous.arrivers) {
    if (unknown == nullptr && !knows(action.thread, earlier)) unknown = &earlier;
  }
  // It has arrived for the phase before, whose bytes may still be on their way.
  const auto repeated = std::ranges::find_if(previous.arrivers, [&](const auto& arrival) {
    return arrival.thread == action.thread && arrival.lap == action.lap;
  });
  const bool is_repeated =
      repeated != previous.arrivers.end() && shared_rank(ledger.address) == action.thread.rank;
  const bool waits_for_bytes = (state_.ctas == 1 || is_repeated) && !previous.operations.empty();
  if (unknown == nullptr && !waits_for_bytes) return;
  if (previous.has_thread_of_two_laps()) return;  // that one goes on too early
  ledger.current.surplus_of.insert(action.thread);
  // From then on each arrival of this thread is one of the phase before.
  if (previous.surplus_of.contains(action.thread)) return;
  const Sentence sentence = previous.is_of_one_lap(action) ? Sentence::arrival_beyond_count_of_lap
                                                           : Sentence::arrival_beyond_count;
  Finding finding = state_.finding(sentence, action.site, action.thread,
                                   {common::counted(ledger.count, "arrival")});
  finding.bytes = bytes_of(ledger);
  finding.notes.push_back(unknown == nullptr ? issued_here(previous.operations.back())
                                             : state_.note(NoteSentence::also_arrived_here,
                                                           unknown->site, unknown->thread));
  suspect(ledger.address, std::move(finding), given_here(ledger));
}

void MbarrierChecker::order_arrival(const events::OrderedArrival& arrival) {
  MbarrierLedger& own = ledger(arrival.mbarrier);
  const Action action = this->action(arrival.thread, arrival.site);
  lives_.use(own, action, false);
  if (!arrival.is_counted) return;
  own.lap.has_copies = true;
  count_in_lap(own, action, true);
}

// Arrivals that follow copies come early or late, and where they are too many the phase ends at
// whichever come first. So they are counted where they are ordered, by threads that have waited for
// one and the same phase.
void MbarrierChecker::count_in_lap(MbarrierLedger& ledger, const Action& action,
                                   bool follows_copies) {
  if (state_.is_ordered_by_flags() || !ledger.is_live) return;
  if (ledger.lap.has_surplus) return;  // who goes on too early arrives too early, too
  Time phase = ledger.phase;
  while (phase > ledger.first_phase &&
         !state_.order.has_happened(action.thread, ledger.phases, phase)) {
    --phase;
  }
  OrderedLap& lap = ledger.lap;
  if (phase < lap.phase) return;
  if (phase > lap.phase) {
    lap.phase = phase;
    lap.arrivals.clear();
  }
  // Who knows of all arrivals of a lap begins the next one.
  const auto is_known = [&](const Action& each) { return knows(action.thread, each); };
  if (std::ssize(lap.arrivals) >= ledger.count && std::ranges::all_of(lap.arrivals, is_known)) {
    lap.arrivals.clear();
  }
  if (std::ssize(lap.arrivals) > ledger.count)
    lap.arrivals.pop_back();  // of no copies: one will do
  lap.arrivals.push_back({action, follows_copies});
  const auto ordered = std::ranges::find_if(lap.arrivals, &OrderedLap::Arrival::follows_copies);
  if (std::ssize(lap.arrivals) <= ledger.count || ordered == lap.arrivals.end()) return;
  lap.has_surplus = true;
  Finding finding = state_.finding(Sentence::copies_arrive_beyond_count, ordered->site,
                                   ordered->thread, {common::counted(ledger.count, "arrival")});
  finding.bytes = bytes_of(ledger);
  state_.report(std::move(finding), given_here(ledger));
}

}  // namespace tmaemu::check
