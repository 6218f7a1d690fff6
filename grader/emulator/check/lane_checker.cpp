#include "emulator/check/lane_checker.h"

#include <bit>

#include "common/hexadecimal.h"
#include "contract/findings/sentences.h"
#include "emulator/check/lanes.h"
#include "emulator/program/flow.h"

namespace tmaemu::check {
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
  const std::uint32_t site = exchange.site;
  if (!state_.launch.facts->is_always_used(site)) return;  // who chooses may know better
  state_.suspect(
      state_.finding(Sentence::absent_lane_read, site, thread_of(exchange.warp, reader), {source}));
}

}  // namespace tmaemu::check
