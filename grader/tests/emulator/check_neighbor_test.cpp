// What a launch finds that runs beside an earlier one.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "contract/findings/sentences.h"
#include "emulator/check/neighbor_checker.h"
#include "tests/emulator/checked_cluster.h"

namespace tmaemu::check {
namespace {

using Codes = std::vector<std::string>;

constexpr std::uint64_t address = 0x10000;
constexpr std::uint64_t bytes = 512;
constexpr ThreadId ada{0, 0};

// An earlier launch has written the bytes; Ada's launch reads them beside it.
struct EarlierLaunch {
  EarlierLaunch() {
    PastAccess write;
    write.how = ThreadAccess{.writes = true};
    mark_global(past->global->shadow, address, bytes,
                {past->global->accesses.add(write), 0, Mark::one_lane});
  }
  Program program;
  std::shared_ptr<PastLaunch> past = std::make_shared<PastLaunch>(
      1, program, request_of_one_cluster(1), std::make_shared<GlobalHistory>(), DependentStart{});
};

class CheckNeighbor : public testing::Test, protected EarlierLaunch, protected CheckedCluster {
 protected:
  explicit CheckNeighbor(bool is_outrun = false)
      : CheckedCluster(1, {{past, !is_outrun, {}, is_outrun}}) {}
  // One thread reads all of it, as a load of the engine does.
  Codes found_by_ada() {
    PastAccess read;
    read.kind = AccessKind::load;
    check_neighbors(state, read, false, address, bytes, {1, 0, Mark::one_lane});
    state.reporter.finish({});
    return log.codes();
  }
};

TEST_F(CheckNeighbor, WhatAnEarlierLaunchWritesMayNotBeReadBesideIt) {
  EXPECT_EQ(found_by_ada(), Codes{"data-race"});
}

// However many bytes it reads: no other thread has part in that.
TEST_F(CheckNeighbor, TheThreadThatHasWaitedReadsAllOfIt) {
  state.order.acquire(ada, earlier_launches, 1);
  EXPECT_EQ(found_by_ada(), Codes{});
}

TEST_F(CheckNeighbor, WhatAnotherThreadHasWaitedForIsNotOrdered) {
  state.order.acquire({0, 1}, earlier_launches, 1);
  EXPECT_EQ(found_by_ada(), Codes{"data-race"});
}

struct CheckOutrunNeighbor : CheckNeighbor {
  CheckOutrunNeighbor() : CheckNeighbor(true) {}
};

// Its thread has waited itself, so the help may not ask that of it.
TEST_F(CheckOutrunNeighbor, TheLaunchInBetweenIsWhatHasToWait) {
  state.order.acquire(ada, earlier_launches, 1);
  ASSERT_EQ(found_by_ada(), Codes{"data-race"});
  EXPECT_EQ(log.findings[0].sentence, Sentence::use_beside_outrun_launch);
}

TEST_F(CheckNeighbor, WhoAcquiresWhatItReleasedComesBehindIt) {
  const auto released = std::make_shared<Clocks>();
  past->global->flags.write(address + bytes, {released, Scope::gpu, 0, 0}, false);
  const Release found = released_by_neighbor(launch, address + bytes);
  ASSERT_TRUE(found.reaches(0, 0, Scope::gpu));
  EXPECT_FALSE(found.reaches(0, 0, Scope::cluster));
  state.order.acquire(ada, found.clocks);
  EXPECT_EQ(found_by_ada(), Codes{});
}

}  // namespace
}  // namespace tmaemu::check
