// Lanes that meet at a .sync instruction: whether those whom they name are those who come.
// PTX ISA, "shfl.sync" and "bar.warp.sync"; CUDA C++ Programming Guide, "Warp Shuffle Functions":
// lanes that have ended need not come, and have no value to be read.
#pragma once

#include <cstdint>
#include <map>
#include <utility>

#include "emulator/check/cluster_state.h"
#include "emulator/check/lanes.h"
#include "emulator/model/events.h"

namespace tmaemu::check {

class LaneChecker {
 public:
  explicit LaneChecker(ClusterState& state) : state_(state) {}

  void start() { past_.clear(); }
  void access(const events::Access& access) {
    if (state_.launch.facts->is_store_behind(access.site)) note_past(access);
  }
  void exchange(const events::Exchange& exchange);
  // Lanes that wait for others, of which some wait at the instruction `elsewhere`.
  void miss_lanes(const events::Exchange& exchange, std::uint32_t elsewhere);
  void read_absent_lane(const events::Exchange& exchange, unsigned reader, unsigned source);

 private:
  void report_went_around(const events::Exchange& exchange, LaneMask absent);
  void note_past(const events::Access& access);
  LaneMask& past(WarpId warp, std::uint32_t site) { return past_[{number_of(warp), site}]; }

  ClusterState& state_;
  // The lanes of a warp that have executed a store behind a .sync instruction.
  std::map<std::pair<std::uint32_t, std::uint32_t>, LaneMask> past_;
};

}  // namespace tmaemu::check
