// What the checker looks after of mbarriers: their lives, and what their phases order.
#include <gtest/gtest.h>

#include "tests/emulator/checked_mbarrier.h"

namespace tmaemu::check {
namespace {

// --- Scopes ---

// PTX ISA, "Release and Acquire Patterns": each one's scope includes the other thread.
TEST(CheckMbarrierInACluster, AWaitOfOneCtaAcquiresNothingOfAnother) {
  MbarrierCluster cluster(2);
  cluster.initialize(1);
  cluster.arrive(cleo, true, 0, {Semantics::release, Scope::cluster});
  cluster.see(ada, acquire);
  EXPECT_FALSE(cluster.knows(ada, cleo));
  cluster.see(ada, {Semantics::acquire, Scope::cluster});
  EXPECT_TRUE(cluster.knows(ada, cleo));
}

TEST(CheckMbarrierInACluster, AWaitThatLacksArrivalsShowsThoseThatWentToTheirOwnCtas) {
  constexpr std::uint32_t its_own = std::uint32_t{1} << cta_rank_shift | barrier;
  MbarrierCluster cluster(2);
  cluster.initialize(2);
  cluster.arrive(ada, false);
  cluster.checker.initialize(its_own, 2, cluster.action(cleo));
  cluster.checker.arrive(
      {.mbarrier = its_own, .count = 1, .thread = &cleo, .site = 9, .order = release});
  std::vector<Note> notes;
  cluster.checker.explain_wait(barrier, notes);
  ASSERT_FALSE(notes.empty());
  EXPECT_EQ(notes.back().sentence, NoteSentence::arrives_in_own_cta);
  EXPECT_EQ(notes.back().site, 9U);
}

TEST(CheckMbarrierInACluster, AWaitOfOneCtaAcquiresWhatItsOwnThreadsRelease) {
  MbarrierCluster cluster(2);
  cluster.initialize(1);
  cluster.arrive(ben, true);
  cluster.see(ada, acquire);
  EXPECT_TRUE(cluster.knows(ada, ben));
}

// --- A life ---

TEST_F(CheckMbarrier, MayBeUsedByWhoInitializedIt) {
  cluster.initialize(1);
  cluster.arrive(ada, true);
  EXPECT_EQ(cluster.found(), Codes{});
}

TEST_F(CheckMbarrier, MayBeUsedBehindABarrier) {
  cluster.initialize(1);
  cluster.synchronize();
  cluster.arrive(ben, true);
  EXPECT_EQ(cluster.found(), Codes{});
}

TEST_F(CheckMbarrier, MayNotBeUsedBeforeItsInitializationIsVisible) {
  cluster.initialize(1);
  cluster.arrive(ben, true);
  EXPECT_EQ(cluster.found(), Codes{"missing-barrier-init-fence"});
}

TEST_F(CheckMbarrier, MayNotBeInitializedTwice) {
  cluster.initialize(1);
  cluster.initialize(1);
  EXPECT_EQ(cluster.found(), Codes{"barrier-reinit"});
}

TEST_F(CheckMbarrier, MayBeInitializedAgainBehindItsEnd) {
  cluster.initialize(1);
  cluster.invalidate(ada);
  cluster.initialize(1);
  EXPECT_EQ(cluster.found(), Codes{});
}

TEST_F(CheckMbarrier, MayNotEndWhileOthersUseIt) {
  cluster.initialize(2);
  cluster.synchronize();
  cluster.arrive({0, 40}, false);  // which the first warp knows nothing of
  cluster.invalidate(ada);
  EXPECT_NE(cluster.found(), Codes{});
}

TEST_F(CheckMbarrier, MayNotBeUsedBehindItsEnd) {
  cluster.initialize(1);
  cluster.invalidate(ada);
  cluster.checker.miss(barrier, cluster.action(ada));
  EXPECT_EQ(cluster.found(), Codes{"barrier-reinit"});
}

TEST_F(CheckMbarrier, ThatNobodyEverInitializesIsToldAtTheEnd) {
  cluster.checker.miss(barrier, cluster.action(ada));
  EXPECT_EQ(cluster.log.codes(), Codes{});
  EXPECT_EQ(cluster.found().size(), 1u);
}

TEST_F(CheckMbarrier, ThatIsInitializedTooLateNamesBothPlaces) {
  cluster.checker.miss(barrier, cluster.action(ben));
  cluster.initialize(1);
  EXPECT_EQ(cluster.found(), Codes{"missing-barrier-init-fence"});
  EXPECT_EQ(cluster.log.findings.front().thread, ben);
  EXPECT_EQ(cluster.log.findings.front().notes.front().thread, ada);
}

TEST_F(CheckMbarrier, LivesInItsEightBytes) {
  cluster.initialize(1);
  EXPECT_NE(cluster.checker.live_in(barrier + 4, 1), nullptr);
  EXPECT_EQ(cluster.checker.live_in(barrier + 8, 8), nullptr);
  EXPECT_NE(cluster.checker.live_in(barrier - 8, 9), nullptr);
  cluster.invalidate(ada);
  EXPECT_EQ(cluster.checker.live_in(barrier, 8), nullptr);
}

TEST(CheckRemoteMbarrier, NeedsABarrierOfTheCluster) {
  MbarrierCluster cluster(2);
  cluster.initialize(1);
  cluster.arrive(cleo, true);
  EXPECT_EQ(cluster.found(), Codes{"missing-barrier-init-fence"});
}

TEST(CheckRemoteMbarrier, MayNotBeUsedWhenItsCtaHasEnded) {
  MbarrierCluster cluster(2);
  cluster.initialize(1);
  cluster.state.order.acquire(cleo, cluster.state.order.snapshot(ada));
  cluster.state.has_ended[0] = true;
  cluster.arrive(cleo, true);
  EXPECT_EQ(cluster.found(), Codes{"smem-released-early"});
}

// --- What phases order ---

TEST_F(CheckMbarrier, WhoSeesThePhaseKnowsWhatTheArrivedDid) {
  cluster.initialize(1);
  cluster.synchronize();
  const Action written = cluster.action(ada);
  cluster.arrive(ada, true);
  cluster.see(ben);
  EXPECT_TRUE(cluster.state.order.knows(ben, cluster.state.order.actor(ada), written.time));
}

TEST_F(CheckMbarrier, ArrivalsOfAPhaseThatIsNotOverTeachNothing) {
  cluster.initialize(2);
  cluster.synchronize();
  const Action written = cluster.action(ada);
  cluster.arrive(ada, false);
  cluster.see(ben);
  EXPECT_FALSE(cluster.state.order.knows(ben, cluster.state.order.actor(ada), written.time));
}

TEST_F(CheckMbarrier, ALoadIsKnownToWhoSeesThePhaseThatItCompletes) {
  cluster.initialize(1);
  cluster.synchronize();
  const PhaseOf phase = cluster.load(64);
  cluster.arrive(ada, false, 64);
  EXPECT_FALSE(cluster.checker.is_known(phase, (*cluster.state.order.known(ben))[View::done]));
  cluster.complete_bytes(64);
  cluster.see(ben);
  EXPECT_TRUE(cluster.checker.is_known(phase, (*cluster.state.order.known(ben))[View::done]));
}

TEST_F(CheckMbarrier, ALoadIsNotKnownToWhoSeesThePhaseBeforeIt) {
  cluster.initialize(1);
  cluster.synchronize();
  cluster.arrive(ada, true);
  const PhaseOf phase = cluster.load(64);
  cluster.see(ben);
  EXPECT_FALSE(cluster.checker.is_known(phase, (*cluster.state.order.known(ben))[View::done]));
}

TEST_F(CheckMbarrier, AWaitForAPhaseThatWasKnownToBeOverIsStale) {
  cluster.initialize(1);
  cluster.synchronize();
  cluster.arrive(ada, true);
  cluster.see(ben);
  const PhaseOf phase = cluster.load(64);
  EXPECT_FALSE(cluster.checker.stale_wait(phase, ben));
  cluster.see(ben);
  EXPECT_TRUE(cluster.checker.stale_wait(phase, ben));
}

// --- A wait of who leaves out phases ---

// Two phases with a load each; `ada` issues them and waits for both.
void load_twice(MbarrierCluster& cluster) {
  for (int phase = 0; phase < 2; ++phase) {
    cluster.arrive(ada, false, 64);
    cluster.load(64);
    cluster.complete_bytes(64);
    cluster.see(ada);
  }
}

TEST_F(CheckMbarrier, AWaitOfWhoKnowsNothingOfThePhaseInFrontMayReturnEarly) {
  cluster.initialize(1);
  cluster.synchronize();
  load_twice(cluster);
  cluster.see(ben);
  EXPECT_EQ(cluster.found(), Codes{"wait-wrong-parity"});
}

TEST_F(CheckMbarrier, AWaitMayLeaveOutPhasesOfWhichTheThreadKnows) {
  cluster.initialize(1);
  cluster.synchronize();
  load_twice(cluster);
  cluster.synchronize();
  cluster.see(ben);
  EXPECT_EQ(cluster.found(), Codes{});
}

TEST_F(CheckMbarrier, AWaitMayLeaveOutAPhaseOfWhoseArrivalsTheThreadKnows) {
  cluster.initialize(1);
  cluster.synchronize();
  cluster.arrive(ada, true);
  cluster.synchronize();
  cluster.arrive(ada, true);
  cluster.see(ben);
  EXPECT_EQ(cluster.found(), Codes{});
}

// --- What a wait and an arrival say of a missing order ---

TEST_F(CheckMbarrier, AWaitThatReturnsAgainForThePhaseBehindWhichItsThreadHasLoadedIsRepeated) {
  cluster.initialize(1);
  const Actor elsewhere;
  cluster.see(ada);
  EXPECT_FALSE(cluster.checker.repeated_wait(ada, elsewhere));
  cluster.see(ada);
  EXPECT_FALSE(cluster.checker.repeated_wait(ada, elsewhere)) << "nothing was loaded in between";
  cluster.load(64);
  cluster.see(ada);
  EXPECT_TRUE(cluster.checker.repeated_wait(ada, elsewhere));
  EXPECT_FALSE(cluster.checker.repeated_wait(ada, cluster.checker.actor(barrier)))
      << "a wait for the load itself is no wait for its stage";
}

TEST_F(CheckMbarrier, ALaneThatArrivesDoesSoForThoseOfItsWarpThatDoNot) {
  constexpr ThreadId waiting{0, 40};
  cluster.initialize(1);
  cluster.synchronize();
  cluster.arrive(ben, true);
  cluster.see(waiting);
  ASSERT_TRUE(cluster.arrival_for(ada, 0, waiting));
  EXPECT_EQ(cluster.arrival_for(ada, 0, waiting)->thread, ben);
  EXPECT_FALSE(cluster.arrival_for(ben, 0, waiting)) << "it has arrived itself";
  EXPECT_FALSE(cluster.arrival_for({0, 41}, 0, waiting)) << "it is of another warp";
}

// What it has waited for since then, for its own load perhaps, does not let that load through.
TEST_F(CheckMbarrier, WhatAThreadDoesComesBehindItsWaitBeforeThat) {
  constexpr ThreadId waiting{0, 40};
  cluster.initialize(1);
  cluster.synchronize();
  cluster.arrive(ben, true);
  cluster.see(waiting);
  const Time moment = cluster.state.order.begin_moment(waiting);
  cluster.arrive(waiting, true);
  cluster.see(waiting);
  const auto first = cluster.checker.wait_before(waiting, moment);
  ASSERT_TRUE(first);
  EXPECT_EQ(first->phase + 1, cluster.checker.last_wait(waiting)->phase);
  EXPECT_EQ(cluster.checker.arrival_for(ada, 0, waiting, first)->thread, ben);
  EXPECT_FALSE(cluster.checker.wait_before(waiting, 0));
}

// As where all lanes arrive, and the mbarrier counts one fewer.
TEST_F(CheckMbarrier, WhoArrivesTooLateHasNotLeftThatToALaneOfItsWarp) {
  constexpr ThreadId waiting{0, 40};
  cluster.initialize(1);
  cluster.synchronize();
  const Time before = cluster.state.order.now(ada);
  cluster.arrive(ben, true);
  cluster.arrive(ada, false);
  cluster.see(waiting);
  EXPECT_FALSE(cluster.arrival_for(ada, before, waiting));
}

TEST_F(CheckMbarrier, WhoAnnouncesBytesArrivesForNobody) {
  constexpr ThreadId waiting{0, 40};
  cluster.initialize(1);
  cluster.synchronize();
  cluster.arrive(ben, true, 64);
  cluster.complete_bytes(64);
  cluster.see(waiting);
  EXPECT_FALSE(cluster.arrival_for(ada, 0, waiting));
}

}  // namespace
}  // namespace tmaemu::check
