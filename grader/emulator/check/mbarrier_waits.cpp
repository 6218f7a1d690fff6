// What waits leave open: phases that pass those who wait, parities of other phases, and who sleeps
// when nothing can run any more.
#include <algorithm>
#include <utility>

#include "contract/findings/sentences.h"
#include "emulator/check/mbarrier_checker.h"
#include "emulator/memory/address_space.h"
#include "emulator/program/flow.h"

namespace tmaemu::check {

// Who has seen the phase before this one must be known to have done so by those who complete this
// one: else it may still be waiting when the next one is over, too.
void MbarrierChecker::check_overrun(const MbarrierLedger& ledger) {
  if (state_.is_ordered_by_flags()) return;
  const SharedClocks arriving = ledger.handover.arriving.all();
  for (const auto& [thread, wait] : ledger.waits) {
    if (wait.phase + 1 != static_cast<std::int64_t>(ledger.phase)) continue;
    if (wait.is_stale && !wait.is_behind_arrival) continue;
    const Action& action = wait.action;
    const PhaseLedger& phase = ledger.current;
    const auto brought_since =
        phase.operations.begin() +
        static_cast<std::ptrdiff_t>(std::min(wait.operations_before, phase.operations.size()));
    const auto has_brought = [&](const PhaseLedger::Brought& brought) {
      return state_.order.has_happened(brought.action.thread, state_.order.actor(action.thread),
                                       action.time);
    };
    const auto is_own = [&](const PhaseLedger::Brought& brought) {
      return brought.action.thread == action.thread;
    };
    if ((arriving != nullptr &&
         Order::has_happened(*arriving, state_.order.actor(action.thread), action.time)) ||
        std::ranges::any_of(phase.operations, has_brought) ||
        std::any_of(brought_since, phase.operations.end(), is_own)) {
      continue;
    }
    if (!wait.is_stale) {
      suspect_overrun(ledger, action);
    } else {
      suspect_stale_wait(ledger, action);
    }
  }
}

// Its thread has arrived in the phase under way, and waits for the one before: a moment later it
// would be the one behind that.
void MbarrierChecker::suspect_stale_wait(const MbarrierLedger& ledger, const Action& wait) {
  Finding finding = state_.finding(Sentence::wait_returned_for_past_phase, wait.site, wait.thread);
  finding.bytes = bytes_of(ledger);
  std::optional<Note> note;
  if (!ledger.current.operations.empty()) {
    note = issued_here(ledger.current.operations.back());
  }
  state_.suspect(std::move(finding), std::move(note));
}

// A wait that returns for a phase, although nothing orders the phase of the same parity before its
// thread: it may have been waiting for that one. Whether there is such a suspicion.
bool MbarrierChecker::check_late_wait(const MbarrierLedger& ledger, const Action& action) {
  const Time returned_for = ledger.phase - 1;
  if (returned_for < ledger.first_phase + 2 || state_.is_ordered_by_flags()) return false;
  if (state_.order.has_happened(action.thread, ledger.phases, returned_for - 1)) return false;
  suspect_overrun(ledger, action);
  return true;
}

// A wait that returns for a phase, although nothing orders the end of the one in front of it before
// its thread: it may have asked during that one, and then the same parity is that of a phase long
// past. PTX ISA, "mbarrier.test_wait": the parity is that of the current phase or of the one
// immediately before.
void MbarrierChecker::check_early_wait(const MbarrierLedger& ledger, const Action& action,
                                       std::int64_t seen_before) {
  const Time returned_for = ledger.phase - 1;
  if (returned_for == ledger.first_phase || state_.is_ordered_by_flags()) return;
  if (state_.order.has_happened(action.thread, ledger.phases, returned_for)) return;
  // Asked about a phase for the second time, any answer is right.
  if (seen_before + 2 == static_cast<std::int64_t>(returned_for)) return;
  // All arrivals come before this: the phase is over, if no bytes were to come.
  const PhaseLedger& front = ledger.earlier;
  const auto has_happened = [&](const Action& arrival) {
    return state_.order.has_happened(action.thread, state_.order.actor(arrival.thread),
                                     arrival.time);
  };
  if (front.announced == 0 && front.brought == 0 && !front.arrivers.empty() &&
      std::ranges::all_of(front.arrivers, has_happened)) {
    return;
  }
  Finding finding = state_.finding(Sentence::wait_may_return_early, action.site, action.thread);
  finding.bytes = bytes_of(ledger);
  suspect(ledger.address, std::move(finding));
}

void MbarrierChecker::suspect_overrun(const MbarrierLedger& ledger, const Action& wait) {
  const PhaseLedger& second = ledger.current.arrivers.empty() ? ledger.previous : ledger.current;
  // Whom phases have passed is out of step, and lets those that it ends pass others.
  if (!second.arrivers.empty() &&
      passed_threads_.contains(number_of(second.arrivers.back().thread))) {
    return;
  }
  passed_threads_.insert(number_of(wait.thread));
  Finding finding = state_.finding(Sentence::phase_passed_waiting_thread, wait.site, wait.thread);
  finding.bytes = bytes_of(ledger);
  if (!second.arrivers.empty()) {
    const Action& last = second.arrivers.back();
    finding.notes.push_back(
        state_.note(NoteSentence::ends_next_phase_here, last.site, last.thread));
  }
  suspect(ledger.address, std::move(finding));
}

// A ring of which both sides wait as the producer does, for parity 1 at first: where the readers
// are faster, they hand back what was never loaded, and it is the producer that sleeps. Whether it
// is so.
bool MbarrierChecker::report_fresh_wait(const MbarrierLedger& ledger, const Action& sleeper) {
  const LaunchState& launch = state_.launch;
  if (ledger.waits.contains(number_of(sleeper.thread)) ||
      !loads_behind_wait(launch.program, *launch.facts, sleeper.site)) {
    return false;
  }
  for (const PhaseLedger::Arriver& arrival : ledger.previous.arrivers) {
    for (const auto& [address, other] : ledgers_) {
      const auto wait = other.waits.find(number_of(arrival.thread));
      if (!other.is_live || address == ledger.address || wait == other.waits.end() ||
          other.phase != other.first_phase ||
          loads_behind_wait(launch.program, *launch.facts, wait->second.action.site)) {
        continue;
      }
      state_.reporter.note(Fact::mbarrier_misused, address);
      state_.reporter.note(Fact::mbarrier_misused, ledger.address);
      report_returned_for_past(other, wait->second.action, NoteSentence::also_arrived_here,
                               arrival);
      return true;
    }
  }
  return false;
}

void MbarrierChecker::report_returned_for_past(const MbarrierLedger& ledger, const Action& wait,
                                               NoteSentence said, const Action& other) {
  Finding finding = state_.finding(Sentence::wait_returned_for_past_phase, wait.site, wait.thread);
  finding.bytes = bytes_of(ledger);
  state_.report(std::move(finding), state_.note(said, other.site, other.thread));
}

// Who sleeps when nothing can run any more, and waits for a phase that was over long ago.
void MbarrierChecker::check_sleepers(const MbarrierLedger& ledger) {
  if (ledger.is_out_of_step) return;  // the phases are not those that were meant
  for (const auto& [number, sleeper] : ledger.sleepers) {
    const auto wait = ledger.waits.find(number);
    const std::int64_t seen = wait == ledger.waits.end()
                                  ? static_cast<std::int64_t>(ledger.first_phase) - 1
                                  : wait->second.phase;
    const std::int64_t ahead = static_cast<std::int64_t>(ledger.phase) - seen;
    const bool nothing_comes = ledger.current.arrivals == 0 && ledger.current.announced == 0 &&
                               ledger.current.brought == 0;
    if (ahead == 2 && nothing_comes) {
      // The parity is that of the phase before the one that it should wait for.
      if (report_fresh_wait(ledger, sleeper)) continue;
      state_.reporter.note(Fact::mbarrier_misused, ledger.address);
      Finding finding =
          state_.finding(Sentence::wait_for_passed_parity, sleeper.site, sleeper.thread);
      finding.bytes = bytes_of(ledger);
      if (ledger.previous.operations.empty()) {
        state_.report(std::move(finding));
      } else {
        state_.report(std::move(finding), issued_here(ledger.previous.operations.back()));
      }
      continue;
    }
    const bool is_new = ahead == 1 && wait == ledger.waits.end() && nothing_comes;
    if (is_new && !waits_for_loads(sleeper.site) && !has_filled_unasked(sleeper.thread) &&
        loads_behind_wait(state_.launch.program, *state_.launch.facts, sleeper.site)) {
      Finding finding =
          state_.finding(Sentence::wait_for_stage_unused, sleeper.site, sleeper.thread);
      finding.bytes = bytes_of(ledger);
      state_.report(std::move(finding));
    }
    if (ahead >= 3) suspect_overrun(ledger, sleeper);
  }
}

// What nobody has written, and a thread that sleeps would have loaded: who has waited for nothing
// and reads it reads too early, whichever of the two came first.
void MbarrierChecker::accuse_early_reads() const {
  const LaunchState& launch = state_.launch;
  const auto would_load = [&](std::uint32_t site) {
    return std::ranges::any_of(ledgers_, [&](const auto& each) {
      return std::ranges::any_of(each.second.sleepers, [&](const auto& sleeper) {
        return may_come_to(launch.program, sleeper.second.site, site);
      });
    });
  };
  state_.reporter.change_suspicions(Sentence::shared_never_written, [&](Finding& finding) {
    const SharedVariable* const variable = launch.facts->variable(finding.site);
    if (variable == nullptr || last_asked_[state_.slot(finding.thread)] != nowhere) return;
    for (std::uint32_t site = 0; site < launch.program.sites.size(); ++site) {
      if (!launch.program.effects[site].loads_tile || launch.facts->variable(site) != variable ||
          !would_load(site)) {
        continue;
      }
      finding.sentence = Sentence::read_before_load_done;
      finding.notes = {Note{NoteSentence::load_to_be_issued, site}};
      return;
    }
  });
}

// Whether a wait of that line has returned for a phase in which loads were announced.
bool MbarrierChecker::waits_for_loads(std::uint32_t site) const {
  const auto is_of_line = [&](const auto& wait) {
    return state_.launch.facts->are_of_one_line(wait.second.action.site, site);
  };
  return std::ranges::any_of(ledgers_, [&](const auto& entry) {
    return entry.second.is_loaded && std::ranges::any_of(entry.second.waits, is_of_line);
  });
}

}  // namespace tmaemu::check
