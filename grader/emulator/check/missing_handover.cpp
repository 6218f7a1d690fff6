#include "emulator/check/missing_handover.h"

#include <string>
#include <utility>

#include "contract/findings/sentences.h"

namespace tmaemu::check {
namespace {

// One of the two accesses of a conflict.
struct Side {
  const PastAccess& access;
  unsigned lane = 0;
  bool writes = false;

  ThreadId thread() const { return access.thread(lane); }
  NoteSentence note() const {
    if (access.is_asynchronous()) return access.entry().issued_here;
    return writes ? NoteSentence::written_here : NoteSentence::read_here;
  }
};

std::optional<Sentence> sentence_of_lanes(const Verdict& verdict, const Side& late) {
  switch (verdict.sentence) {
    case Sentence::load_over_unread_data:
      return Sentence::load_over_reads_of_lanes;
    case Sentence::store_reads_unsynchronized:
      return Sentence::store_of_writes_of_lanes;
    case Sentence::race_of_read:
    case Sentence::race_of_writes:
      return late.access.is_asynchronous() ? std::nullopt
                                           : std::optional(Sentence::race_with_lanes);
    default:
      return std::nullopt;
  }
}

// The access is one of a later lap than the arrival, which was not to speak for it. What its thread
// knows by now it may have learned behind the access: where both have waited for one and the same
// phase, they are of one lap.
bool follows(const AccessContext& context, const Side& access,
             const PhaseLedger::Arriver& arrival) {
  const Order& order = context.state.order;
  const ThreadId thread = access.thread();
  if (access.access.time <= arrival.time ||
      !order.has_happened(thread, order.actor(arrival.thread), arrival.time)) {
    return false;
  }
  const auto wait = context.mbarriers.wait_before(thread, access.access.time);
  return !wait || !arrival.lap || !(static_cast<const PhaseOf&>(*wait) == *arrival.lap);
}

// A lane of `early`'s warp has arrived where the thread of `late` has waited, and `early` itself
// has not: it relies on that lane.
std::optional<Finding> find_arrival_for_warp(const AccessContext& context, const Verdict& verdict,
                                             const Side& early, const Side& late,
                                             const ReportedBytes& bytes) {
  const auto sentence = sentence_of_lanes(verdict, late);
  if (!sentence || early.access.is_asynchronous()) return std::nullopt;
  if (early.access.cluster != context.state.number || late.access.cluster != context.state.number) {
    return std::nullopt;
  }
  const MbarrierChecker& mbarriers = context.mbarriers;
  const auto arrival =
      mbarriers.arrival_for(early.thread(), early.access.time, late.thread(),
                            mbarriers.wait_before(late.thread(), late.access.time));
  if (!arrival || follows(context, early, *arrival)) return std::nullopt;
  const LaunchState& launch = context.state.launch;
  Finding finding = finding_of(launch, early.access, early.lane, early.writes, *sentence, bytes);
  finding.site = arrival->site;
  finding.thread = arrival->thread;
  finding.notes = {note_of(launch, late.access, late.lane, late.note(), bytes),
                   note_of(launch, early.access, early.lane, early.note(), bytes)};
  return finding;
}

std::optional<Finding> find_wait_in_vain(const AccessContext& context, const Verdict& verdict,
                                         const Side& load, const ReportedBytes& bytes) {
  const bool is_of_stage = verdict.sentence == Sentence::load_over_unread_data ||
                           verdict.sentence == Sentence::load_into_stage_in_use;
  if (!is_of_stage || load.access.kind != AccessKind::load) return std::nullopt;
  const auto wait = context.mbarriers.repeated_wait(load.thread(), load.access.completion().actor);
  if (!wait) return std::nullopt;
  Finding finding =
      context.state.finding(Sentence::wait_for_stage_returned_again, wait->site, wait->thread);
  finding.notes = {note_of(context.state.launch, load.access, load.lane, load.note(), bytes)};
  return finding;
}

// `tile[i] += 1` by a thread that has not waited: what it has read before it wrote is known by its
// line alone, where it came before the load.
std::optional<Finding> find_read_in_place(const AccessContext& context, const Verdict& verdict,
                                          const Side& write, const Side& load,
                                          const ReportedBytes& bytes) {
  const auto& target = load.access.entry().target;
  if (!target || verdict.sentence != target->written_by_thread || !write.access.is_plain_write()) {
    return std::nullopt;
  }
  const ThreadId writer = write.thread();
  const Finding* const read = context.state.reporter.find_suspicion(
      Sentence::shared_never_written, [&](const Finding& finding) {
        return warp_of(finding.thread) == warp_of(writer) &&
               context.state.launch.facts->are_of_one_line(finding.site, write.access.site);
      });
  if (read == nullptr) return std::nullopt;
  Finding finding = *read;
  finding.sentence = target->read_by_thread;
  finding.notes = {note_of(context.state.launch, load.access, load.lane, load.note(), bytes)};
  return finding;
}

}  // namespace

std::optional<Finding> find_missing_handover(const AccessContext& context, const Conflict& conflict,
                                             const Verdict& verdict, const ConflictPlace& place) {
  const Side earlier{conflict.earlier, place.earlier_lane, conflict.earlier_writes};
  const Side now{conflict.now, place.now_lane, conflict.now_writes};
  for (const Side* load : {&now, &earlier}) {
    if (auto found = find_wait_in_vain(context, verdict, *load, place.byte)) return found;
  }
  if (auto found = find_read_in_place(context, verdict, earlier, now, place.byte)) return found;
  if (auto found = find_arrival_for_warp(context, verdict, earlier, now, place.byte)) return found;
  return find_arrival_for_warp(context, verdict, now, earlier, place.byte);
}

}  // namespace tmaemu::check
