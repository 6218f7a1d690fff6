// What the checker remembers of threads' accesses, and whom it accuses.
#include <gtest/gtest.h>

#include <array>
#include <string>
#include <vector>

#include "emulator/check/memory_checker.h"
#include "tests/emulator/checked_cluster.h"

namespace tmaemu::check {
namespace {

using Codes = std::vector<std::string>;
using EventKind = events::Access::Kind;

constexpr ThreadId ada{0, 0};
constexpr ThreadId ben{0, 1};         // of the same warp
constexpr ThreadId dora{0, 32};       // of the other warp
constexpr std::uint32_t word = 2048;  // of shared memory

class CheckAccesses : public testing::Test, protected CheckedCluster {
 protected:
  CheckAccesses() : CheckedCluster(1) {
    program.shared_bytes = 4096;
    memory.start();
    mbarriers.start();
  }
  void access(EventKind kind, ThreadId thread, std::uint32_t site, std::uint32_t address = word) {
    const std::array lanes{events::LaneAddress{thread.index % warp_size, address}};
    memory.access(event(kind, warp_of(thread), site, lanes));
  }
  static events::Access event(EventKind kind, WarpId warp, std::uint32_t site,
                              std::span<const events::LaneAddress> lanes) {
    events::Access made;
    made.kind = kind;
    made.space = events::Access::Space::shared;
    made.warp = warp;
    made.site = site;
    made.bytes = 4;
    made.lanes = lanes;
    return made;
  }
  // cp.async of Ada's and Ben's warp; each lane has its word.
  void copy(std::span<const events::LaneAddress> lanes) {
    events::Access made = event(EventKind::store, warp_of(ada), 1, lanes);
    made.is_copy = true;
    memory.access(made);
  }
  void pass_barrier() {
    const std::array threads{ada, dora};
    state.order.synchronize(threads, threads);
  }
  const Codes& found() {
    state.reporter.finish({});
    codes = log.codes();
    return codes;
  }

  FlagChecker flags{state};
  MbarrierChecker mbarriers{state, flags.heard()};
  MemoryChecker memory{state, mbarriers, flags};
  Codes codes;
};

TEST_F(CheckAccesses, WhatIsOrderedIsRight) {
  access(EventKind::store, ada, 1);
  pass_barrier();
  access(EventKind::load, dora, 2);
  EXPECT_EQ(found(), Codes{});
}

// Dora knows of the first lap only.
TEST_F(CheckAccesses, TheSameInstructionLaterIsAnotherAccess) {
  access(EventKind::store, ada, 1);
  pass_barrier();
  access(EventKind::store, ada, 1);
  access(EventKind::load, dora, 2);
  EXPECT_EQ(found(), Codes{"data-race"});
}

TEST_F(CheckAccesses, OfTwoWritesTheOneFurtherDownIsAccusedWhicheverComesFirst) {
  for (const bool lower_first : {false, true}) {
    memory.start();
    state.start({0, 0, 0});
    log.findings.clear();
    access(EventKind::store, ada, lower_first ? 5 : 3);
    access(EventKind::store, dora, lower_first ? 3 : 5);
    ASSERT_EQ(found(), Codes{"data-race"});
    EXPECT_EQ(log.findings.front().site, 5u);
  }
}

// Ada has issued one copy more than Ben.
TEST_F(CheckAccesses, LanesThatCopyTogetherWaitForCopiesOfTheirOwn) {
  const std::array both{events::LaneAddress{0, word}, events::LaneAddress{1, word + 4}};
  copy(std::array{events::LaneAddress{0, word + 64}});
  copy(both);
  memory.groups().commit_copies({.thread = ben});
  memory.groups().await_copies({.thread = ben});
  access(EventKind::load, ben, 2, word + 4);
  EXPECT_EQ(found(), Codes{});
}

TEST_F(CheckAccesses, ACopyThatNobodyWaitedForIsReadTooSoon) {
  copy(std::array{events::LaneAddress{1, word + 4}});
  access(EventKind::load, ben, 2, word + 4);
  EXPECT_EQ(found(), Codes{"read-before-wait"});
}

}  // namespace
}  // namespace tmaemu::check
