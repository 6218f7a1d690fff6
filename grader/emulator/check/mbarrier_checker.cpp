#include "emulator/check/mbarrier_checker.h"

#include <algorithm>

#include "contract/findings/sentences.h"
#include "emulator/memory/address_space.h"

namespace tmaemu::check {
MbarrierLedger& MbarrierChecker::ledger(std::uint32_t address) {
  MbarrierLedger& ledger = ledgers_[address];
  ledger.address = address;
  ledger.phases = actor(address);
  return ledger;
}

const MbarrierLedger* MbarrierChecker::find(std::uint32_t address) const {
  const auto found = ledgers_.find(address);
  return found == ledgers_.end() ? nullptr : &found->second;
}

Actor MbarrierChecker::actor(std::uint32_t address) const {
  return {state_.order.cta(static_cast<std::uint16_t>(shared_rank(address))),
          static_cast<std::uint16_t>(shared_offset(address) / mbarrier_bytes),
          Actor::Track::phases};
}

const MbarrierLedger* MbarrierChecker::live_in(std::uint32_t address, std::uint32_t bytes) const {
  auto next = ledgers_.lower_bound(address & ~(mbarrier_bytes - 1));
  for (; next != ledgers_.end() && next->first < address + bytes; ++next) {
    if (next->second.is_live) return &next->second;
  }
  return nullptr;
}

void MbarrierChecker::arrive(const events::Arrival& arrival) {
  MbarrierLedger& own = ledger(arrival.mbarrier);
  if (arrival.thread != nullptr) {
    const Action action = this->action(*arrival.thread, arrival.site);
    // What follows copies was asked for before: it is done when it comes.
    if (!arrival.follows_copies) lives_.use(own, action, false);
    if (arrival.tx_bytes > 0) {
      if (arrival.count == 0) check_announcement(own, action, arrival.tx_bytes);
      own.current.announced += arrival.tx_bytes;
      note_filling(action.thread);
      own.current.announcement = action;
      announce(own.current, action, arrival.tx_bytes, arrival.count > 0);
    } else {
      own.current.brought -= arrival.tx_bytes;
      bring_before_announcements(own.current, action.thread, -arrival.tx_bytes);
    }
    if (arrival.count > 0) {
      const Time turn = ++own.arrivals[number_of(action.thread)];
      // What follows copies may come when the thread has long waited for something else.
      const auto lap = arrival.follows_copies ? PhaseOf{own.address, turn} : lap_of(action.thread);
      const bool is_known_there = arrival.order.scope >= Scope::cluster ||
                                  shared_rank(arrival.mbarrier) == action.thread.rank;
      const PhaseLedger::Arriver arriver{action, arrival.tx_bytes > 0, arrival.order.releases(),
                                         !is_known_there, lap};
      if (own.current.arrivers.size() < most_arrivers) own.current.arrivers.push_back(arriver);
      if (!arriver.announces) {
        last_arrivals_[state_.slot(action.thread)] = LastArrival{action, own.address};
      }
      check_arrival(own, arriver);
      if (!arrival.follows_copies && own.lap.has_copies) count_in_lap(own, action, false);
      arrive_behind_announcements(own.current, action.thread);
      own.current.arrivals += arrival.count;
      if (arrival.order.releases() && is_known_there) {
        state_.order.release(action.thread, own.handover.arriving);
        if (state_.ctas > 1 && shared_rank(arrival.mbarrier) == action.thread.rank)
          state_.order.release(action.thread, own.handover_in_cta.arriving);
      } else {
        state_.order.arrive_relaxed(action.thread, own.handover.arriving);
      }
    }
  }
  if (arrival.completes_phase) complete_phase(own);
}

// Where the mbarrier got its count, and each line from which it got arrivals.
void MbarrierChecker::add_arrivals(const MbarrierLedger& ledger, const PhaseLedger& phase,
                                   NoteSentence sentence, std::vector<Note>& notes) const {
  const auto add = [&](NoteSentence said, const Action& action, SharedBytes bytes) {
    const auto is_same = [&](const Note& note) {
      return note.sentence == said && note.site == action.site;
    };
    if (std::ranges::any_of(notes, is_same)) return;
    notes.push_back(state_.note(said, action.site, action.thread, bytes));
  };
  add(NoteSentence::count_given_here, ledger.initialized, bytes_of(ledger));
  for (const Action& arrival : phase.arrivers) add(sentence, arrival, {});
}

void MbarrierChecker::explain_wait(std::uint32_t address, std::vector<Note>& notes) const {
  const MbarrierLedger* const own = find(address);
  if (own == nullptr || !own->is_live) return;
  add_arrivals(*own, own->current, NoteSentence::arrives_here, notes);
  for (std::uint16_t rank = 0; rank < state_.ctas; ++rank) {
    const auto is_of_rank = [&](const Action& arrival) { return arrival.thread.rank == rank; };
    if (rank == shared_rank(address) || std::ranges::any_of(own->current.arrivers, is_of_rank)) {
      continue;
    }
    const MbarrierLedger* const other =
        find(std::uint32_t{rank} << cta_rank_shift | shared_offset(address));
    if (other == nullptr || !other->is_live || other->is_awaited()) continue;
    const auto arrival = std::ranges::find_if(other->current.arrivers, is_of_rank);
    if (arrival == other->current.arrivers.end()) continue;
    return notes.push_back(
        state_.note(NoteSentence::arrives_in_own_cta, arrival->site, arrival->thread));
  }
}

void MbarrierChecker::explain_passage(ThreadId thread, const Actor& load,
                                      std::vector<Note>& notes) const {
  const auto last = last_wait(thread);
  if (!last || last->phases == load) return;
  const MbarrierLedger* const own = find(last->mbarrier);
  if (own == nullptr || own->phase != last->phase + 1 || own->previous.arrivers.empty()) return;
  add_arrivals(*own, own->previous, NoteSentence::ends_wait_here, notes);
}

void MbarrierChecker::release_fenced(std::uint32_t address, ThreadId thread,
                                     const Release& fenced) {
  const bool is_own = shared_rank(address) == thread.rank;
  if (!is_own && fenced.scope < Scope::cluster) return;
  MbarrierLedger& own = ledger(address);
  own.handover.arriving.join(fenced.clocks);
  if (is_own && state_.ctas > 1) own.handover_in_cta.arriving.join(fenced.clocks);
}

void MbarrierChecker::add_copies(std::uint32_t address, const Actor& copies, Time issued) {
  MbarrierLedger& own = ledger(address);
  own.handover.arriving.add(copies, issued);
  if (state_.ctas > 1) own.handover_in_cta.arriving.add(copies, issued);
}

void MbarrierChecker::complete_phase(MbarrierLedger& ledger) {
  check_protection(ledger);
  check_late(ledger);
  check_announcements(ledger, true);
  check_overrun(ledger);
  ++ledger.phase;
  ledger.handover.complete(ledger.phases, ledger.phase);
  if (state_.ctas > 1) ledger.handover_in_cta.complete(ledger.phases, ledger.phase);
  if (ledger.current.announced_in_vain > 0) ledger.is_out_of_step = true;
  ledger.earlier = std::move(ledger.previous);
  ledger.previous = std::move(ledger.current);
  ledger.current = {};
}

void MbarrierChecker::suspect(std::uint32_t address, Finding finding, std::optional<Note> note) {
  state_.suspect(std::move(finding), std::move(note), {.mbarrier = address});
}

void MbarrierChecker::overflow(std::uint32_t address, std::int64_t tx_bytes,
                               const Finding& finding) {
  MbarrierLedger& own = ledger(address);
  if (tx_bytes > 0) own.current.announced_in_vain += tx_bytes;
  // It was meant to come behind what its thread has announced.
  if (tx_bytes == 0) arrive_behind_announcements(own.current, finding.thread);
  ++own.arrivals[number_of(finding.thread)];
  // It is one of the next phase, and the surplus one has taken its place.
  if (!own.current.surplus_of.empty() || own.lap.has_surplus) return;
  if (finding.sentence == Sentence::mbarrier_arrivals && own.is_live) {
    return suspect(address, finding, given_here(own));
  }
  suspect(address, finding);
}

void MbarrierChecker::sleep(std::uint32_t address, const Action& action) {
  MbarrierLedger& own = ledger(address);
  lives_.use(own, action, false);
  own.sleepers.emplace(number_of(action.thread), action);
}

// What a thread does behind a wait is told from what it did before; the lanes of a warp that wait
// together begin one moment. In a cluster alone, whose CTAs give stages back to each other: in one
// CTA no finding was seen to need it, and it takes a seventh of the time of such kernels.
void MbarrierChecker::begin_moment_of_wait(ThreadId thread) {
  if (state_.ctas == 1) return;
  const auto last = last_wait(thread);
  const Time now = state_.order.now(thread);
  const auto first = static_cast<std::uint16_t>(thread.index - thread.index % warp_size);
  Time& begun = wait_moments_[state_.slot({thread.rank, first})];
  if (begun != now || (last && last->time == now)) begun = state_.order.begin_moment(thread);
}

SharedClocks MbarrierChecker::see_phase(const events::PhaseSeen& seen) {
  MbarrierLedger& own = ledger(seen.mbarrier);
  begin_moment_of_wait(seen.thread);
  const Action action = this->action(seen.thread, seen.site);
  own.sleepers.erase(number_of(seen.thread));
  lives_.use(own, action, false);
  MbarrierLedger::LastWait& last = own.waits[number_of(seen.thread)];
  const bool is_first_phase = own.phase == own.first_phase;
  const auto phase = static_cast<std::int64_t>(own.phase) - 1;
  const bool is_repeated = last.is_used && last.phase == phase;
  const std::int64_t seen_before = last.phase;
  last = {action, phase, is_first_phase || state_.order.knows(seen.thread, own.phases, own.phase),
          false, is_repeated};
  last.operations_before = own.current.operations.size();
  last.is_behind_arrival =
      last.is_stale && !own.lap.has_copies && own.current.has_arrival_of(seen.thread);
  last_asked_[state_.slot(seen.thread)] = own.address;
  if (is_first_phase) return nullptr;
  if (!check_late_wait(own, action)) check_early_wait(own, action, seen_before);
  const Waited waited{{own.address, own.phase - 1}, own.phases, seen.site, seen.order, action.time};
  constexpr std::size_t most = 4;
  std::vector<Waited>& waits = last_waits_[state_.slot(seen.thread)];
  if (waits.size() == most) waits.erase(waits.begin());
  waits.push_back(waited);
  if (own.is_loaded) last_waits_for_loads_[state_.slot(seen.thread)] = waited;
  // Where `.cta` is written, nothing is acquired of what other CTAs have released.
  const bool is_narrow = state_.ctas > 1 && seen.order.scope == Scope::cta;
  const SharedClocks& completed = (is_narrow ? own.handover_in_cta : own.handover).completed;
  if (seen.order.acquires()) state_.order.acquire(seen.thread, completed);
  if (is_narrow || !seen.order.acquires())
    state_.order.wait_relaxed(seen.thread, own.handover.completed);
  return completed;
}

// Who has announced bytes in the phase that is over, and does not know that it is, goes on loading
// in it: where the engine is slower, the phase is not over yet. In a cluster others load, too.
bool MbarrierChecker::is_of_previous_phase(const MbarrierLedger& ledger, const Action& load) const {
  const auto& announcement = ledger.previous.announcement;
  return ledger.phase != ledger.first_phase && announcement && !ledger.is_out_of_step &&
         announcement->thread == load.thread && ledger.current.announced == 0 &&
         ledger.current.arrivals == 0 && state_.ctas == 1 &&
         !state_.order.has_happened(load.thread, ledger.phases, ledger.phase);
}

PhaseOf MbarrierChecker::bring(std::uint32_t address, std::int64_t bytes, const Action& action,
                               std::uint32_t operation) {
  MbarrierLedger& own = ledger(address);
  lives_.use(own, action, true);
  const bool is_late = is_of_previous_phase(own, action);
  const Time number = is_late ? own.phase - 1 : own.phase;
  PhaseLedger& phase = is_late ? own.previous : own.current;
  phase.brought += bytes;
  state_.order.arrive_relaxed(action.thread, own.handover.arriving);
  phase.operations.push_back({action, bytes, operation});
  bring_before_announcements(phase, action.thread, bytes);
  own.is_loaded = true;
  phase.has_late |= is_late;
  note_filling(action.thread);
  if (const std::uint32_t asked = last_asked_[state_.slot(action.thread)]; asked != nowhere) {
    ledger(asked).waits[number_of(action.thread)].is_used = true;
  }
  return {address, number};
}

// A remote arrival is over when it has happened: it comes before whoever waited for the phase
// that it completed, also where it was relaxed.
void MbarrierChecker::end_cta(std::uint16_t rank, const Clocks& last) {
  for (auto& [address, ledger] : ledgers_) {
    if (shared_rank(address) != rank || !ledger.is_live) continue;
    for (const auto& [thread, use] : ledger.uses) {
      if (use.thread.rank == rank ||
          Order::has_happened(last, state_.order.actor(use.thread), use.time)) {
        continue;
      }
      state_.report(state_.finding(Sentence::mbarrier_of_ended_cta, use.site, use.thread));
    }
  }
}

void MbarrierChecker::end_cluster(events::End end) {
  if (end == events::End::deadlock) accuse_early_reads();
  for (auto& [address, ledger] : ledgers_) {
    if (!ledger.is_live || end == events::End::fault) continue;
    check_late(ledger);
    check_announcements(ledger, false);
    if (end == events::End::finished) check_protection(ledger);
    if (end == events::End::deadlock) check_sleepers(ledger);
  }
  for (const auto& [address, ledger] : ledgers_) {
    const bool is_asked = std::ranges::any_of(ledger.early_uses, [&](const auto& early) {
      return state_.launch.program.effects[early.second.site].asks_phase;
    });
    if (ledger.is_awaited() || is_asked) continue;
    state_.reporter.note(Fact::unawaited, address);
    if (!passed_threads_.empty()) state_.reporter.note(Fact::never_awaited, address);
  }
  lives_.report_unseen(ledgers_);
}

}  // namespace tmaemu::check
