// What is announced at mbarriers, and what comes.
#include <algorithm>
#include <utility>

#include "contract/findings/sentences.h"
#include "emulator/check/mbarrier_checker.h"
#include "emulator/memory/address_space.h"

namespace tmaemu::check {

// Bytes of the next lap, announced by a thread that does not know that the last one is over: they
// may well count in that one, which has its arrival already.
void MbarrierChecker::check_announcement(const MbarrierLedger& ledger, const Action& action,
                                         std::int64_t bytes) {
  const PhaseLedger& previous = ledger.previous;
  if (ledger.phase == ledger.first_phase || state_.is_ordered_by_flags() ||
      previous.operations.empty() || ledger.is_out_of_step ||
      state_.order.has_happened(action.thread, ledger.phases, ledger.phase)) {
    return;
  }
  if (!previous.has_arrival_of(action.thread)) return;
  suspect(ledger.address,
          state_.finding(Sentence::more_bytes_announced, action.site, action.thread,
                         {previous.announced + bytes, previous.brought}),
          issued_here(previous.operations.back()));
}

void MbarrierChecker::announce(PhaseLedger& phase, const Action& action, std::int64_t bytes,
                               bool arrives) {
  if (phase.announcements.size() == most_arrivers) return;
  PhaseLedger::Announcement announcement{action, bytes, -phase.brought, arrives};
  // Where an arrival is behind it, nobody asks what is owed; and many threads may announce at once.
  if (!arrives) {
    for (const PhaseLedger::Announcement& before : phase.announcements) {
      if (knows(action.thread, before)) announcement.owed_before += before.bytes;
    }
  }
  phase.announcements.push_back(announcement);
}

void MbarrierChecker::bring_before_announcements(PhaseLedger& phase, ThreadId loading,
                                                 std::int64_t bytes) {
  for (PhaseLedger::Announcement& each : phase.announcements) {
    if (!each.has_arrival_behind && !knows(loading, each)) each.owed_before -= bytes;
  }
}

void MbarrierChecker::arrive_behind_announcements(PhaseLedger& phase, ThreadId arriving) {
  for (PhaseLedger::Announcement& each : phase.announcements) {
    each.has_arrival_behind = each.has_arrival_behind || knows(arriving, each);
  }
}

// All arrivals of the phase, and all bytes that were announced before, may have come before these
// were announced in it: then it was over, and the bytes are those of the next one.
void MbarrierChecker::check_protection(const MbarrierLedger& ledger) {
  if (state_.is_ordered_by_flags()) return;
  const auto& all = ledger.current.announcements;
  const auto late = std::ranges::find_if_not(all, &PhaseLedger::Announcement::is_protected);
  if (late == all.end()) return;
  suspect(ledger.address,
          state_.finding(Sentence::announced_behind_arrivals, late->site, late->thread));
}

// Whether more comes in the phase than was announced, but for what is issued too often.
bool MbarrierChecker::suspect_unannounced(const MbarrierLedger& ledger, const PhaseLedger& phase) {
  // What is sent twice is not announced too seldom.
  const bool is_sent_twice = state_.reporter.is_noted(Fact::loaded_too_often, ledger.address);
  const auto* const first = phase.first_unannounced([&](const PhaseLedger::Brought& brought) {
    if (brought.operation == 0 && is_sent_twice) return true;
    return state_.reporter.is_noted(Fact::issued_too_often, brought.operation);
  });
  if (first != nullptr) suspect_announcement(ledger, phase, first->action);
  return first != nullptr;
}

// What belongs to the phase before this one, and came when that was over.
void MbarrierChecker::check_late(const MbarrierLedger& ledger) {
  if (!ledger.previous.has_late || !ledger.previous.is_starved()) return;
  state_.reporter.note(Fact::phase_starved, key_of({ledger.address, ledger.phase - 1}));
  suspect_unannounced(ledger, ledger.previous);
}

// What was announced in the phase, and what comes in it.
void MbarrierChecker::check_announcements(MbarrierLedger& ledger, bool is_over) {
  const PhaseLedger& phase = ledger.current;
  if (phase.is_starved()) {
    state_.reporter.note(Fact::phase_starved, key_of({ledger.address, ledger.phase}));
  }
  if (ledger.is_out_of_step) return;
  if (!is_over && phase.announced == 0 && is_cta_held_up(shared_rank(ledger.address))) return;
  if (suspect_unannounced(ledger, phase)) return;
  if (!is_over && phase.announced > phase.brought && phase.arrivals >= ledger.count &&
      ledger.is_in_use() && !is_load_held_up(ledger)) {
    const Action& action = *phase.announcement;
    Finding finding = state_.finding(Sentence::more_bytes_announced, action.site, action.thread,
                                     {phase.announced, phase.brought});
    if (phase.operations.empty()) {
      suspect(ledger.address, std::move(finding));
    } else {
      suspect(ledger.address, std::move(finding), issued_here(phase.operations.back()));
    }
  }
}

// Whether loads from elsewhere come too early for one of the CTA's mbarriers: its threads may sleep
// there, and not have come to announce what comes at another one.
bool MbarrierChecker::is_cta_held_up(std::uint32_t rank) const {
  return std::ranges::any_of(ledgers_, [&](const auto& each) {
    return shared_rank(each.first) == rank && !each.second.sleepers.empty() &&
           state_.reporter.is_noted(Fact::loaded_too_often, each.first);
  });
}

// Whether the threads that have loaded in the phase before sleep for another mbarrier, and it was
// none of them that announced the bytes of this one: they would bring them if they could go on.
bool MbarrierChecker::is_load_held_up(const MbarrierLedger& ledger) const {
  const auto is_held_up = [&](const PhaseLedger::Brought& brought) {
    const ThreadId loader = brought.action.thread;
    return loader != ledger.current.announcement->thread &&
           std::ranges::any_of(ledgers_, [&](const auto& other) {
             return other.first != ledger.address &&
                    other.second.sleepers.contains(number_of(loader));
           });
  };
  return ledger.current.operations.empty() && !ledger.previous.operations.empty() &&
         std::ranges::all_of(ledger.previous.operations, is_held_up);
}

// The bytes of this load are announced at its mbarrier by too few, or not at all.
void MbarrierChecker::suspect_announcement(const MbarrierLedger& ledger, const PhaseLedger& phase,
                                           const Action& load) {
  const std::uint32_t rank = shared_rank(ledger.address);
  const bool is_own = rank == load.thread.rank;
  const bool none = phase.announced == 0;
  Values values;
  if (!none) values.emplace_back(phase.announced);
  if (!is_own) values.emplace_back(rank);
  values.emplace_back(phase.brought);
  const Sentence sentence =
      is_own ? (none ? Sentence::no_bytes_announced : Sentence::fewer_bytes_announced)
             : (none ? Sentence::no_bytes_announced_there : Sentence::fewer_bytes_announced_there);
  Finding finding = state_.finding(sentence, load.site, load.thread, std::move(values));
  const auto& announcement = phase.announcement ? phase.announcement : ledger.previous.announcement;
  std::optional<Note> note;
  if (announcement) {
    note = state_.note(NoteSentence::announced_here, announcement->site, announcement->thread);
  } else if (!is_own && ledger.is_live) {
    note = state_.note(NoteSentence::counts_bytes, ledger.initialized.site,
                       ledger.initialized.thread, bytes_of(ledger));
  }
  suspect(ledger.address, std::move(finding), std::move(note));
}

}  // namespace tmaemu::check
