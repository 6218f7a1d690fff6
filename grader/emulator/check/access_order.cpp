#include "emulator/check/access_order.h"

#include <algorithm>

namespace tmaemu::check {
namespace {

// What the async proxy sees at the place, of what the earlier access did there.
const Clock& fenced_of(const Clocks& clocks, const PastAccess& earlier, MemoryPlace place) {
  if (place.is_global) return clocks[View::fenced_global];
  return earlier.rank == place.rank ? clocks[View::fenced_own] : clocks[View::fenced_shared];
}

}  // namespace

bool AccessOrder::is_done(const PastAccess& earlier, unsigned lane, ThreadId thread) const {
  if (!earlier.is_asynchronous()) return is_issued(earlier, lane, thread);
  if (earlier.entry().completed_by == CompletedBy::copies_of_lane) {
    return is_copied(earlier, lane, thread);
  }
  // A load is in no group; but waiting for a group waits for what read a map before. CUTLASS does
  // so before it changes one. PTX ISA, "cp.async.bulk.wait_group".
  if (const auto* const map = std::get_if<MapRead>(&earlier.how)) {
    const Actor groups{earlier.cta, earlier.first, Actor::Track::bulk_reads};
    if (state_.order.knows(thread, groups, map->groups)) return true;
  }
  const Completion completion = earlier.completion();
  return state_.order.knows(thread, completion.actor, completion.time);
}

// A copy is done for its thread when that has waited for it; for others, when they know of the
// thread from then on, or of an arrival that was to follow the copy.
bool AccessOrder::is_copied(const PastAccess& copy, unsigned lane, ThreadId thread) const {
  const Completion completion = copy.completion(lane);
  if (state_.order.knows(thread, completion.actor, completion.time)) return true;
  if (!is_own(copy)) return false;
  const ThreadId issuer = copy.thread(lane);
  const auto moment = groups_.copies(issuer).moment_done(completion.time);
  return moment && (issuer == thread || state_.order.knows(thread, copy.issuer(lane), *moment));
}

bool AccessOrder::are_all_copied(const PastAccess& copy, const Clock& done) const {
  if (!is_own(copy)) return false;
  const Time completed = copy.completion().time;
  Time last = 0;
  for (unsigned lane = 0; lane < warp_size && copy.first + lane < state_.threads_per_cta; ++lane) {
    const auto moment = groups_.copies(copy.thread(lane)).moment_done(completed);
    if (!moment) return false;
    last = std::max(last, *moment);
  }
  return done.knows_all_of(copy.cta, last);
}

bool AccessOrder::is_fenced(const PastAccess& earlier, unsigned lane, ThreadId thread,
                            MemoryPlace place) const {
  const Clocks& clocks = *state_.order.known(thread);
  const Clock& fenced = fenced_of(clocks, earlier, place);
  const Completion done = earlier.is_asynchronous()
                              ? earlier.completion(lane)
                              : Completion{earlier.issuer(lane), earlier.time};
  const bool is_received = !place.is_global && earlier.rank != place.rank;
  if (is_received && clocks[View::fenced_received].knows(done.actor, done.time)) return true;
  if (earlier.entry().completed_by == CompletedBy::copies_of_lane && is_own(earlier)) {
    const auto moment = groups_.copies(earlier.thread(lane)).moment_done(done.time);
    if (moment && fenced.knows(earlier.issuer(lane), *moment)) return true;
  }
  return fenced.knows(done.actor, done.time);
}

bool AccessOrder::are_all_done(const PastAccess& earlier, const Clocks& clocks, bool needs_fence,
                               MemoryPlace place) const {
  if (!earlier.is_asynchronous()) {
    return clocks[View::done].knows_all_of(earlier.cta, earlier.time) &&
           (!needs_fence ||
            fenced_of(clocks, earlier, place).knows_all_of(earlier.cta, earlier.time));
  }
  if (needs_fence) return false;
  if (earlier.entry().completed_by == CompletedBy::copies_of_lane) {
    return are_all_copied(earlier, clocks[View::done]);
  }
  const Completion completion = earlier.completion();
  return clocks[View::done].knows(completion.actor, completion.time);
}

}  // namespace tmaemu::check
