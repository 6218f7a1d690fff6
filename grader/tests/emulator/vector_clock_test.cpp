// Who knows of whose writes: PTX ISA, "Memory Consistency Model".
#include "emulator/order/vector_clock.h"

#include <gtest/gtest.h>

#include <map>
#include <random>

#include "emulator/order/causality.h"

namespace tmaemu {
namespace {

constexpr ThreadId ada{0, 1};
constexpr ThreadId ben{0, 2};
constexpr ThreadId cleo{1, 1};

TEST(VectorClock, KnowsNothingAtFirst) {
  EXPECT_FALSE(VectorClock().knows(ada, 1));
}

TEST(VectorClock, KnowsAThreadsWritesUpToTheEpochThatWasAdded) {
  VectorClock clock;
  clock.add(ada, 5);
  EXPECT_TRUE(clock.knows(ada, 5));
  EXPECT_FALSE(clock.knows(ada, 6));
  EXPECT_FALSE(clock.knows(ben, 1));
}

TEST(VectorClock, NeverForgetsALaterEpochForAnEarlierOne) {
  VectorClock clock;
  clock.add(ada, 5);
  clock.add(ada, 3);
  clock.add_cta(0, 2);
  EXPECT_TRUE(clock.knows(ada, 5));
}

TEST(VectorClock, KnowsEveryThreadOfACtaAndOfNoOther) {
  VectorClock clock;
  clock.add_cta(0, 4);
  EXPECT_TRUE(clock.knows(ada, 4));
  EXPECT_TRUE(clock.knows(ben, 4));
  EXPECT_FALSE(clock.knows(cleo, 1));
}

TEST(VectorClock, CoversWhatItKnowsButForTheThreadsOwnWrites) {
  VectorClock mine;
  mine.add(ada, 5);
  VectorClock theirs;
  theirs.add(ada, 4);
  theirs.add(ben, 9);
  EXPECT_TRUE(mine.covers(theirs, ben));
  EXPECT_FALSE(mine.covers(theirs, cleo));
}

// Against the plainest implementation: a map from thread to epoch.
TEST(VectorClock, EqualsAMapFromThreadToEpochUnderRandomOperations) {
  std::mt19937 random(7);
  const auto draw = [&](unsigned below) { return static_cast<std::uint16_t>(random() % below); };
  std::array<VectorClock, 4> clocks;
  std::array<std::map<ThreadId, Epoch>, 4> maps;
  constexpr std::uint16_t ctas = 2;
  constexpr std::uint16_t threads = 5;
  for (int step = 0; step < 5000; ++step) {
    const unsigned one = draw(4);
    const unsigned other = draw(4);
    const Epoch epoch = draw(50);
    const ThreadId thread{draw(ctas), draw(threads)};
    switch (draw(4)) {
      case 0:
        clocks[one].add(thread, epoch);
        maps[one][thread] = std::max(maps[one][thread], epoch);
        break;
      case 1:
        clocks[one].add_cta(thread.rank, epoch);
        for (std::uint16_t i = 0; i < threads; ++i) {
          Epoch& known = maps[one][{thread.rank, i}];
          known = std::max(known, epoch);
        }
        break;
      case 2:
        clocks[one].join(clocks[other]);
        for (const auto& [who, when] : maps[other]) {
          maps[one][who] = std::max(maps[one][who], when);
        }
        break;
      default:
        if (draw(20) == 0) {
          clocks[one].clear();
          maps[one].clear();
        }
    }
    const auto in_map = [&](ThreadId who) {
      const auto found = maps[one].find(who);
      return found == maps[one].end() ? Epoch{0} : found->second;
    };
    ASSERT_EQ(clocks[one].knows(thread, epoch), epoch <= in_map(thread)) << step;
    bool covers = true;
    for (const auto& [who, when] : maps[other]) covers &= who == thread || when <= in_map(who);
    ASSERT_EQ(clocks[one].covers(clocks[other], thread), covers) << step;
  }
}

class CausalityTest : public testing::Test {
 protected:
  // Ada writes; the epoch of the write.
  Epoch ada_writes() const { return causality.now(); }
  bool knows(ThreadId reader, Epoch epoch) const { return causality.knows(reader, ada, epoch); }

  Causality causality{2, 4};
};

TEST_F(CausalityTest, AThreadKnowsItsOwnWrites) {
  EXPECT_TRUE(knows(ada, ada_writes()));
}

TEST_F(CausalityTest, NobodyKnowsAWriteThatWasNotReleased) {
  EXPECT_FALSE(knows(ben, ada_writes()));
}

TEST_F(CausalityTest, WhoAcquiresWhatWasReleasedKnowsTheWritesBeforeAndNoneAfter) {
  ReleasedClock flag;
  const Epoch before = ada_writes();
  causality.release(ada, flag);
  const Epoch after = ada_writes();
  causality.acquire(ben, flag);
  EXPECT_TRUE(knows(ben, before));
  EXPECT_FALSE(knows(ben, after));
  EXPECT_FALSE(knows(cleo, before));
}

TEST_F(CausalityTest, KnowledgeTravelsThroughAThirdThread) {
  ReleasedClock first;
  ReleasedClock second;
  const Epoch written = ada_writes();
  causality.release(ada, first);
  causality.acquire(ben, first);
  causality.release(ben, second);
  causality.acquire(cleo, second);
  EXPECT_TRUE(knows(cleo, written));
}

TEST_F(CausalityTest, AnAcquireBeforeTheReleaseTeachesNothing) {
  ReleasedClock flag;
  causality.acquire(ben, flag);
  const Epoch written = ada_writes();
  causality.release(ada, flag);
  EXPECT_FALSE(knows(ben, written));
}

TEST_F(CausalityTest, WhatIsReleasedLaterReachesNobodyWhoAcquiredBefore) {
  ReleasedClock flag;
  causality.release(ada, flag);
  causality.acquire(ben, flag);  // shares the clock of the flag
  const Epoch written = ada_writes();
  causality.release(ada, flag);
  EXPECT_FALSE(knows(ben, written));
}

TEST_F(CausalityTest, WhoAcquiresAfterALaterReleaseKnowsThatToo) {
  ReleasedClock flag;
  causality.release(ada, flag);
  causality.acquire(ben, flag);
  const Epoch written = ada_writes();
  causality.release(ada, flag);
  causality.acquire({0, 3}, flag);  // knew what Ben knew
  EXPECT_TRUE(knows({0, 3}, written));
}

TEST_F(CausalityTest, WaitersThatKnewDifferentThingsKeepThem) {
  ReleasedClock flag;
  ReleasedClock for_ben;
  const Epoch early = ada_writes();
  causality.release(ada, for_ben);
  causality.acquire(ben, for_ben);
  causality.release({0, 3}, flag);
  causality.acquire(ben, flag);
  causality.acquire(cleo, flag);
  EXPECT_TRUE(knows(ben, early));
  EXPECT_FALSE(knows(cleo, early));
}

TEST_F(CausalityTest, ManyWaitersOfOnePhaseShareOneClock) {
  ReleasedClock phase;
  causality.release(ada, phase);
  causality.acquire(ben, phase);
  causality.acquire({0, 3}, phase);
  EXPECT_EQ(&causality.clock(ben), &causality.clock({0, 3}));
}

TEST_F(CausalityTest, ABarrierOfTheCtaReachesItsThreadsAndNoOthers) {
  const Epoch written = ada_writes();
  causality.synchronize_cta(0);
  EXPECT_TRUE(knows(ben, written));
  EXPECT_FALSE(knows(cleo, written));
  EXPECT_FALSE(knows(ben, ada_writes()));
}

TEST_F(CausalityTest, ABarrierOfTheClusterReachesAll) {
  const Epoch written = ada_writes();
  causality.synchronize_cluster();
  EXPECT_TRUE(knows(cleo, written));
}

TEST_F(CausalityTest, ABarrierAmongSomeReachesThem) {
  const Epoch written = ada_writes();
  const std::array some{ada, ben};
  causality.synchronize(some);
  EXPECT_TRUE(knows(ben, written));
  EXPECT_FALSE(knows({0, 3}, written));
}

TEST_F(CausalityTest, AClusterBeginsWithoutKnowledge) {
  const Epoch written = ada_writes();
  causality.synchronize_cluster();
  causality.reset();
  EXPECT_FALSE(knows(ben, written));
}

}  // namespace
}  // namespace tmaemu
