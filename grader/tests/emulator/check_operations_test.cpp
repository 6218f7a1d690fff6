// What is judged of two accesses by more than their kinds: scopes, CTAs, sources, targets and laps.
#include <gtest/gtest.h>

#include <optional>
#include <variant>

#include "contract/findings/sentences.h"
#include "emulator/check/conflict.h"
#include "tests/emulator/accesses_of_kinds.h"

namespace tmaemu::check {
namespace {

using Kind = AccessKind;
using Says = Sentence;

class CheckPlain : public testing::Test {
 protected:
  std::optional<Verdict> judge_writes() const {
    return judge({.earlier = earlier, .earlier_writes = true, .now = now, .now_writes = true});
  }
  static void be_strong(PastAccess& access, Scope scope) {
    access.how = ThreadAccess{.order = {Semantics::relaxed, scope}};
  }
  PastAccess earlier;
  PastAccess now;
};

TEST_F(CheckPlain, StrongAccessesOfOneCtaDoNotRace) {
  be_strong(earlier, Scope::cta);
  be_strong(now, Scope::cta);
  EXPECT_FALSE(judge_writes());
}

TEST_F(CheckPlain, AStrongAccessRacesWithAWeakOne) {
  be_strong(earlier, Scope::sys);
  EXPECT_TRUE(judge_writes());
}

TEST_F(CheckPlain, ARelaxedReadRacesWithARelaxedWriteUnlessItPolls) {
  be_strong(earlier, Scope::cta);
  be_strong(now, Scope::cta);
  Conflict conflict{.earlier = earlier, .earlier_writes = true, .now = now};
  ASSERT_TRUE(judge(conflict));
  EXPECT_EQ(judge(conflict)->sentence, Says::race_of_relaxed_read);
  conflict.is_poll = true;
  EXPECT_FALSE(judge(conflict));
}

TEST_F(CheckPlain, ARelaxedReadMayMeetAnAtomicAndARelease) {
  be_strong(earlier, Scope::cta);
  be_strong(now, Scope::cta);
  const Conflict conflict{.earlier = earlier, .earlier_writes = true, .now = now};
  earlier.reduces = true;
  EXPECT_FALSE(judge(conflict));
  earlier.reduces = false;
  earlier.how = ThreadAccess{.order = {Semantics::release, Scope::cta}};
  EXPECT_FALSE(judge(conflict));
}

TEST_F(CheckPlain, StrongAccessesOfTwoCtasNeedScopesThatIncludeBoth) {
  now.cta = 1;
  be_strong(earlier, Scope::cluster);
  be_strong(now, Scope::cta);
  EXPECT_TRUE(judge_writes());
  be_strong(now, Scope::cluster);
  EXPECT_FALSE(judge_writes());
}

TEST_F(CheckPlain, StrongAccessesOfTwoClustersNeedTheWholeGpu) {
  now.cta = now.cluster = 2;
  be_strong(earlier, Scope::gpu);
  be_strong(now, Scope::cluster);
  EXPECT_TRUE(judge_writes());
  be_strong(now, Scope::gpu);
  EXPECT_FALSE(judge_writes());
}

class CheckOperations : public testing::Test {
 protected:
  static EngineAccess& engine(PastAccess& access) { return std::get<EngineAccess>(access.how); }
  void have_one_source() { engine(earlier).source = engine(now).source = 0x1000; }
  std::optional<Verdict> judge_writes() const {
    return judge({.earlier = earlier,
                  .earlier_writes = true,
                  .now = now,
                  .now_writes = true,
                  .is_global = true});
  }
  PastAccess earlier = access_of(Kind::store);
  PastAccess now = access_of(Kind::store);
};

// A thread that loads a tile, arrives, and loads the same bytes of shared memory again.
class CheckStages : public CheckOperations {
 protected:
  CheckStages() {
    earlier = access_of(Kind::load);
    now = access_of(Kind::load);
    engine(now).turn = 1;
  }
  Sentence said() const {
    const auto verdict = judge({.earlier = earlier,
                                .earlier_writes = true,
                                .now = now,
                                .now_writes = true,
                                .is_issue_ordered = true,
                                .is_of_one_thread = is_of_one_thread});
    return verdict ? verdict->sentence : Says::all_threads_wait;
  }
  bool is_of_one_thread = true;
};

TEST_F(CheckStages, AStageIsLoadedAgainInTheNextLap) {
  EXPECT_EQ(said(), Says::load_into_stage_in_use);
}

TEST_F(CheckStages, TheSameTileIsNotIssuedTwiceInTwoLaps) {
  have_one_source();
  EXPECT_EQ(said(), Says::load_into_stage_in_use);
}

TEST_F(CheckStages, OneLapHasOneArrival) {
  engine(now).turn = 0;
  EXPECT_EQ(said(), Says::overlapping_loads);
}

TEST_F(CheckStages, AStageHasOneMbarrier) {
  engine(now).completion.actor.index = 1;
  EXPECT_EQ(said(), Says::overlapping_loads);
}

TEST_F(CheckStages, AStageBeginsAtOnePlace) {
  engine(now).target = 64;
  EXPECT_EQ(said(), Says::overlapping_loads);
}

TEST_F(CheckStages, TwoThreadsAreNoLaps) {
  is_of_one_thread = false;
  EXPECT_EQ(said(), Says::overlapping_loads);
}

TEST(CheckCopies, ThoseThatBringTheSameMayMeet) {
  PastAccess earlier = access_of(Kind::copy);
  PastAccess now = access_of(Kind::copy);
  const auto said = [&] {
    return judge({.earlier = earlier, .earlier_writes = true, .now = now, .now_writes = true});
  };
  EXPECT_TRUE(said());
  std::get<DeferredAccess>(earlier.how).distance = 0x1000;
  std::get<DeferredAccess>(now.how).distance = 0x1004;
  EXPECT_TRUE(said());
  std::get<DeferredAccess>(now.how).distance = 0x1000;
  EXPECT_FALSE(said());
}

TEST_F(CheckOperations, ReductionsMayMeet) {
  earlier.reduces = now.reduces = true;
  EXPECT_FALSE(judge_writes());
}

TEST_F(CheckOperations, AReductionAndAStoreMayNot) {
  earlier.reduces = true;
  ASSERT_TRUE(judge_writes());
  EXPECT_EQ(judge_writes()->sentence, Says::overlapping_stores);
}

TEST_F(CheckOperations, OneSourceAndOneTargetAreOneOperationIssuedTwice) {
  have_one_source();
  ASSERT_TRUE(judge_writes());
  EXPECT_EQ(judge_writes()->sentence, Says::issued_twice);
}

TEST_F(CheckOperations, OneThreadThatDoesNotWaitIssuesItAgain) {
  have_one_source();
  const auto verdict = judge({.earlier = earlier,
                              .earlier_writes = true,
                              .now = now,
                              .now_writes = true,
                              .is_global = true,
                              .is_issue_ordered = true,
                              .is_of_one_thread = true});
  ASSERT_TRUE(verdict);
  EXPECT_EQ(verdict->sentence, Says::issued_again);
}

TEST_F(CheckOperations, OneSourceAndTwoTargetsThatOverlapAreTwoOperations) {
  have_one_source();
  engine(now).target = engine(earlier).target + 64;
  ASSERT_TRUE(judge_writes());
  EXPECT_EQ(judge_writes()->sentence, Says::overlapping_stores);
}

TEST_F(CheckOperations, ReductionsOfTwoKindsMayNotMeet) {
  earlier.reduces = now.reduces = true;
  engine(earlier).reduction = 1;
  engine(now).reduction = 2;
  ASSERT_TRUE(judge_writes());
  EXPECT_EQ(judge_writes()->sentence, Says::reductions_of_two_kinds);
}

TEST_F(CheckOperations, ReductionsOfTwoKindsMayNotMeetInAnyOrderOfIssue) {
  earlier.reduces = now.reduces = true;
  engine(earlier).reduction = 1;
  engine(now).reduction = 2;
  EXPECT_TRUE(judge({.earlier = earlier,
                     .earlier_writes = true,
                     .now = now,
                     .now_writes = true,
                     .is_global = true,
                     .is_issue_ordered = true}));
}

TEST_F(CheckOperations, OneReductionOfTwoLanesIsOneTooMany) {
  have_one_source();
  earlier.reduces = now.reduces = true;
  ASSERT_TRUE(judge_writes());
  EXPECT_EQ(judge_writes()->sentence, Says::issued_twice);
}

TEST_F(CheckOperations, TwoWarpsMayAddTheSame) {
  have_one_source();
  earlier.reduces = now.reduces = true;
  now.first = 32;
  EXPECT_FALSE(judge_writes());
}

TEST_F(CheckOperations, WhoKnowsOfTheFirstTimeMayAddTheSameAgain) {
  have_one_source();
  earlier.reduces = now.reduces = true;
  EXPECT_FALSE(judge({.earlier = earlier,
                      .earlier_writes = true,
                      .now = now,
                      .now_writes = true,
                      .is_global = true,
                      .is_issue_ordered = true}));
}

class CheckStrongAccesses : public testing::Test {
 protected:
  bool may_meet(unsigned earlier_bytes, unsigned bytes) const {
    const auto strong = [](unsigned element_bytes) {
      PastAccess access;
      access.how =
          ThreadAccess{.order = {Semantics::relaxed, Scope::gpu}, .element_bytes = element_bytes};
      return access;
    };
    const PastAccess earlier = strong(earlier_bytes);
    const PastAccess now = strong(bytes);
    return !judge({.earlier = earlier, .earlier_writes = true, .now = now, .now_writes = true});
  }
};

TEST_F(CheckStrongAccesses, OfOneSizeMayMeet) {
  EXPECT_TRUE(may_meet(8, 8));
}

TEST_F(CheckStrongAccesses, OfTwoSizesMayNot) {
  EXPECT_FALSE(may_meet(4, 8));
  EXPECT_FALSE(may_meet(8, 4));
}

TEST_F(CheckStrongAccesses, OfAPartOfAWordAndTheWordMay) {
  EXPECT_TRUE(may_meet(2, 4));
}

class CheckStoreOfAnotherCta : public CheckOperations {
 protected:
  CheckStoreOfAnotherCta() {
    now = access_of(Kind::plain);
    now.cta = 1;
  }
};

TEST_F(CheckStoreOfAnotherCta, IsARaceWhereNothingOrdersTheIssue) {
  ASSERT_TRUE(judge_writes());
  EXPECT_EQ(judge_writes()->sentence, Says::race_of_writes_by_ctas);
}

TEST_F(CheckStoreOfAnotherCta, IsARaceForALoadToo) {
  now = access_of(Kind::load);
  now.cta = 1;
  const auto verdict =
      judge({.earlier = earlier, .earlier_writes = true, .now = now, .is_global = true});
  ASSERT_TRUE(verdict);
  EXPECT_EQ(verdict->sentence, Says::race_of_read_by_ctas);
}

TEST_F(CheckStoreOfAnotherCta, IsTheSameRaceWhereTheLoadComesFirst) {
  now = access_of(Kind::load);
  now.cta = 1;
  const auto verdict =
      judge({.earlier = now, .now = earlier, .now_writes = true, .is_global = true});
  ASSERT_TRUE(verdict);
  EXPECT_EQ(verdict->sentence, Says::race_of_read_by_ctas);
}

TEST_F(CheckStoreOfAnotherCta, IsUnawaitedWhereTheIssueIsKnown) {
  const auto verdict = judge({.earlier = earlier,
                              .earlier_writes = true,
                              .now = now,
                              .now_writes = true,
                              .is_global = true,
                              .is_issue_ordered = true});
  ASSERT_TRUE(verdict);
  EXPECT_EQ(verdict->sentence, Says::write_over_unawaited_store);
}

// Not two operations, of which one thread is to wait for the first: its map has strides too small.
TEST_F(CheckOperations, AStoreThatComesUponItselfIsOne) {
  have_one_source();
  engine(earlier).operation = engine(now).operation = 1;
  ASSERT_TRUE(judge_writes());
  EXPECT_EQ(judge_writes()->sentence, Says::store_over_itself);
  earlier.reduces = now.reduces = true;
  EXPECT_FALSE(judge_writes());
}

TEST_F(CheckOperations, AnAtomicMayMeetAReductionUnderWay) {
  earlier.reduces = true;
  now = access_of(Kind::plain);
  EXPECT_TRUE(judge_writes());
  now.reduces = true;
  EXPECT_FALSE(judge_writes());
}

// In a loop the thread that writes was to wait for the store of the lap before.
TEST_F(CheckOperations, AWriteOfTheNextLapOverwritesTheSource) {
  const PastAccess write = access_of(Kind::plain);
  const auto verdict =
      judge({.earlier = write, .earlier_writes = true, .now = now, .is_next_lap = true});
  ASSERT_TRUE(verdict);
  EXPECT_EQ(verdict->sentence, Says::store_source_overwritten);
  EXPECT_FALSE(verdict->accuses_later);
}

// No wait of one CTA orders it with another: whether they should meet at all is the question.
TEST_F(CheckOperations, StoresOfTwoCtasAreToldApart) {
  now.cta = 1;
  ASSERT_TRUE(judge_writes());
  EXPECT_EQ(judge_writes()->sentence, Says::overlapping_stores_of_ctas);
}

TEST_F(CheckPlain, RacesOfTwoCtasAreToldApart) {
  now.cta = 1;
  // In the shared memory of a cluster, its barrier orders them.
  EXPECT_EQ(judge_writes().value().sentence, Says::race_of_writes);
  const auto verdict = judge({.earlier = earlier,
                              .earlier_writes = true,
                              .now = now,
                              .now_writes = true,
                              .is_global = true});
  EXPECT_EQ(verdict.value().sentence, Says::race_of_writes_by_ctas);
}

TEST_F(CheckOperations, TheSameAddressInAnotherClusterIsAnotherSource) {
  have_one_source();
  now.cluster = now.cta = 1;
  ASSERT_TRUE(judge_writes());
  EXPECT_EQ(judge_writes()->sentence, Says::overlapping_stores_of_ctas);
}

}  // namespace
}  // namespace tmaemu::check
