// Warp's side of the .sync instructions: lanes that wait for each other and exchange.
//
// Lanes may come from different instructions, if these have the same qualifiers and member mask
// (PTX ISA, "shfl.sync": only up to sm_6x it has to be the same instruction), and so from different
// calls of one function, too: each lane's registers are those of its own instruction in its own
// frame. Where the qualifiers differ the lanes wait in vain.
#include <algorithm>
#include <bit>

#include "emulator/sched/warp.h"

namespace tmaemu {
namespace {

bool wait_for_the_same(const Wait& a, const Wait& b) {
  return a.kind == b.kind && a.value == b.value && a.instruction == b.instruction &&
         a.index == b.index;
}

}  // namespace

LaneMask Warp::waiting_with(const Wait& wait) const {
  LaneMask lanes = 0;
  for (const LaneGroup& group : groups_) {
    const bool is_asleep_at_barrier =
        wait.kind == Wait::Kind::warp_at_barrier && group.wait.kind == Wait::Kind::cta_barrier;
    if (is_asleep_at_barrier || wait_for_the_same(group.wait, wait)) lanes |= group.lanes;
  }
  return lanes;
}

std::vector<Arrival> Warp::converge(const Operation& op, LaneMask lanes, const Wait& wait) const {
  const LaneGroup& own = groups_[current_];
  if ((static_cast<LaneMask>(wait.value) & live() & ~lanes & ~waiting_with(wait)) != 0) return {};
  std::vector<Arrival> arrivals{{own.frame, &op, lanes}};
  for (const LaneGroup& group : groups_) {
    if (!wait_for_the_same(group.wait, wait)) continue;
    // activate() lets them come together: they go on as one group.
    if (group.next == &op && group.frame == own.frame) return {};
    arrivals.push_back({group.frame, group.next, group.lanes});
  }
  return arrivals;
}

// One whose count was taken back when it fell asleep.
void Warp::count_arrival(const Arrival& arrival) {
  thread_instructions_ += static_cast<unsigned>(std::popcount(arrival.lanes));
  if (observer_ == nullptr) return;
  observer_->executes({id(), arrival.op->site, arrival.lanes, arrival.lanes});
}

void Warp::resume(std::span<const Arrival> arrivals, const Wait& until) {
  for (const Arrival& arrival : arrivals.subspan(1)) {
    const auto group = std::ranges::find(groups_, arrival.lanes, &LaneGroup::lanes);
    ++group->next;
    count_arrival(arrival);
    if (observer_ != nullptr) tell_sleep(*arrival.op, arrival.lanes, until, group->next);
    group->wait = until;
    if (until.kind != Wait::Kind::none) group->wait.at = arrival.op;
  }
  limit_ = nullptr;  // choose() has a say: they may be behind, on their way to the same place
}

}  // namespace tmaemu
