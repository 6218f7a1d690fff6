// setmaxnreg: all lanes of the four warps of a warpgroup execute the same one, and synchronize
// before they execute another. PTX ISA, "Miscellaneous Instructions: setmaxnreg".
#pragma once

#include <cstdint>
#include <map>

#include "emulator/check/cluster_state.h"
#include "emulator/model/events.h"

namespace tmaemu::check {

class RegisterCountChecker {
 public:
  explicit RegisterCountChecker(ClusterState& state) : state_(state) {}

  void start() { warps_.clear(); }
  void change(const events::RegisterCount& count);
  // Its warps will execute no more of them.
  void end_cta(std::uint16_t rank);
  void end_cluster(events::End end);

 private:
  // What is known of a warp.
  struct Warp {
    WarpId id;
    std::uint32_t changes = 0;  // so many,
    std::uint32_t site = 0;     // and of the last one where,
    LaneMask lanes = 0;         // by which lanes,
    std::uint32_t registers = 0;
    bool gave_back = false;  // whether it had more before,
    Time time = 0;           // and when
  };
  void check_synchronized(const Warp& own, const events::RegisterCount& count);
  void check_agreement(const Warp& own);
  // The last one of a warp, by some of its lanes.
  void check_lanes(const Warp& warp);
  void check_warpgroups(std::uint16_t rank, bool only_given_back);
  template <class Visit>
  void for_others_of_warpgroup(WarpId warp, Visit visit) const;

  ClusterState& state_;
  std::map<std::uint32_t, Warp> warps_;  // by number; those that have executed any
};

}  // namespace tmaemu::check
