#include "emulator/check/operations.h"

#include <algorithm>
#include <utility>

#include "contract/findings/sentences.h"
#include "emulator/memory/address_space.h"

namespace tmaemu::check {
namespace {

// More operations than this, and those that are known to be done are forgotten.
constexpr std::size_t many_operations = 512;

}  // namespace

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

PhaseOf Operations::phase_of(const Completion& completion) const {
  for (unsigned rank = 0; rank < state_.ctas; ++rank) {
    if (state_.order.cta(static_cast<std::uint16_t>(rank)) != completion.actor.cta) continue;
    return {rank << cta_rank_shift | completion.actor.index * mbarrier_bytes, completion.time - 1};
  }
  return {};
}

void Operations::report_unawaited_phase(const PastAccess& operation, ThreadId thread,
                                        Finding finding, Note note, std::optional<Note> edge) {
  state_.reporter.note(Fact::operation_reported, operation.operation());
  const PhaseOf phase = phase_of(operation.completion());
  About about;
  // Where all bytes are announced by now, it is not for want of that that the wait was too short.
  if (mbarriers_.lacks_announcement(phase)) about.phase = phase;
  if (const auto wait = mbarriers_.stale_wait(phase, thread)) {
    // Of bytes that nobody has announced the phase is chance, and no wait is for them.
    if (!about.phase) state_.reporter.note(Fact::mbarrier_misused, phase.mbarrier);
    finding = state_.finding(Sentence::wait_returned_for_past_phase, wait->site, wait->thread);
    finding.bytes = {shared_offset(phase.mbarrier), 8};
    edge.reset();
  } else {
    about.mbarrier = phase.mbarrier;
  }
  state_.suspect(std::move(finding), std::move(note), about, std::move(edge));
}

std::optional<Finding> Operations::vain_wait(ThreadId issuer, Time time) const {
  const GroupLedger& own = groups_.bulk(issuer);
  if (const auto site = own.vain_wait(time)) {
    return state_.finding(Sentence::waited_for_uncommitted, *site, issuer);
  }
  if (own.has_waited_since(time)) return std::nullopt;
  for (const Action& wait : groups_.foreign_waits()) {
    if (wait.thread.rank != issuer.rank || wait.thread == issuer) continue;
    // Who waits in front of each store of its own has none at first.
    if (groups_.bulk(wait.thread).issued() != 0) continue;
    return state_.finding(Sentence::waited_for_by_another_thread, wait.site, wait.thread);
  }
  return std::nullopt;
}

void Operations::report_unawaited_group(const PastAccess& operation, Finding finding, Note note) {
  std::optional<Note> edge;
  if (operation.cluster == state_.number) {
    state_.reporter.note(Fact::operation_reported, operation.operation());
    const ThreadId issuer = operation.thread(0);
    const GroupLedger& own = groups_.bulk(issuer);
    if (issuer == finding.thread) {
      const auto wait = own.last_wait_without(own.group_of(operation.completion().time));
      if (wait) edge = state_.note(NoteSentence::leaves_store_pending, *wait, issuer);
    }
    if (auto wait = vain_wait(issuer, operation.completion().time)) {
      finding = *std::move(wait);
      note.sentence = operation.entry().issued_here;
      note.site = operation.site;
      note.cta = state_.cta_of(operation.rank);
      note.thread = issuer;
    }
  }
  state_.report(std::move(finding), std::move(note), edge);
}

void Operations::end_load(const Operation& operation, const Target& target, bool is_read) {
  const events::Bulk& bulk = operation.bulk;
  const About about{.phase = target.phase, .operation = number_of(bulk)};
  const ThreadId any{target.rank, 0};
  if (const auto wait = mbarriers_.stale_wait(target.phase, any)) {
    Finding stale =
        state_.finding(Sentence::wait_returned_for_past_phase, wait->site, wait->thread);
    stale.bytes = {shared_offset(target.phase.mbarrier), 8};
    return state_.suspect(std::move(stale),
                          state_.note(NoteSentence::load_issued_here, bulk.site, bulk.thread),
                          about);
  }
  const Sentence sentence = is_read ? Sentence::cta_ends_before_copy_read
                            : bulk.kind == BulkKind::global_to_shared
                                ? Sentence::cta_ends_before_load_landed
                                : Sentence::cta_ends_before_copy_landed;
  state_.suspect(state_.finding(sentence, bulk.site, bulk.thread), {}, about);
}

void Operations::end_store(const Operation& operation) {
  const ThreadId issuer = operation.bulk.thread;
  const std::uint32_t site = operation.bulk.site;
  if (auto wait = vain_wait(issuer, operation.time)) {
    state_.report(*std::move(wait), state_.note(NoteSentence::store_issued_here, site, issuer));
  } else {
    state_.report(state_.finding(Sentence::cta_ends_before_store_read, site, issuer));
  }
}

void Operations::end_cta(std::uint16_t rank, const Clock& done) {
  for (const auto& [number, operation] : operations_) {
    const bool reads_here = operation.bulk.kind != BulkKind::global_to_shared &&
                            shared_rank(operation.bulk.shared) == rank;
    if (is_store(operation.bulk)) {
      const Actor reads = state_.order.actor(operation.bulk.thread, Actor::Track::bulk_reads);
      const bool is_over = !reads_here || done.knows(reads, operation.time);
      if (!is_over && !is_reported(number)) end_store(operation);
      continue;
    }
    for (const Target& target : operation.targets) {
      if ((target.rank != rank && !reads_here) || mbarriers_.is_known(target.phase, done)) continue;
      end_load(operation, target, target.rank != rank);
    }
  }
}

}  // namespace tmaemu::check
