// What the checker looks after of mbarriers: their lives, their phases by number, and whether what
// is announced comes.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "contract/findings/sentences.h"
#include "emulator/check/mbarrier_checker.h"
#include "tests/emulator/checked_cluster.h"

namespace tmaemu::check {
namespace {

using Codes = std::vector<std::string>;

constexpr std::uint32_t barrier = 1024;
constexpr ThreadId ada{0, 0};
constexpr ThreadId ben{0, 1};
constexpr ThreadId cleo{1, 0};  // of the other CTA
constexpr MemoryOrder release{Semantics::release, Scope::cta};
constexpr MemoryOrder acquire{Semantics::acquire, Scope::cta};

struct Cluster : CheckedCluster {
  explicit Cluster(unsigned ctas) : CheckedCluster(ctas) { checker.start(); }

  void initialize(std::int64_t count, ThreadId by = ada) {
    checker.initialize(barrier, count, action(by));
  }
  void invalidate(ThreadId by) { checker.invalidate(barrier, action(by)); }
  void arrive(ThreadId by, bool completes, std::int64_t bytes = 0, MemoryOrder order = release) {
    checker.arrive({.mbarrier = barrier,
                    .count = 1,
                    .tx_bytes = bytes,
                    .thread = &by,
                    .site = ++site,
                    .order = order,
                    .completes_phase = completes});
  }
  void announce(ThreadId by, std::int64_t bytes) {
    checker.arrive({.mbarrier = barrier, .tx_bytes = bytes, .thread = &by, .site = ++site});
  }
  // The mbarrier has no arrival left, and takes neither this one nor its bytes.
  void refuse_arrival(ThreadId by, std::int64_t bytes) {
    checker.overflow(barrier, bytes,
                     {.sentence = Sentence::mbarrier_arrivals,
                      .values = {0, 1, "1 arrives"},
                      .site = ++site,
                      .thread = by});
  }
  // cp.async.mbarrier.arrive.noinc: the arrival itself comes later.
  void order_arrival(ThreadId by) { checker.order_arrival({by, ++site, barrier, true}); }
  void arrive_behind_copies(ThreadId by, bool completes) {
    checker.arrive({.mbarrier = barrier,
                    .count = 1,
                    .thread = &by,
                    .site = ++site,
                    .order = {Semantics::relaxed, Scope::cta},
                    .completes_phase = completes,
                    .follows_copies = true});
  }
  // The engine's bytes arrive.
  void complete_bytes(std::int64_t bytes) {
    checker.arrive({.mbarrier = barrier, .tx_bytes = -bytes, .completes_phase = true});
  }
  void see(ThreadId by, MemoryOrder order = acquire) {
    checker.see_phase({barrier, by, ++site, order});
  }
  // Whether the thread knows what the other one did up to now.
  bool knows(ThreadId thread, ThreadId other) const {
    return state.order.knows(thread, state.order.actor(other), 1);
  }
  PhaseOf load(std::int64_t bytes, ThreadId by = ada) {
    return checker.bring(barrier, bytes, action(by));
  }
  // The arrival of another lane on which the thread relied, and by which the other's last wait
  // ended.
  std::optional<PhaseLedger::Arriver> arrival_for(ThreadId thread, Time since,
                                                  ThreadId waiting) const {
    return checker.arrival_for(thread, since, waiting, checker.last_wait(waiting));
  }
  // __syncthreads() of the first warp.
  void synchronize() {
    std::vector<ThreadId> warp;
    for (std::uint16_t i = 0; i < warp_size; ++i) warp.push_back({0, i});
    state.order.synchronize(warp, warp);
  }
  // What is found up to the end of the cluster.
  Codes found(events::End end = events::End::finished) {
    checker.end_cluster(end);
    state.reporter.finish([](auto, auto) { return false; });
    return log.codes();
  }
  Action action(ThreadId thread) { return {thread, ++site, state.order.now(thread)}; }

  HeardFlags flags{state};
  MbarrierChecker checker{state, flags};
  std::uint32_t site = 0;
};

class CheckMbarrier : public testing::Test {
 protected:
  Cluster cluster{1};
};

// --- Scopes ---

// PTX ISA, "Release and Acquire Patterns": each one's scope includes the other thread.
TEST(CheckMbarrierInACluster, AWaitOfOneCtaAcquiresNothingOfAnother) {
  Cluster cluster(2);
  cluster.initialize(1);
  cluster.arrive(cleo, true, 0, {Semantics::release, Scope::cluster});
  cluster.see(ada, acquire);
  EXPECT_FALSE(cluster.knows(ada, cleo));
  cluster.see(ada, {Semantics::acquire, Scope::cluster});
  EXPECT_TRUE(cluster.knows(ada, cleo));
}

TEST(CheckMbarrierInACluster, AWaitThatLacksArrivalsShowsThoseThatWentToTheirOwnCtas) {
  constexpr std::uint32_t its_own = std::uint32_t{1} << cta_rank_shift | barrier;
  Cluster cluster(2);
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
  Cluster cluster(2);
  cluster.initialize(1);
  cluster.arrive(ben, true);
  cluster.see(ada, acquire);
  EXPECT_TRUE(cluster.knows(ada, ben));
}

// --- Bytes ---

TEST(CheckMbarrierBytes, APhaseLacksAnnouncementsWhileItBringsMoreThanWasAnnounced) {
  Cluster cluster(1);
  cluster.initialize(2);
  cluster.arrive(ada, false, 64);
  const PhaseOf phase = cluster.load(64);
  EXPECT_FALSE(cluster.checker.lacks_announcement(phase));
  cluster.load(64);
  EXPECT_TRUE(cluster.checker.lacks_announcement(phase));
  cluster.arrive(ada, false, 64);
  EXPECT_FALSE(cluster.checker.lacks_announcement(phase));
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
  Cluster cluster(2);
  cluster.initialize(1);
  cluster.arrive(cleo, true);
  EXPECT_EQ(cluster.found(), Codes{"missing-barrier-init-fence"});
}

TEST(CheckRemoteMbarrier, MayNotBeUsedWhenItsCtaHasEnded) {
  Cluster cluster(2);
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

// --- What is announced, and what comes ---

TEST_F(CheckMbarrier, BytesThatNobodyAnnouncedAreTooMany) {
  cluster.initialize(1);
  cluster.load(64);
  cluster.arrive(ada, true);
  EXPECT_EQ(cluster.found(), Codes{"expect-too-few"});
}

TEST_F(CheckMbarrier, MoreBytesThanAnnouncedAreToldOfTheLoadThatExceeds) {
  cluster.initialize(1);
  cluster.load(64);
  const std::uint32_t second = cluster.site + 1;
  cluster.load(64);
  cluster.arrive(ada, true, 64);
  EXPECT_EQ(cluster.found(), Codes{"expect-too-few"});
  EXPECT_EQ(cluster.log.findings.front().site, second);
}

TEST_F(CheckMbarrier, FewerBytesThanAnnouncedAreToldAtTheEnd) {
  cluster.initialize(1);
  cluster.load(64);
  cluster.arrive(ada, false, 128);
  EXPECT_EQ(cluster.found(events::End::deadlock), Codes{"expect-too-many"});
}

// Who has not waited announces into the phase before: the announcement was not forgotten.
TEST_F(CheckMbarrier, BytesThatAnArrivalTooManyAnnouncesAreNotTooFew) {
  cluster.initialize(1);
  cluster.arrive(ada, false, 64);
  cluster.load(64);
  cluster.refuse_arrival(ada, 64);
  cluster.load(64);
  cluster.complete_bytes(64);
  EXPECT_EQ(cluster.found(), Codes{"arrival-overflow"});
}

TEST_F(CheckMbarrier, BytesBeyondThoseOfAnArrivalTooManyAreTooFew) {
  cluster.initialize(1);
  cluster.arrive(ada, false, 64);
  cluster.load(64);
  cluster.refuse_arrival(ada, 32);
  cluster.load(64);
  cluster.complete_bytes(64);
  EXPECT_EQ(cluster.found(), (Codes{"expect-too-few", "arrival-overflow"}));
}

// The bytes of one lap end the phase of the next, and so on.
TEST_F(CheckMbarrier, BytesBehindAnArrivalTooManyComeInOtherPhases) {
  cluster.initialize(1);
  cluster.arrive(ada, false, 64);
  cluster.load(64);
  cluster.refuse_arrival(ada, 64);
  cluster.load(64);
  cluster.complete_bytes(64);
  cluster.see(ada);
  cluster.arrive(ada, true, 64);
  cluster.load(64);
  cluster.complete_bytes(64);
  EXPECT_EQ(cluster.found(), Codes{"arrival-overflow"});
}

TEST_F(CheckMbarrier, BytesAnnouncedBehindTheLastArrivalMayBeOfThePhaseBehindIt) {
  cluster.initialize(1);
  cluster.arrive(ada, false, 64);
  cluster.load(64);
  cluster.announce(ada, 64);
  cluster.load(64);
  cluster.complete_bytes(128);
  EXPECT_EQ(cluster.found(), Codes{"expect-too-few"});
}

// Their own load comes behind them.
TEST_F(CheckMbarrier, BytesAnnouncedWhileOthersAreOwedAreOfThatPhase) {
  cluster.initialize(1);
  cluster.arrive(ada, false, 64);
  cluster.announce(ada, 64);
  cluster.load(64);
  cluster.load(64);
  cluster.complete_bytes(128);
  EXPECT_EQ(cluster.found(), Codes{});
}

// Another thread's may come before them.
TEST_F(CheckMbarrier, BytesAnnouncedWhileALoadMayBringWhatIsOwedMayBeOfThePhaseBehindIt) {
  cluster.initialize(1);
  cluster.synchronize();
  cluster.arrive(ada, false, 64);
  cluster.announce(ada, 64);
  cluster.load(64, ben);
  cluster.load(64);
  cluster.complete_bytes(128);
  EXPECT_EQ(cluster.found(), Codes{"expect-too-few"});
}

TEST_F(CheckMbarrier, AnArrivalTooManyComesBehindWhatItsThreadHasAnnounced) {
  cluster.initialize(1);
  cluster.arrive(ada, false, 64);
  cluster.load(64);
  cluster.announce(ada, 64);
  cluster.load(64);
  cluster.refuse_arrival(ada, 0);
  cluster.complete_bytes(128);
  EXPECT_EQ(cluster.found(), Codes{"arrival-overflow"});
}

TEST_F(CheckMbarrier, BytesMayComeBeforeTheyAreAnnounced) {
  cluster.initialize(1);
  cluster.load(64);
  cluster.arrive(ada, true, 64);
  EXPECT_EQ(cluster.found(), Codes{});
}

TEST_F(CheckMbarrier, EachPhaseHasItsOwnAnnouncement) {
  cluster.initialize(1);
  cluster.load(64);
  cluster.arrive(ada, true, 64);
  cluster.see(ada);
  cluster.load(64);
  cluster.arrive(ada, true, 64);
  EXPECT_EQ(cluster.found(), Codes{});
}

TEST_F(CheckMbarrier, AnArrivalThatKnowsNothingOfThePhaseBeforeIsOneTooMany) {
  cluster.initialize(1);
  cluster.synchronize();
  cluster.arrive(ada, true);
  cluster.arrive(ben, true);
  EXPECT_EQ(cluster.found(), Codes{"arrival-overflow"});
}

// What it has done too often in one lap, it does too early in the next.
TEST_F(CheckMbarrier, OfAThreadWhoseArrivalWasOneTooManyTheNextOneIsNot) {
  cluster.initialize(1);
  cluster.synchronize();
  cluster.arrive(ada, true);
  cluster.arrive(ben, true);
  cluster.arrive(ben, true);
  EXPECT_EQ(cluster.log.findings.size(), 0U);
  EXPECT_EQ(cluster.found(), Codes{"arrival-overflow"});
  EXPECT_EQ(cluster.log.findings.size(), 1U);
}

// Whose arrival is the last one of the phase before is chance.
TEST_F(CheckMbarrier, OfEachThreadWhoseArrivalWasOneTooManyTheNextOneIsNot) {
  cluster.initialize(2);
  cluster.synchronize();
  for (int i = 0; i < 3; ++i) {
    cluster.arrive(ada, false);
    cluster.arrive(ben, true);
  }
  EXPECT_EQ(cluster.found(), (Codes{"arrival-overflow", "arrival-overflow"}));
}

TEST_F(CheckMbarrier, AnArrivalThatHasSeenThePhaseBeforeIsOfTheNextOne) {
  cluster.initialize(1);
  cluster.synchronize();
  cluster.arrive(ada, true);
  cluster.see(ben);
  cluster.arrive(ben, true);
  EXPECT_EQ(cluster.found(), Codes{});
}

// Its first arrival has not ended the phase: the bytes may still be on their way.
TEST_F(CheckMbarrier, AnArrivalThatHasNotWaitedForTheBytesOfThePhaseBeforeIsOneTooMany) {
  cluster.initialize(1);
  cluster.arrive(ada, false, 64);
  cluster.load(64);
  cluster.complete_bytes(64);
  cluster.arrive(ada, true);
  EXPECT_EQ(cluster.found(), Codes{"arrival-overflow"});
}

TEST_F(CheckMbarrier, AnArrivalThatHasWaitedForTheBytesOfThePhaseBeforeIsOfTheNextOne) {
  cluster.initialize(1);
  cluster.arrive(ada, false, 64);
  cluster.load(64);
  cluster.complete_bytes(64);
  cluster.see(ada);
  cluster.arrive(ada, true);
  EXPECT_EQ(cluster.found(), Codes{});
}

TEST(CheckMbarrierInACluster, AnArrivalOfEachCtaInOneLapIsOneTooMany) {
  Cluster cluster(2);
  cluster.initialize(1);
  cluster.state.order.synchronize(std::vector{ada, ben, cleo}, std::vector{ada, ben, cleo});
  cluster.arrive(ada, true, 0, {Semantics::release, Scope::cluster});
  cluster.arrive(cleo, true, 0, {Semantics::release, Scope::cluster});
  EXPECT_EQ(cluster.found(), Codes{"arrival-overflow"});
}

TEST_F(CheckMbarrier, ArrivalsThatFollowCopiesAreCountedWhereTheyAreOrdered) {
  cluster.initialize(1);
  cluster.synchronize();
  cluster.order_arrival(ada);
  cluster.order_arrival(ben);
  EXPECT_EQ(cluster.found(), Codes{"arrival-overflow"});
}

TEST_F(CheckMbarrier, ArrivalsThatFollowCopiesCountBesideOthers) {
  cluster.initialize(2);
  cluster.synchronize();
  cluster.order_arrival(ada);
  cluster.order_arrival(ben);
  cluster.arrive(ben, false);
  EXPECT_EQ(cluster.found(), Codes{"arrival-overflow"});
}

// When they come is left to the copies, so one thread's second may come before another's first.
TEST_F(CheckMbarrier, ArrivalsThatFollowTheCopiesOfOneThreadCountEachTime) {
  cluster.initialize(2);
  cluster.synchronize();
  cluster.order_arrival(ada);
  cluster.order_arrival(ada);
  cluster.order_arrival(ben);
  EXPECT_EQ(cluster.found(), Codes{"arrival-overflow"});
}

TEST_F(CheckMbarrier, ArrivalsThatFollowCopiesBehindAllThoseOfALapAreOfTheNextOne) {
  cluster.initialize(2);
  for (int lap = 0; lap < 3; ++lap) {
    cluster.synchronize();
    cluster.order_arrival(ada);
    cluster.order_arrival(ben);
  }
  EXPECT_EQ(cluster.found(), Codes{});
}

TEST_F(CheckMbarrier, CopiesOfLapsThatAreWaitedForAreNotTooMany) {
  cluster.initialize(2);
  cluster.synchronize();
  for (int lap = 0; lap < 3; ++lap) {
    cluster.order_arrival(ada);
    cluster.order_arrival(ben);
    cluster.arrive_behind_copies(ada, false);
    cluster.arrive_behind_copies(ben, true);
    cluster.see(ada);
    cluster.see(ben);
    cluster.synchronize();
  }
  EXPECT_EQ(cluster.found(), Codes{});
}

// --- A phase by itself ---

TEST(CheckPhase, NamesTheFirstOperationThatExceedsTheAnnouncement) {
  PhaseLedger phase;
  phase.announced = 96;
  phase.operations = {{{ada, 1, 1}, 64}, {{ada, 2, 1}, 32}};
  const auto none = [](const PhaseLedger::Brought&) { return false; };
  EXPECT_EQ(phase.first_unannounced(none), nullptr);
  phase.operations.push_back({{ada, 3, 1}, 1});
  ASSERT_NE(phase.first_unannounced(none), nullptr);
  EXPECT_EQ(phase.first_unannounced(none)->action.site, 3u);
}

TEST(CheckPhase, IsStarvedByOperationsThatAreIssuedTooOftenAndNamesNoneOfThem) {
  PhaseLedger phase;
  phase.announced = 64;
  phase.operations = {{{ada, 1, 1}, 64, 1}, {{ben, 1, 1}, 64, 2}};
  EXPECT_TRUE(phase.is_starved());
  const auto is_second = [](const PhaseLedger::Brought& each) { return each.operation == 2; };
  EXPECT_EQ(phase.first_unannounced(is_second), nullptr);
}

// --- A wait of who leaves out phases ---

// Two phases with a load each; `ada` issues them and waits for both.
void load_twice(Cluster& cluster) {
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
