#include "emulator/check/lane_checker.h"

#include <bit>

#include "common/hexadecimal.h"
#include "contract/findings/sentences.h"
#include "emulator/check/lanes.h"
#include "emulator/program/flow.h"

namespace tmaemu::check {
namespace {

// Where each of the lanes that are there adds the value of the one `distance` further up, then half
// as far, and so on, the first one has the result: whether it is made of the value of a lane that
// is not there. What other lanes have got of it is thrown away.
bool reaches_first_lane(LaneMask present, unsigned distance) {
  LaneMask spoiled = 0;
  for (; distance != 0; distance /= 2) {
    const LaneMask readers = present & all_lanes >> distance;  // the last ones get their own value
    spoiled |= readers & (spoiled | ~present) >> distance;
  }
  return (spoiled >> std::countr_zero(present) & 1) != 0;
}

}  // namespace

void LaneChecker::note_past(const events::Access& access) {
  LaneMask& lanes = past(access.warp, access.site);
  for (const events::LaneAddress& lane : access.lanes) lanes |= LaneMask{1} << lane.lane;
}

// Whoever is named and does not come has ended. If he has been where those who meet are still to
// go, he did not end before: he went around.
void LaneChecker::exchange(const events::Exchange& exchange) {
  const LaneMask absent = exchange.members & ~exchange.lanes;
  if (absent == 0) return;
  const auto store = state_.launch.facts->store_behind(exchange.site);
  if (!store) return;
  const LaneMask went_around = absent & past(exchange.warp, *store);
  if (went_around != 0) report_went_around(exchange, went_around);
}

void LaneChecker::miss_lanes(const events::Exchange& exchange, std::uint32_t elsewhere) {
  if (may_come_to(state_.launch.program, elsewhere, exchange.site)) return;
  report_went_around(exchange, exchange.members & ~exchange.lanes);
}

void LaneChecker::report_went_around(const events::Exchange& exchange, LaneMask absent) {
  const auto lane = static_cast<unsigned>(std::countr_zero(exchange.lanes));
  state_.report(state_.finding(Sentence::lanes_went_around, exchange.site,
                               thread_of(exchange.warp, lane),
                               {common::hexadecimal(exchange.members), std::countr_zero(absent)}));
}

void LaneChecker::read_absent_lane(const events::Exchange& exchange, unsigned reader,
                                   unsigned source) {
  using Reach = Dataflow::Reach;
  const std::uint32_t site = exchange.site;
  const SiteFacts& facts = *state_.launch.facts;
  const Reach reach = facts.reach(site);
  if (reach == Reach::nowhere) return;  // who chooses may know better
  const bool may_be_of_tree = reach == Reach::another_lane && facts.shuffles_down(site);
  if (may_be_of_tree && !reaches_first_lane(exchange.lanes, source - reader)) return;
  const ThreadId thread = thread_of(exchange.warp, reader);
  if ((exchange.members >> source & 1) == 0) {
    return state_.suspect(state_.finding(Sentence::unnamed_lane_read, site, thread,
                                         {source, common::hexadecimal(exchange.members)}));
  }
  state_.suspect(state_.finding(Sentence::absent_lane_read, site, thread, {source}));
}

}  // namespace tmaemu::check
