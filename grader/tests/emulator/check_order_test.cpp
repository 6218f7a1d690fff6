// What orders what: PTX ISA, "Memory Consistency Model", "Causality order", as the checker follows
// it.
#include <gtest/gtest.h>

#include <array>
#include <vector>

#include "emulator/check/order.h"

namespace tmaemu::check {
namespace {

using Threads = std::vector<ThreadId>;

constexpr ThreadId ada{0, 0};
constexpr ThreadId ben{0, 1};
constexpr ThreadId dora{0, 40};  // of the second warp
constexpr ThreadId cleo{1, 0};   // of the other CTA
constexpr unsigned threads_per_cta = 64;

class CheckOrder : public testing::Test {
 protected:
  CheckOrder() { order.start(std::array{10u, 11u}); }

  struct Act {
    ThreadId thread;
    Time time;
  };
  Act act(ThreadId thread) const { return {thread, order.now(thread)}; }
  bool knows(ThreadId thread, const Act& act) const {
    return order.knows(thread, order.actor(act.thread), act.time);
  }
  bool sees_through_async_proxy(ThreadId thread, const Act& act) const {
    return (*order.known(thread))[View::fenced_shared].knows(order.actor(act.thread), act.time);
  }
  // All that `from` did and knows, `to` acquires.
  void pass(ThreadId from, ThreadId to) { order.acquire(to, order.snapshot(from)); }
  static Threads cta(std::uint16_t rank) {
    Threads all;
    for (std::uint16_t i = 0; i < threads_per_cta; ++i) all.push_back({rank, i});
    return all;
  }

  Order order{2, threads_per_cta};
};

TEST_F(CheckOrder, ThreadsKnowNothingOfEachOtherAtFirst) {
  EXPECT_FALSE(knows(ben, act(ada)));
  EXPECT_FALSE(knows(dora, act(ada)));
}

TEST_F(CheckOrder, AnActorIsNamedByTheNumberOfItsCta) {
  EXPECT_EQ(order.actor(cleo), (Actor{11, 0}));
}

TEST_F(CheckOrder, AReleaseCarriesWhatCameBeforeIt) {
  const Act before = act(ada);
  Released flag;
  order.release(ada, flag);
  const Act after = act(ada);
  order.acquire(dora, flag.all());
  EXPECT_TRUE(knows(dora, before));
  EXPECT_FALSE(knows(dora, after));
}

TEST_F(CheckOrder, AReleaseSaysNothingOfTheOtherLanes) {
  const Act other = act(ben);
  pass(ada, dora);
  EXPECT_FALSE(knows(dora, other));
}

TEST_F(CheckOrder, WhatIsAcquiredIsPassedOn) {
  const Act first = act(ada);
  pass(ada, ben);
  pass(ben, cleo);
  EXPECT_TRUE(knows(cleo, first));
}

TEST_F(CheckOrder, AnAcquireIsOneWay) {
  const Act act_of_dora = act(dora);
  pass(ada, dora);
  EXPECT_FALSE(knows(ada, act_of_dora));
}

TEST_F(CheckOrder, ReleasesOfSeveralAreAddedUp) {
  const Act one = act(ada);
  const Act other = act(dora);
  Released barrier;
  order.release(ada, barrier);
  order.release(dora, barrier);
  order.acquire(cleo, barrier.all());
  EXPECT_TRUE(knows(cleo, one));
  EXPECT_TRUE(knows(cleo, other));
}

TEST_F(CheckOrder, WhatIsReleasedLaterReachesNobodyWhoHasAcquiredBefore) {
  Released barrier;
  order.release(ada, barrier);
  order.acquire(cleo, barrier.all());
  const Act later = act(dora);
  order.release(dora, barrier);
  EXPECT_FALSE(knows(cleo, later));
}

TEST_F(CheckOrder, AClearedObjectTeachesNothing) {
  Released barrier;
  order.release(ada, barrier);
  barrier.clear();
  EXPECT_EQ(barrier.all(), nullptr);
}

TEST_F(CheckOrder, ABarrierOfTheCtaOrdersAllOfItsThreads) {
  const Act one = act(ada);
  const Act other = act(dora);
  order.synchronize(cta(0), cta(0));
  EXPECT_TRUE(knows(dora, one));
  EXPECT_TRUE(knows(ada, other));
  EXPECT_FALSE(knows(cleo, one));
}

TEST_F(CheckOrder, ABarrierSaysNothingOfWhatComesAfterIt) {
  order.synchronize(cta(0), cta(0));
  EXPECT_FALSE(knows(dora, act(ada)));
}

TEST_F(CheckOrder, WhoOnlyArrivesAtABarrierAcquiresNothing) {
  const Act waited = act(dora);
  const Act arrived = act(ada);
  order.synchronize(Threads{ada, dora}, Threads{dora});
  EXPECT_TRUE(knows(dora, arrived));
  EXPECT_FALSE(knows(ada, waited));
}

// The clocks of a warp are kept once where its lanes know the same.
TEST_F(CheckOrder, WhatOneLaneAcquiresTheOthersOfItsWarpDoNot) {
  for (const std::uint16_t lane : {0, 5, 31, 32, 63}) {
    order.synchronize(cta(0), cta(0));
    const Act theirs = act(cleo);
    const ThreadId alone{0, lane};
    pass(cleo, alone);
    order.fence(Threads{alone}, {View::fenced_shared});
    for (const ThreadId thread : cta(0)) {
      EXPECT_EQ(knows(thread, theirs), thread == alone) << lane << ' ' << thread.index;
      EXPECT_EQ(sees_through_async_proxy(thread, theirs), thread == alone) << lane;
    }
  }
}

TEST_F(CheckOrder, LanesThatAcquireTheSameOneAfterAnotherAreOfOneMind) {
  const SharedClocks told = order.snapshot(cleo);
  for (std::uint16_t lane = 0; lane < 32; ++lane) {
    order.acquire({0, lane}, told);
    EXPECT_EQ(order.is_of_one_mind(ada), lane == 31) << lane;
  }
}

TEST_F(CheckOrder, WhoComesToNoBarrierIsOrderedByNone) {
  const Act absent = act({0, 50});
  order.synchronize(Threads{ada, dora}, Threads{ada, dora});
  EXPECT_FALSE(knows(ada, absent));
}

TEST_F(CheckOrder, AShufflePassesOnWhatLanesHaveAcquiredOfOthers) {
  const Act other = act(dora);
  pass(dora, ada);
  order.share(Threads{ada, ben});
  EXPECT_TRUE(knows(ben, other));
}

TEST_F(CheckOrder, AShufflePassesNothingOnOfWhatTheLanesDid) {
  const Act own = act(ada);
  order.share(Threads{ada, ben});
  EXPECT_FALSE(knows(ben, own));
}

TEST_F(CheckOrder, WhatALaneReadBeforeAShuffleItHasRead) {
  const Time read = order.now(ada);
  EXPECT_FALSE(order.have_exchanged(ada, ben, read));
  order.share(Threads{ada, ben});
  EXPECT_TRUE(order.have_exchanged(ada, ben, read));
  EXPECT_FALSE(order.have_exchanged(ada, {0, 2}, read));
  EXPECT_FALSE(order.have_exchanged(ada, dora, read));
  EXPECT_FALSE(order.have_exchanged(ada, ben, order.now(ada)));
}

TEST_F(CheckOrder, WhatALaneReadBeforeAShuffleIsReadForWhomAnotherLaneTellsOfIt) {
  const Act read = act(ben);
  order.share(Threads{ada, ben});
  pass(ada, dora);
  const auto has_been_read = [&](ThreadId thread) {
    return order.has_been_read(thread, ben, read.time);
  };
  EXPECT_TRUE(has_been_read(dora));
  EXPECT_FALSE(has_been_read(cleo));
  EXPECT_FALSE(knows(dora, read));
}

TEST_F(CheckOrder, AShuffleOfFewerLanesDoesNotForgetTheOneBefore) {
  const Act read = act(ben);
  order.share(Threads{ada, ben});
  order.share(Threads{ada, {0, 2}});
  pass(ada, dora);
  EXPECT_TRUE(order.has_been_read(dora, ben, read.time));
}

TEST_F(CheckOrder, WarpsThatShuffleAtOneMomentAreToldApart) {
  const ThreadId neighbor{0, 41};  // of dora's warp
  order.synchronize(cta(0), cta(0));
  const Act first = act(ben);
  const Act second = act(neighbor);
  order.share(Threads{ada, ben});
  order.share(Threads{dora, neighbor});
  pass(ada, cleo);
  pass(dora, cleo);
  EXPECT_TRUE(order.has_been_read(cleo, ben, first.time));
  EXPECT_TRUE(order.has_been_read(cleo, neighbor, second.time));
}

// --- Relaxed arrivals and waits ---

TEST_F(CheckOrder, ARelaxedArrivalHasHappenedForWhoWaitsAndIsNotDone) {
  const Act told = act(ada);
  Released object;
  order.arrive_relaxed(ada, object);
  order.wait_relaxed(cleo, object.all());
  EXPECT_TRUE(order.has_happened(cleo, order.actor(ada), told.time));
  EXPECT_FALSE(knows(cleo, told));
}

TEST_F(CheckOrder, WhatHasHappenedIsPassedOnByReleases) {
  const Act told = act(ada);
  Released object;
  order.arrive_relaxed(ada, object);
  order.wait_relaxed(cleo, object.all());
  pass(cleo, dora);
  EXPECT_TRUE(order.has_happened(dora, order.actor(ada), told.time));
  EXPECT_FALSE(knows(dora, told));
}

TEST_F(CheckOrder, WhatComesBehindARelaxedArrivalHasNotHappenedForWhoWaits) {
  Released object;
  order.arrive_relaxed(ada, object);
  const Act later = act(ada);
  order.wait_relaxed(cleo, object.all());
  EXPECT_FALSE(order.has_happened(cleo, order.actor(ada), later.time));
}

// --- Proxies ---

TEST_F(CheckOrder, SynchronizationAloneDoesNotCrossProxies) {
  const Act written = act(ada);
  order.synchronize(cta(0), cta(0));
  EXPECT_TRUE(knows(dora, written));
  EXPECT_FALSE(sees_through_async_proxy(dora, written));
}

TEST_F(CheckOrder, AProxyFenceOfTheWriterTravelsAlongABarrier) {
  const Act written = act(ada);
  order.fence(Threads{ada}, {View::fenced_shared});
  order.synchronize(cta(0), cta(0));
  EXPECT_TRUE(sees_through_async_proxy(dora, written));
}

TEST_F(CheckOrder, AProxyFenceCoversWhatTheThreadKnowsOfOthers) {
  const Act written = act(ada);
  order.synchronize(cta(0), cta(0));
  order.fence(Threads{dora}, {View::fenced_shared});
  EXPECT_TRUE(sees_through_async_proxy(dora, written));
}

TEST_F(CheckOrder, AProxyFenceOfAnotherThreadBeforeTheBarrierCoversNothing) {
  const Act written = act(ada);
  order.fence(Threads{dora}, {View::fenced_shared});
  order.synchronize(cta(0), cta(0));
  EXPECT_FALSE(sees_through_async_proxy(dora, written));
}

TEST_F(CheckOrder, AProxyFenceSaysNothingOfWhatComesAfterIt) {
  order.fence(Threads{ada}, {View::fenced_shared});
  const Act written = act(ada);
  order.synchronize(cta(0), cta(0));
  EXPECT_FALSE(sees_through_async_proxy(dora, written));
}

TEST_F(CheckOrder, AProxyFenceIsOfTheStateSpaceThatItNames) {
  const Act written = act(ada);
  order.fence(Threads{ada}, {View::fenced_global});
  EXPECT_FALSE(sees_through_async_proxy(ada, written));
  EXPECT_TRUE((*order.known(ada))[View::fenced_global].knows(order.actor(ada), written.time));
}

TEST_F(CheckOrder, AReceiversFenceCoversWhatOtherCtasWroteAndNotItsOwn) {
  const Act sent = act(cleo);
  const Act own = act(ben);
  pass(cleo, ada);
  pass(ben, ada);
  order.fence(Threads{ada}, {View::fenced_received});
  const Clock& received = (*order.known(ada))[View::fenced_received];
  EXPECT_TRUE(received.knows(order.actor(cleo), sent.time));
  EXPECT_FALSE(received.knows(order.actor(ben), own.time));
}

TEST_F(CheckOrder, LanesThatFenceTogetherAreNotOrderedByThat) {
  const Act written = act(ben);
  order.fence(Threads{ada, ben}, {View::fenced_shared, View::fenced_global});
  EXPECT_FALSE(knows(ada, written));
}

TEST_F(CheckOrder, ANewClusterKnowsNothingOfTheOneBefore) {
  const Act before = act(ada);
  order.synchronize(cta(0), cta(0));
  order.start(std::array{12u, 13u});
  EXPECT_FALSE(knows(dora, before));
  EXPECT_EQ(order.actor(ada), (Actor{12, 0}));
}

// Which of two fences comes first is decided at run time, so one lane's says nothing of another's.
TEST_F(CheckOrder, AFenceOfMemoryCoversWhatItsOwnLaneDid) {
  const auto covers = [&](ThreadId thread, const Act& act) {
    return (*order.known(thread))[View::fenced_memory_in_cta].knows(order.actor(act.thread),
                                                                    act.time);
  };
  const Act of_ada = act(ada);
  const Act of_ben = act(ben);
  order.fence(Threads{ada, ben}, {View::fenced_memory_in_cta});
  EXPECT_TRUE(covers(ada, of_ada));
  EXPECT_FALSE(covers(ada, of_ben));
  pass(ben, ada);
  EXPECT_TRUE(covers(ada, of_ben));
}

}  // namespace
}  // namespace tmaemu::check
