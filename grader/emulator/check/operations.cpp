#include "emulator/check/operations.h"

#include <algorithm>
#include <utility>

#include "emulator/memory/address_space.h"

namespace tmaemu::check {
namespace {

// More operations than this, and those that are known to be done are forgotten.
constexpr std::size_t many_operations = 512;

bool is_store(const events::Bulk& bulk) {
  return bulk.kind == BulkKind::shared_to_global || bulk.kind == BulkKind::reduce_to_global;
}

}  // namespace

void Operations::start() {
  operations_.clear();
  blamed_.clear();
  foreign_waits_.clear();
}

void Operations::add(Operation operation) {
  const ThreadId thread = operation.bulk.thread;
  operation.bulk.global = {};  // gone when the event is over
  operations_.emplace(number_of(operation.bulk), std::move(operation));
  if (operations_.size() < many_operations) return;
  const Clock& done = (*state_.order.known(thread))[View::done];
  std::erase_if(operations_, [&](const auto& each) {
    const Operation& old = each.second;
    if (is_store(old.bulk)) {
      return done.knows(state_.order.actor(old.bulk.thread, Actor::Track::bulk_reads), old.time);
    }
    return std::ranges::all_of(
        old.targets, [&](const Target& target) { return mbarriers_.is_known(target.phase, done); });
  });
}

PhaseOf Operations::phase_of(const Record& load) const {
  for (unsigned rank = 0; rank < state_.ctas; ++rank) {
    if (state_.order.cta(static_cast<std::uint16_t>(rank)) != load.completion.cta) continue;
    constexpr std::uint32_t mbarrier_bytes = 8;
    return {rank << cta_rank_shift | load.completion.index * mbarrier_bytes, load.completed - 1};
  }
  return {};
}

void Operations::report_load(const PhaseOf& phase, ThreadId reader, Finding finding, Note note) {
  const auto wait = mbarriers_.stale_wait(phase, reader);
  if (wait) {
    mbarriers_.note_cause(phase.mbarrier);
    finding = state_.finding(Sentence::wait_returned_for_past_phase, wait->site, wait->thread);
    finding.bytes = {shared_offset(phase.mbarrier), 8};
  }
  if (state_.reporter.is_known(finding.sentence, finding.site, note.site)) return;
  finding.notes.push_back(std::move(note));
  // Where all bytes are announced by now, it is not for want of that that the wait was too short.
  const bool may_be_consequence = !wait && mbarriers_.lacks_announcement(phase);
  state_.reporter.defer(std::move(finding), [this, phase, may_be_consequence] {
    return may_be_consequence && mbarriers_.is_starved(phase);
  });
}

void Operations::blame_load(const Record& load, ThreadId reader, Finding finding, Note note) {
  blamed_.insert(load.operation);
  report_load(phase_of(load), reader, std::move(finding), std::move(note));
}

std::optional<Finding> Operations::vain_wait(ThreadId issuer, Time time, ThreadId thread,
                                             const std::vector<GroupLedger>& bulk) const {
  const GroupLedger& own = bulk[state_.slot(issuer)];
  const bool has_waited = own.last_wait() && own.last_wait()->issued >= time;
  if (has_waited) {
    if (time <= own.committed()) return std::nullopt;
    return state_.finding(Sentence::waited_for_uncommitted, own.last_wait()->site, issuer);
  }
  for (const Deed& wait : foreign_waits_) {
    if (wait.thread.rank != issuer.rank || wait.thread == issuer) continue;
    (void)thread;
    return state_.finding(Sentence::waited_for_by_another_thread, wait.site, wait.thread);
  }
  return std::nullopt;
}

void Operations::blame_store(const Record& store, ThreadId thread,
                             const std::vector<GroupLedger>& bulk, Finding finding, Note note) {
  const bool is_own = store.cluster == state_.number;
  if (is_own) {
    blamed_.insert(store.operation);
    if (auto wait = vain_wait(store.thread(0), store.completed, thread, bulk)) {
      finding = *std::move(wait);
      note.sentence = NoteSentence::store_issued_here;
      note.site = store.site;
      note.cta = state_.cta_of(store.rank);
      note.thread = store.thread(0);
    }
  }
  state_.report(std::move(finding), std::move(note));
}

void Operations::end_load(const Operation& operation, const Target& target, bool is_read) {
  const events::Bulk& bulk = operation.bulk;
  const Sentence sentence = is_read ? Sentence::cta_ends_before_copy_read
                            : bulk.kind == BulkKind::global_to_shared
                                ? Sentence::cta_ends_before_load_landed
                                : Sentence::cta_ends_before_copy_landed;
  Finding finding = state_.finding(sentence, bulk.site, bulk.thread);
  const auto is_consequence = [this, phase = target.phase, number = number_of(bulk)] {
    return mbarriers_.is_starved(phase) || blamed_.contains(number);
  };
  const ThreadId any{target.rank, 0};
  if (const auto wait = mbarriers_.stale_wait(target.phase, any)) {
    if (state_.reporter.is_known(Sentence::wait_returned_for_past_phase, wait->site, bulk.site)) {
      return;
    }
    Finding stale =
        state_.finding(Sentence::wait_returned_for_past_phase, wait->site, wait->thread);
    stale.bytes = {shared_offset(target.phase.mbarrier), 8};
    stale.notes.push_back(state_.note(NoteSentence::load_issued_here, bulk.site, bulk.thread));
    state_.reporter.defer(std::move(stale), is_consequence);
    return;
  }
  if (state_.reporter.is_known(sentence, bulk.site, bulk.site)) return;
  state_.reporter.defer(std::move(finding), is_consequence);
}

void Operations::end_cta(std::uint16_t rank, const Clock& done,
                         const std::vector<GroupLedger>& bulk) {
  for (const auto& [number, operation] : operations_) {
    const bool reads_here = operation.bulk.kind != BulkKind::global_to_shared &&
                            shared_rank(operation.bulk.shared) == rank;
    if (is_store(operation.bulk)) {
      const ThreadId issuer = operation.bulk.thread;
      if (!reads_here || blamed_.contains(number) ||
          done.knows(state_.order.actor(issuer, Actor::Track::bulk_reads), operation.time)) {
        continue;
      }
      if (auto wait = vain_wait(issuer, operation.time, issuer, bulk)) {
        state_.report(*std::move(wait),
                      state_.note(NoteSentence::store_issued_here, operation.bulk.site, issuer));
      } else {
        state_.report(
            state_.finding(Sentence::cta_ends_before_store_read, operation.bulk.site, issuer));
      }
      continue;
    }
    for (const Target& target : operation.targets) {
      if ((target.rank != rank && !reads_here) || mbarriers_.is_known(target.phase, done)) continue;
      end_load(operation, target, target.rank != rank);
    }
  }
}

}  // namespace tmaemu::check
