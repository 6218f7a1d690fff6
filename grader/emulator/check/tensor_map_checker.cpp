#include "emulator/check/tensor_map_checker.h"

#include <utility>

#include "contract/findings/sentences.h"
#include "emulator/tma/tensor_map.h"

namespace tmaemu::check {
namespace {

// Whether the clock holds what a lane of the change did; where a warp did it together, any lane.
bool holds(const Clock& clock, const PastAccess& change, unsigned lane) {
  if (change.of_thread() == nullptr || !change.of_thread()->is_of_warp)
    return clock.knows(change.issuer(lane), change.time);
  for (unsigned each = 0; each < warp_size; ++each) {
    if (clock.knows(change.issuer(each), change.time)) return true;
  }
  return false;
}

}  // namespace

void TensorMapChecker::acquire(const events::TensorMapUse& acquire) {
  const Action action{acquire.thread, acquire.site, state_.order.now(acquire.thread)};
  acquired_[acquire.address].push_back({action, state_.order.known(acquire.thread), acquire.scope});
  state_.order.begin_moment(acquire.thread);
}

void TensorMapChecker::use(const events::TensorMapUse& use) {
  Accessor last;
  state_.launch.shadow.for_each_touched_block(
      use.address, tma::opaque_bytes,
      [&](const Block& block, std::uint64_t /*address*/, unsigned begin, unsigned end) {
        for (unsigned byte = begin; byte < end; ++byte) {
          const Accessor writer = block.at(byte).write;
          if (writer.access == 0) continue;
          if (writer.access == last.access && writer.lane == last.lane) continue;
          last = writer;
          const PastAccess& change = state_.launch.accesses[writer.access];
          if (change.kind == AccessKind::plain) check(use, change, writer.lane);
        }
      });
}

void TensorMapChecker::check(const events::TensorMapUse& use, const PastAccess& change,
                             unsigned lane) {
  Sentence sentence = Sentence::tensor_map_not_acquired;
  const bool is_of_other_cta = change.cta != state_.order.cta(use.thread.rank);
  const auto found = acquired_.find(use.address);
  if (found != acquired_.end()) {
    for (const Acquired& acquired : found->second) {
      const bool is_known =
          acquired.action.thread == use.thread ||
          state_.order.knows(use.thread, state_.order.actor(acquired.action.thread),
                             acquired.action.time);
      if (!is_known) continue;
      const bool is_own = state_.order.actor(acquired.action.thread) == change.issuer(lane);
      const bool is_behind = is_own || holds((*acquired.known)[View::done], change, lane);
      const bool is_released_widely = holds((*acquired.known)[View::released_maps], change, lane);
      const bool is_released =
          is_released_widely || holds((*acquired.known)[View::released_maps_in_cta], change, lane);
      const bool is_wide = is_released_widely && acquired.scope > Scope::cta;
      // Lanes that fence together have one clock of what was released, also of each other's
      // changes.
      if (is_behind && is_released && (is_wide || !is_of_other_cta)) return;
      sentence = !is_behind    ? Sentence::tensor_map_acquired_early
                 : is_released ? Sentence::tensor_map_fence_of_one_cta
                               : Sentence::tensor_map_not_released;
    }
  }
  Note note{NoteSentence::map_changed_here, change.site, state_.launch.cta(change.cta),
            change.thread(lane)};
  state_.report(state_.finding(sentence, use.site, use.thread), std::move(note),
                heard_flags_.short_edge(change.issuer(lane), change.time, use.thread));
}

}  // namespace tmaemu::check
