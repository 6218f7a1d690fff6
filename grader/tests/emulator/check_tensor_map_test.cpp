// Tensor maps in global memory that a kernel changes: how far fences reach, and until when a map is
// in use.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "emulator/check/memory_checker.h"
#include "emulator/check/tensor_map_checker.h"
#include "tests/emulator/checked_cluster.h"

namespace tmaemu::check {
namespace {

using Codes = std::vector<std::string>;

constexpr std::uint64_t map = 0x7000;
constexpr std::uint64_t map_bytes = 128;
constexpr ThreadId ada{0, 0};
constexpr ThreadId ben{0, 1};
constexpr ThreadId cleo{1, 0};  // of the other CTA

// Ada changes a map and releases it, and somebody else acquires it, knows of the release, and uses
// it.
class CheckTensorMap : public testing::Test, protected CheckedCluster {
 protected:
  CheckTensorMap() : CheckedCluster(2) {
    checker.start();
    PastAccess change;
    change.how = ThreadAccess{.writes = true};
    change.time = state.order.now(ada);
    mark_global(launch.shadow, map, map_bytes, {launch.accesses.add(change), 0, Mark::one_lane});
  }
  void release(View scope) {
    state.order.begin_moment(ada);
    state.order.fence({{ada}}, {scope});
  }
  Codes used_by(ThreadId user, Scope acquired) {
    state.order.acquire(user, state.order.snapshot(ada));
    checker.acquire({user, 1, map, acquired});
    checker.use({user, 2, map});
    state.reporter.finish({});
    return log.codes();
  }

  HeardFlags flags{state};
  TensorMapChecker checker{state, flags};
};

TEST_F(CheckTensorMap, FencesOfTheGpuReachAnotherCta) {
  release(View::released_maps);
  EXPECT_EQ(used_by(cleo, Scope::gpu), Codes{});
}

TEST_F(CheckTensorMap, AReleaseOfOneCtaDoesNotReachAnother) {
  release(View::released_maps_in_cta);
  EXPECT_EQ(used_by(cleo, Scope::gpu), Codes{"missing-tensor-map-fence"});
}

TEST_F(CheckTensorMap, AnAcquireOfOneCtaDoesNotReachAnother) {
  release(View::released_maps);
  EXPECT_EQ(used_by(cleo, Scope::cta), Codes{"missing-tensor-map-fence"});
}

TEST_F(CheckTensorMap, FencesOfOneCtaDoWithinIt) {
  release(View::released_maps_in_cta);
  EXPECT_EQ(used_by(ben, Scope::cta), Codes{});
}

// Ada issues an operation through a map, and somebody changes the map.
class CheckMapInUse : public testing::Test, protected CheckedCluster {
 protected:
  static constexpr std::uint32_t barrier = 1024;

  CheckMapInUse() : CheckedCluster(2) {
    memory.start();
    mbarriers.start();
    mbarriers.initialize(barrier, 1, {ada, 1, state.order.now(ada)});
  }
  void issue(BulkKind kind) {
    events::Bulk bulk;
    bulk.kind = kind;
    bulk.thread = ada;
    bulk.mbarrier = barrier;
    bulk.tensor_map = map;
    memory.issue(bulk);
  }
  void wait_for_group_reads() {
    memory.groups().commit_bulk({ada, 2});
    memory.groups().await_bulk({.thread = ada, .site = 3, .only_read = true});
  }
  void wait_for_phase() {
    mbarriers.arrive({.mbarrier = barrier,
                      .count = 1,
                      .thread = &ada,
                      .site = 4,
                      .order = {Semantics::release, Scope::cta},
                      .completes_phase = true});
    mbarriers.see_phase({barrier, ada, 5, {Semantics::acquire, Scope::cta}});
  }
  Codes found_when_changed_by(ThreadId thread) {
    const events::LaneAddress lane{thread.index, map};
    memory.access({.kind = events::Access::Kind::map_change,
                   .space = events::Access::Space::global,
                   .warp = {thread.rank, 0},
                   .site = 6,
                   .bytes = map_bytes,
                   .lanes = {&lane, 1}});
    state.reporter.finish({});
    return log.codes();
  }

  FlagChecker flags{state};
  MbarrierChecker mbarriers{state, flags.heard()};
  MemoryChecker memory{state, mbarriers, flags};
};

TEST_F(CheckMapInUse, IsNotChangedWhileAStoreMayReadIt) {
  issue(BulkKind::shared_to_global);
  EXPECT_EQ(found_when_changed_by(ada), Codes{"data-race"});
}

TEST_F(CheckMapInUse, IsNotChangedWhileALoadMayReadIt) {
  issue(BulkKind::global_to_shared);
  EXPECT_EQ(found_when_changed_by(ada), Codes{"data-race"});
}

TEST_F(CheckMapInUse, MayBeChangedBehindTheLoadsPhase) {
  issue(BulkKind::global_to_shared);
  wait_for_phase();
  EXPECT_EQ(found_when_changed_by(ada), Codes{});
}

// CUTLASS waits so before it changes the map of its loads.
TEST_F(CheckMapInUse, MayBeChangedBehindAWaitForGroupReads) {
  for (const BulkKind kind : {BulkKind::global_to_shared, BulkKind::shared_to_global}) issue(kind);
  wait_for_group_reads();
  EXPECT_EQ(found_when_changed_by(ada), Codes{});
}

TEST_F(CheckMapInUse, WhatTheIssuerHasWaitedForOthersDoNotKnow) {
  issue(BulkKind::shared_to_global);
  wait_for_group_reads();
  EXPECT_EQ(found_when_changed_by(ben), Codes{"data-race"});
}

}  // namespace
}  // namespace tmaemu::check
