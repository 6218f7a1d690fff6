// wgmma.mma_async: what a warpgroup multiplies is read from shared memory while its threads go on,
// until one of its warps has waited.
//
// A loop over k issues one product after another for parts of the same rows. Those that a warp
// issues with nothing in between are looked at together, when the warp commits them, or when one of
// its warpgroup waits. B is read by all four warps: the first of them looks at its bytes, and the
// others only have to know of the writes that this one has found there.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <map>
#include <vector>

#include "emulator/check/access_checker.h"
#include "emulator/check/cluster_state.h"
#include "emulator/check/lanes.h"
#include "emulator/check/order.h"
#include "emulator/check/unit_set.h"
#include "emulator/model/events.h"

namespace tmaemu::check {

class ProductChecker {
 public:
  ProductChecker(ClusterState& state, AccessChecker& accesses)
      : state_(state), accesses_(accesses) {}

  void start();
  void issue(const events::WarpgroupProduct& product);
  void commit(WarpId warp) { look_at(gathered_[number_of(warp)]); }
  void await(const events::ProductsAwaited& wait);
  void end_cta(std::uint16_t rank);

 private:
  // Products of a warp that were not looked at yet.
  struct Gathered {
    SharedClocks
        together;  // what all of its lanes knew at the last issue, each with what it had done
    WarpId warp;
    std::uint32_t site = 0;   // of the first of them
    SharedClocks known;       // by the warp, when they were issued,
    Time time = 0;            // and when that was
    std::uint32_t first = 0;  // the numbers of the first and the last one; 0: there are none
    std::uint32_t last = 0;
    UnitSet own;     // what they read for this warp,
    UnitSet common;  // and for all of the warpgroup
  };
  // What the warps of a warpgroup knew when they issued a product, and when that was.
  struct Issue {
    std::array<SharedClocks, warps_of_warpgroup> known;
    std::array<Time, warps_of_warpgroup> time{};
    UnitSet common;  // what it reads for all of them
  };
  // What a warp has found where products read for all of the warpgroup.
  struct CommonLook {
    std::uint32_t first = 0;  // the numbers of the products
    std::uint32_t last = 0;
    std::vector<std::uint32_t> writes;
  };
  struct Warpgroup {
    std::uint32_t first = 1;  // the number of the first of the issues
    std::deque<Issue> issues;
    CommonLook look;
    std::uint32_t told_of = 0;  // the number of the product that `done` is about
    Released done;
  };

  Actor products_of(WarpId warp) const;
  void gather(Gathered& gathered, const events::WarpgroupProduct& product);
  void look_at(Gathered& gathered);
  void look_at_common(const Gathered& gathered, AccessChecker::SharedReading& reading);
  Issue* issue_of(Warpgroup& group, std::uint32_t number);
  const SharedClocks& known_of(Warpgroup& group, const events::ProductsAwaited& wait);

  ClusterState& state_;
  AccessChecker& accesses_;
  std::map<std::uint32_t, Gathered> gathered_;     // by warp
  std::map<std::uint32_t, Warpgroup> warpgroups_;  // by their first warps
};

}  // namespace tmaemu::check
