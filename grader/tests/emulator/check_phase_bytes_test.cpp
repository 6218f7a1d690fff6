// Whether what is announced to a phase comes, and whose arrivals it counts.
#include <gtest/gtest.h>

#include "tests/emulator/checked_mbarrier.h"

namespace tmaemu::check {
namespace {

class CheckPhaseBytes : public CheckMbarrier {};

// --- What is announced, and what comes ---

TEST(CheckPhase, APhaseLacksAnnouncementsWhileItBringsMoreThanWasAnnounced) {
  MbarrierCluster cluster(1);
  cluster.initialize(2);
  cluster.arrive(ada, false, 64);
  const PhaseOf phase = cluster.load(64);
  EXPECT_FALSE(cluster.checker.lacks_announcement(phase));
  cluster.load(64);
  EXPECT_TRUE(cluster.checker.lacks_announcement(phase));
  cluster.arrive(ada, false, 64);
  EXPECT_FALSE(cluster.checker.lacks_announcement(phase));
}

TEST_F(CheckPhaseBytes, BytesThatNobodyAnnouncedAreTooMany) {
  cluster.initialize(1);
  cluster.load(64);
  cluster.arrive(ada, true);
  EXPECT_EQ(cluster.found(), Codes{"expect-too-few"});
}

TEST_F(CheckPhaseBytes, MoreBytesThanAnnouncedAreToldOfTheLoadThatExceeds) {
  cluster.initialize(1);
  cluster.load(64);
  const std::uint32_t second = cluster.site + 1;
  cluster.load(64);
  cluster.arrive(ada, true, 64);
  EXPECT_EQ(cluster.found(), Codes{"expect-too-few"});
  EXPECT_EQ(cluster.log.findings.front().site, second);
}

TEST_F(CheckPhaseBytes, FewerBytesThanAnnouncedAreToldAtTheEnd) {
  cluster.initialize(1);
  cluster.load(64);
  cluster.arrive(ada, false, 128);
  EXPECT_EQ(cluster.found(events::End::deadlock), Codes{"expect-too-many"});
}

// Who has not waited announces into the phase before: the announcement was not forgotten.
TEST_F(CheckPhaseBytes, BytesThatAnArrivalTooManyAnnouncesAreNotTooFew) {
  cluster.initialize(1);
  cluster.arrive(ada, false, 64);
  cluster.load(64);
  cluster.refuse_arrival(ada, 64);
  cluster.load(64);
  cluster.complete_bytes(64);
  EXPECT_EQ(cluster.found(), Codes{"arrival-overflow"});
}

TEST_F(CheckPhaseBytes, BytesBeyondThoseOfAnArrivalTooManyAreTooFew) {
  cluster.initialize(1);
  cluster.arrive(ada, false, 64);
  cluster.load(64);
  cluster.refuse_arrival(ada, 32);
  cluster.load(64);
  cluster.complete_bytes(64);
  EXPECT_EQ(cluster.found(), (Codes{"expect-too-few", "arrival-overflow"}));
}

// The bytes of one lap end the phase of the next, and so on.
TEST_F(CheckPhaseBytes, BytesBehindAnArrivalTooManyComeInOtherPhases) {
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

TEST_F(CheckPhaseBytes, BytesAnnouncedBehindTheLastArrivalMayBeOfThePhaseBehindIt) {
  cluster.initialize(1);
  cluster.arrive(ada, false, 64);
  cluster.load(64);
  cluster.announce(ada, 64);
  cluster.load(64);
  cluster.complete_bytes(128);
  EXPECT_EQ(cluster.found(), Codes{"expect-too-few"});
}

// Their own load comes behind them.
TEST_F(CheckPhaseBytes, BytesAnnouncedWhileOthersAreOwedAreOfThatPhase) {
  cluster.initialize(1);
  cluster.arrive(ada, false, 64);
  cluster.announce(ada, 64);
  cluster.load(64);
  cluster.load(64);
  cluster.complete_bytes(128);
  EXPECT_EQ(cluster.found(), Codes{});
}

// Another thread's may come before them.
TEST_F(CheckPhaseBytes, BytesAnnouncedWhileALoadMayBringWhatIsOwedMayBeOfThePhaseBehindIt) {
  cluster.initialize(1);
  cluster.synchronize();
  cluster.arrive(ada, false, 64);
  cluster.announce(ada, 64);
  cluster.load(64, ben);
  cluster.load(64);
  cluster.complete_bytes(128);
  EXPECT_EQ(cluster.found(), Codes{"expect-too-few"});
}

TEST_F(CheckPhaseBytes, AnArrivalTooManyComesBehindWhatItsThreadHasAnnounced) {
  cluster.initialize(1);
  cluster.arrive(ada, false, 64);
  cluster.load(64);
  cluster.announce(ada, 64);
  cluster.load(64);
  cluster.refuse_arrival(ada, 0);
  cluster.complete_bytes(128);
  EXPECT_EQ(cluster.found(), Codes{"arrival-overflow"});
}

TEST_F(CheckPhaseBytes, BytesMayComeBeforeTheyAreAnnounced) {
  cluster.initialize(1);
  cluster.load(64);
  cluster.arrive(ada, true, 64);
  EXPECT_EQ(cluster.found(), Codes{});
}

TEST_F(CheckPhaseBytes, EachPhaseHasItsOwnAnnouncement) {
  cluster.initialize(1);
  cluster.load(64);
  cluster.arrive(ada, true, 64);
  cluster.see(ada);
  cluster.load(64);
  cluster.arrive(ada, true, 64);
  EXPECT_EQ(cluster.found(), Codes{});
}

TEST_F(CheckPhaseBytes, AnArrivalThatKnowsNothingOfThePhaseBeforeIsOneTooMany) {
  cluster.initialize(1);
  cluster.synchronize();
  cluster.arrive(ada, true);
  cluster.arrive(ben, true);
  EXPECT_EQ(cluster.found(), Codes{"arrival-overflow"});
}

// What it has done too often in one lap, it does too early in the next.
TEST_F(CheckPhaseBytes, OfAThreadWhoseArrivalWasOneTooManyTheNextOneIsNot) {
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
TEST_F(CheckPhaseBytes, OfEachThreadWhoseArrivalWasOneTooManyTheNextOneIsNot) {
  cluster.initialize(2);
  cluster.synchronize();
  for (int i = 0; i < 3; ++i) {
    cluster.arrive(ada, false);
    cluster.arrive(ben, true);
  }
  EXPECT_EQ(cluster.found(), (Codes{"arrival-overflow", "arrival-overflow"}));
}

TEST_F(CheckPhaseBytes, AnArrivalThatHasSeenThePhaseBeforeIsOfTheNextOne) {
  cluster.initialize(1);
  cluster.synchronize();
  cluster.arrive(ada, true);
  cluster.see(ben);
  cluster.arrive(ben, true);
  EXPECT_EQ(cluster.found(), Codes{});
}

// Its first arrival has not ended the phase: the bytes may still be on their way.
TEST_F(CheckPhaseBytes, AnArrivalThatHasNotWaitedForTheBytesOfThePhaseBeforeIsOneTooMany) {
  cluster.initialize(1);
  cluster.arrive(ada, false, 64);
  cluster.load(64);
  cluster.complete_bytes(64);
  cluster.arrive(ada, true);
  EXPECT_EQ(cluster.found(), Codes{"arrival-overflow"});
}

TEST_F(CheckPhaseBytes, AnArrivalThatHasWaitedForTheBytesOfThePhaseBeforeIsOfTheNextOne) {
  cluster.initialize(1);
  cluster.arrive(ada, false, 64);
  cluster.load(64);
  cluster.complete_bytes(64);
  cluster.see(ada);
  cluster.arrive(ada, true);
  EXPECT_EQ(cluster.found(), Codes{});
}

TEST(CheckMbarrierInACluster, AnArrivalOfEachCtaInOneLapIsOneTooMany) {
  MbarrierCluster cluster(2);
  cluster.initialize(1);
  cluster.state.order.synchronize(std::vector{ada, ben, cleo}, std::vector{ada, ben, cleo});
  cluster.arrive(ada, true, 0, {Semantics::release, Scope::cluster});
  cluster.arrive(cleo, true, 0, {Semantics::release, Scope::cluster});
  EXPECT_EQ(cluster.found(), Codes{"arrival-overflow"});
}

TEST_F(CheckPhaseBytes, ArrivalsThatFollowCopiesAreCountedWhereTheyAreOrdered) {
  cluster.initialize(1);
  cluster.synchronize();
  cluster.order_arrival(ada);
  cluster.order_arrival(ben);
  EXPECT_EQ(cluster.found(), Codes{"arrival-overflow"});
}

TEST_F(CheckPhaseBytes, ArrivalsThatFollowCopiesCountBesideOthers) {
  cluster.initialize(2);
  cluster.synchronize();
  cluster.order_arrival(ada);
  cluster.order_arrival(ben);
  cluster.arrive(ben, false);
  EXPECT_EQ(cluster.found(), Codes{"arrival-overflow"});
}

// When they come is left to the copies, so one thread's second may come before another's first.
TEST_F(CheckPhaseBytes, ArrivalsThatFollowTheCopiesOfOneThreadCountEachTime) {
  cluster.initialize(2);
  cluster.synchronize();
  cluster.order_arrival(ada);
  cluster.order_arrival(ada);
  cluster.order_arrival(ben);
  EXPECT_EQ(cluster.found(), Codes{"arrival-overflow"});
}

TEST_F(CheckPhaseBytes, ArrivalsThatFollowCopiesBehindAllThoseOfALapAreOfTheNextOne) {
  cluster.initialize(2);
  for (int lap = 0; lap < 3; ++lap) {
    cluster.synchronize();
    cluster.order_arrival(ada);
    cluster.order_arrival(ben);
  }
  EXPECT_EQ(cluster.found(), Codes{});
}

TEST_F(CheckPhaseBytes, CopiesOfLapsThatAreWaitedForAreNotTooMany) {
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

}  // namespace
}  // namespace tmaemu::check
