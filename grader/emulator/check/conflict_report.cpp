#include "emulator/check/conflict_report.h"

#include <optional>
#include <string>
#include <utility>

#include "contract/findings/sentences.h"
#include "emulator/check/missing_handover.h"
#include "emulator/memory/address_space.h"
#include "emulator/program/flow.h"

namespace tmaemu::check {
namespace {

bool is_completed_by(const PastAccess& access, CompletedBy completion) {
  return access.entry().completed_by == completion;
}

// Of two writes of one kind, neither has to be the later one.
bool are_equal_writes(const Conflict& c) {
  return c.earlier_writes && c.now_writes && c.earlier.kind == c.now.kind;
}

bool is_race_of_writes(Sentence sentence) {
  return sentence == Sentence::race_of_writes || sentence == Sentence::race_of_writes_by_ctas;
}

// Where neither of two writes is the later one, it is the one further down in the source.
bool accuses_later(const AccessContext& context, const Conflict& c, const Verdict& verdict) {
  if (!are_equal_writes(c) && !is_race_of_writes(verdict.sentence)) return verdict.accuses_later;
  const auto& places = context.state.launch.places;
  return !(places.line(c.now.site) < places.line(c.earlier.site));
}

// The copy's thread has waited for groups of copies, and this one was in none.
std::optional<Finding> uncommitted_copy(const AccessContext& context, const PastAccess& copy,
                                        unsigned lane) {
  if (!context.order().is_own(copy)) return std::nullopt;
  const ThreadId issuer = copy.thread(lane);
  const auto site = context.groups.copies(issuer).vain_wait(copy.completion().time);
  if (!site) return std::nullopt;
  return context.state.finding(Sentence::copies_not_committed, *site, issuer);
}

// A proxy fence on the way from one to the other that names the other state space.
std::optional<Note> fence_of_other_space(const AccessContext& context, const Conflict& c) {
  const Program& program = context.state.launch.program;
  const auto other = c.is_global ? Effects::Space::shared : Effects::Space::global;
  for (std::uint32_t site = 0; site < program.sites.size(); ++site) {
    if (program.effects[site].fences_async == other && may_come_to(program, c.earlier.site, site) &&
        may_come_to(program, site, c.now.site)) {
      return Note{NoteSentence::fences_other_space, site};
    }
  }
  return std::nullopt;
}

// A flag between other threads of their CTAs.
std::optional<Note> missing_meeting(const AccessContext& context, const Conflict& c,
                                    const ConflictPlace& place) {
  if (c.is_ordered || c.earlier.is_asynchronous()) return std::nullopt;
  return context.heard_flags.missing_meeting(c.earlier.issuer(place.earlier_lane), c.earlier.time,
                                             c.now.thread(place.now_lane));
}

// What stands between the two and was to order them.
std::optional<Note> short_edge(const AccessContext& context, const Conflict& c,
                               const ConflictPlace& place) {
  const PastAccess& before = c.earlier;
  if (!c.is_ordered && !before.is_asynchronous()) {
    if (auto note = context.heard_flags.short_edge(before.issuer(place.earlier_lane), before.time,
                                                   c.now.thread(place.now_lane))) {
      return note;
    }
  }
  if (!context.order().is_own(before)) return std::nullopt;
  if (c.is_ordered) return fence_of_other_space(context, c);
  const ThreadId thread = before.thread(place.earlier_lane);
  const ThreadId now = c.now.thread(place.now_lane);
  if (!before.is_asynchronous()) return context.mbarriers.short_edge(thread, before.time, now);
  if (before.kind == AccessKind::load && !c.read_was_served) {
    const auto wait = context.mbarriers.last_wait_for_load(now);
    if (!wait || wait->phases == before.completion().actor) return std::nullopt;
    return context.state.note(NoteSentence::waits_for_another_load, wait->site, now);
  }
  if (!is_completed_by(before, CompletedBy::copies_of_lane)) return std::nullopt;
  // Who copies, too, waits for its own copies: that the others have is what a barrier is for. Where
  // it leaves the same group of its own pending, so do they.
  const bool is_own = thread == now;
  if (!is_own && context.groups.copies(now).issued() != 0) {
    const std::size_t group = context.groups.copies(thread).group_of(before.completion().time);
    const auto wait = context.groups.copies(now).last_wait_without(group);
    if (!wait) return std::nullopt;
    return context.state.note(NoteSentence::leaves_own_group_pending, *wait, now);
  }
  const auto wait = context.groups.copies(thread).short_wait(before.completion().time);
  const Order& order = context.state.order;
  if (!wait || (!is_own && !order.knows(now, order.actor(thread), wait->moment))) {
    return std::nullopt;
  }
  return context.state.note(NoteSentence::leaves_copy_pending, wait->site, thread);
}

bool is_issued_too_often(Sentence sentence) {
  return sentence == Sentence::issued_twice || sentence == Sentence::issued_again;
}

bool reloads_stage(Sentence sentence) {
  return sentence == Sentence::load_into_stage_in_use ||
         sentence == Sentence::load_over_unread_data;
}

// Of what an mbarrier counts the bytes of.
bool is_early_use(Sentence sentence) {
  switch (sentence) {
    case Sentence::read_before_load_done:
    case Sentence::read_before_async_store_done:
    case Sentence::load_over_unread_data:
    case Sentence::store_reads_loading_tile:
    case Sentence::store_reads_store_in_flight:
    case Sentence::product_reads_loading_tile:
    case Sentence::product_reads_store_in_flight:
      return true;
    default:
      return false;
  }
}

bool is_use_of_copy(Sentence sentence) {
  return sentence == Sentence::read_before_copy_done ||
         sentence == Sentence::store_reads_copy_in_flight ||
         sentence == Sentence::product_reads_copy_in_flight;
}

// What the verdict explains beside what it says.
void note_facts(const AccessContext& context, const Conflict& c, const Verdict& verdict) {
  if (!c.earlier_writes && !c.read_was_served) {
    context.state.reporter.note(Fact::read_served_late, c.earlier.site);
  }
  const bool is_surplus = is_issued_too_often(verdict.sentence);
  // Nor is it for want of an announcement that the bytes of the next lap come in this one.
  const bool is_too_early = verdict.sentence == Sentence::load_into_stage_in_use;
  if ((is_surplus || is_too_early) && c.now.operation() != 0) {
    context.state.reporter.note(Fact::issued_too_often, c.now.operation());
  }
  const bool is_sent_again = c.earlier_writes && c.earlier.kind == AccessKind::async_store &&
                             c.now.kind == AccessKind::async_store;
  if (is_sent_again) context.operations.note_too_many(c.now);
  if (!is_surplus && !reloads_stage(verdict.sentence)) return;
  const PastAccess& load = c.now.kind == AccessKind::load ? c.now : c.earlier;
  if (load.kind != AccessKind::load) return;
  context.operations.note_too_many(load);
  if (is_surplus) context.operations.note_repeated(load);
}

// Two operations, one on top of the other.
void suspect_overlap(const AccessContext& context, const Conflict& c, ThreadId thread,
                     Finding finding, Note note) {
  Reporter& reporter = context.state.reporter;
  if (reporter.is_known(finding.sentence, finding.site, note.site)) return;
  finding.notes.push_back(std::move(note));
  if (c.now.kind == AccessKind::load && !c.is_global) {
    context.mbarriers.explain_passage(thread, c.now.completion().actor, finding.notes);
  }
  reporter.suspect(std::move(finding));
}

}  // namespace

Finding finding_of(const LaunchState& launch, const PastAccess& access, unsigned lane, bool writes,
                   Sentence sentence, const ReportedBytes& bytes) {
  Values values;
  const auto& target = access.entry().target;
  if (sentence == Sentence::load_over_unread_data && target) values.emplace_back(target->name);
  if (bytes.is_global) {
    values.emplace_back(launch.places.global(launch.memory, bytes.address));
  } else {
    values.emplace_back("shared memory");
  }
  Finding finding{sentence, std::move(values), access.site, launch.cta(access.cta),
                  access.thread(lane)};
  if (bytes.is_global) return finding;
  finding.bytes = SharedBytes{shared_offset(static_cast<std::uint32_t>(bytes.address)),
                              static_cast<std::uint32_t>(bytes.count)};
  if (writes) finding.use = access.is_asynchronous() ? BytesUse::loads_into : BytesUse::writes;
  return finding;
}

Note note_of(const LaunchState& launch, const PastAccess& access, unsigned lane,
             NoteSentence sentence, const ReportedBytes& bytes) {
  Note note{sentence, access.site, launch.cta(access.cta), access.thread(lane), {}};
  if (!bytes.is_global) {
    note.bytes = {shared_offset(static_cast<std::uint32_t>(bytes.address)), 1};
  }
  return note;
}

namespace {

// Where the reader's warp has given the stage back before it read, and the loader has waited for
// that: accuses this arrival. Returns the note about the load, which comes behind that of the read.
std::optional<Note> accuse_release(const AccessContext& context, const Conflict& c,
                                   const ConflictPlace& place, Finding& finding, Note& note) {
  const bool read_is_later = c.earlier_writes;
  const PastAccess& read = read_is_later ? c.now : c.earlier;
  const PastAccess& load = read_is_later ? c.earlier : c.now;
  if (read.is_asynchronous() || load.kind != AccessKind::load || !context.order().is_own(read) ||
      !context.order().is_own(load)) {
    return std::nullopt;
  }
  const unsigned lane = read_is_later ? place.now_lane : place.earlier_lane;
  const unsigned load_lane = read_is_later ? place.earlier_lane : place.now_lane;
  const ThreadId reader = read.thread(lane);
  const ThreadId loader = load.thread(load_lane);
  const MbarrierChecker& mbarriers = context.mbarriers;
  auto arrival =
      mbarriers.given_back(reader, read.time, loader, mbarriers.wait_before(loader, load.time));
  if (!arrival && read_is_later) arrival = mbarriers.handed_back(reader, loader);
  if (!arrival) return std::nullopt;
  const LaunchState& launch = context.state.launch;
  finding = finding_of(launch, read, lane, false, Sentence::stage_given_back_early, place.byte);
  finding.site = arrival->site;
  finding.thread = arrival->thread;
  note = note_of(launch, read, lane, NoteSentence::read_here, place.byte);
  return note_of(launch, load, load_lane, NoteSentence::load_issued_here, place.byte);
}

}  // namespace

void report_conflict(const AccessContext& context, const Conflict& c, const Verdict& verdict,
                     const ConflictPlace& place) {
  ClusterState& state = context.state;
  const PastAccess& before = c.earlier;
  const ThreadId earlier_thread = before.thread(place.earlier_lane);
  const ThreadId thread = c.now.thread(place.now_lane);
  note_facts(context, c, verdict);
  if (auto missing = find_missing_handover(context, c, verdict, place)) {
    const PastAccess& load = c.earlier_writes && before.is_asynchronous() ? before : c.now;
    const auto& target = load.entry().target;
    if (is_completed_by(load, CompletedBy::phase) && target &&
        missing->sentence == target->read_by_thread) {
      Note issued = missing->notes.front();
      missing->notes.clear();
      return context.operations.report_unawaited_phase(load, missing->thread, *std::move(missing),
                                                       std::move(issued));
    }
    if (state.reporter.is_known(missing->sentence, missing->site, missing->site)) return;
    return state.reporter.suspect(*std::move(missing));
  }
  const bool is_later = accuses_later(context, c, verdict);
  const bool shows_all = is_later && c.now.is_async_proxy() && !c.is_global;
  Finding finding = is_later ? finding_of(state.launch, c.now, place.now_lane, c.now_writes,
                                          verdict.sentence, shows_all ? place.all : place.byte)
                             : finding_of(state.launch, before, place.earlier_lane,
                                          c.earlier_writes, verdict.sentence, place.byte);
  Note note = is_later ? note_of(state.launch, before, place.earlier_lane, verdict.note, place.byte)
                       : note_of(state.launch, c.now, place.now_lane, verdict.note, place.byte);
  std::optional<Note> load;
  if (verdict.sentence == Sentence::load_over_unread_data) {
    load = accuse_release(context, c, place, finding, note);
  }
  const auto find_edge = [&] {
    auto edge = load ? load : short_edge(context, c, place);
    return edge ? edge : missing_meeting(context, c, place);
  };
  if (is_use_of_copy(verdict.sentence) && is_completed_by(before, CompletedBy::copies_of_lane)) {
    if (auto cause = uncommitted_copy(context, before, place.earlier_lane)) {
      finding = *std::move(cause);
    }
  }
  if (c.earlier_writes && !are_equal_writes(c) && is_completed_by(before, CompletedBy::phase) &&
      context.order().is_own(before)) {
    context.operations.report_unawaited_phase(before, thread, std::move(finding), std::move(note),
                                              find_edge());
  } else if (is_early_use(verdict.sentence) && is_completed_by(c.now, CompletedBy::phase)) {
    context.operations.report_unawaited_phase(c.now, earlier_thread, std::move(finding),
                                              std::move(note), load);
  } else if (verdict.sentence == Sentence::store_over_itself) {
    state.report(std::move(finding));  // there is no other place
  } else if (are_equal_writes(c) && before.is_asynchronous()) {
    suspect_overlap(context, c, thread, std::move(finding), std::move(note));
  } else if (is_completed_by(before, CompletedBy::bulk_group) && is_later) {
    context.operations.report_unawaited_group(before, std::move(finding), std::move(note));
  } else {
    state.report(std::move(finding), std::move(note), find_edge);
  }
}

}  // namespace tmaemu::check
