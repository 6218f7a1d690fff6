// The rules of the checker as a table: two accesses to the same bytes, what orders them, and what
// that is called.
#include <gtest/gtest.h>

#include <initializer_list>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include "contract/findings/sentences.h"
#include "emulator/check/conflict.h"

namespace tmaemu::check {
namespace {

using Kind = AccessKind;
using Says = Sentence;

enum class Does : std::uint8_t { reads, writes };
using Does::reads;
using Does::writes;

// What may be known of the two.
struct Known {
  bool ordered = false;
  bool issue_ordered = false;
  bool fenced = false;
  bool served = false;
};

struct Row {
  const char* name;
  Kind earlier;
  Does earlier_does;
  Kind now;
  Does now_does;
  bool is_global;
  Known known;
  std::optional<Sentence> sentence;  // nothing: they do each other no harm
  bool accuses_later = true;
};

void PrintTo(const Row& row, std::ostream* out) {
  *out << row.name;
}

PastAccess access_of(Kind kind) {
  PastAccess access;
  access.kind = kind;
  if (kind == Kind::load || kind == Kind::store) access.how = EngineAccess{};
  if (kind == Kind::copy || kind == Kind::async_store || kind == Kind::product) {
    access.how = DeferredAccess{};
  }
  return access;
}

std::optional<Verdict> judged(const Row& row) {
  const PastAccess earlier = access_of(row.earlier);
  const PastAccess now = access_of(row.now);
  Conflict conflict{earlier, row.earlier_does == writes, now, row.now_does == writes};
  conflict.is_global = row.is_global;
  conflict.is_ordered = row.known.ordered;
  conflict.is_issue_ordered = row.known.issue_ordered;
  conflict.is_fenced = row.known.fenced;
  conflict.read_was_served = row.known.served;
  return judge(conflict);
}

class CheckConflict : public testing::TestWithParam<Row> {};

TEST_P(CheckConflict, IsJudged) {
  const auto verdict = judged(GetParam());
  ASSERT_EQ(verdict.has_value(), GetParam().sentence.has_value());
  if (!verdict) return;
  EXPECT_EQ(verdict->sentence, *GetParam().sentence);
  EXPECT_EQ(verdict->accuses_later, GetParam().accuses_later);
}

constexpr bool shared = false;
constexpr bool global = true;
constexpr Known nothing{};
constexpr Known ordered{.ordered = true};
constexpr Known fenced{.ordered = true, .fenced = true};
constexpr Known issued{.issue_ordered = true};
constexpr Known served{.served = true};

const std::vector<Row> between_threads{
    {"ReadOfARacingWrite", Kind::plain, writes, Kind::plain, reads, shared, nothing,
     Says::race_of_read},
    {"WriteOverARacingRead", Kind::plain, reads, Kind::plain, writes, shared, nothing,
     Says::race_of_read, false},
    {"TwoRacingWrites", Kind::plain, writes, Kind::plain, writes, global, nothing,
     Says::race_of_writes},
    {"OrderedWrites", Kind::plain, writes, Kind::plain, writes, shared, ordered, {}},
    {"OrderedReadOfAWrite", Kind::plain, writes, Kind::plain, reads, global, ordered, {}},
};

const std::vector<Row> after_copies{
    {"ReadBeforeACopyIsDone", Kind::copy, writes, Kind::plain, reads, shared, nothing,
     Says::read_before_copy_done},
    {"WriteBeforeACopyIsDone", Kind::copy, writes, Kind::plain, writes, shared, nothing,
     Says::write_during_copy},
    {"ReadAfterACopy", Kind::copy, writes, Kind::plain, reads, shared, ordered, {}},
};

const std::vector<Row> after_loads{
    {"ReadBeforeTheLoadIsDone", Kind::load, writes, Kind::plain, reads, shared, nothing,
     Says::read_before_load_done},
    {"ReadBeforeTheOwnLoadIsDone", Kind::load, writes, Kind::plain, reads, shared, issued,
     Says::read_before_load_done},
    {"ReadOfWhatTheNextLoadReplaces", Kind::load, writes, Kind::plain, reads, shared, served,
     Says::load_over_unread_data, false},
    {"ReadThatKnowsOfTheLoad",
     Kind::load,
     writes,
     Kind::plain,
     reads,
     shared,
     {.issue_ordered = true, .served = true},
     Says::read_before_load_done},
    {"WriteWhileTheLoadIsInFlight", Kind::load, writes, Kind::plain, writes, shared, nothing,
     Says::write_during_load},
    {"ReadAfterTheWait", Kind::load, writes, Kind::plain, reads, shared, ordered, {}},
    {"WriteToTheSourceOfALoad", Kind::load, reads, Kind::plain, writes, global, nothing,
     Says::write_to_load_source},
    {"WriteToTheSourceOfACopyBetweenCtas", Kind::load, reads, Kind::plain, writes, shared, issued,
     Says::copy_source_overwritten},
    {"WriteToTheSourceOfACopyBetweenCtasThatNobodyKnowsOf", Kind::load, reads, Kind::plain, writes,
     shared, nothing, Says::store_reads_unsynchronized, false},
    {"ReadBeforeAnAsynchronousStoreIsDone", Kind::async_store, writes, Kind::plain, reads, shared,
     nothing, Says::read_before_async_store_done},
    {"WriteBeforeAnAsynchronousStoreIsDone", Kind::async_store, writes, Kind::plain, writes, shared,
     nothing, Says::write_during_async_store},
};

const std::vector<Row> after_stores{
    {"ReadOfAnUnawaitedStore", Kind::store, writes, Kind::plain, reads, global, nothing,
     Says::read_of_unawaited_store},
    {"WriteOverAnUnawaitedStore", Kind::store, writes, Kind::plain, writes, global, nothing,
     Says::write_over_unawaited_store},
    {"WriteToTheSourceBeforeItIsRead", Kind::store, reads, Kind::plain, writes, shared, issued,
     Says::store_source_overwritten},
    {"WriteThatTheStoreDoesNotKnowOf", Kind::store, reads, Kind::plain, writes, shared, nothing,
     Says::store_reads_unsynchronized, false},
    {"WriteToTheSourceAfterTheWait", Kind::store, reads, Kind::plain, writes, shared, ordered, {}},
};

const std::vector<Row> sources{
    {"StoreOfUnsynchronizedBytes", Kind::plain, writes, Kind::store, reads, shared, nothing,
     Says::store_reads_unsynchronized},
    {"StoreOfUnfencedBytes", Kind::plain, writes, Kind::store, reads, shared, ordered,
     Says::store_reads_unfenced},
    {"StoreOfFencedBytes", Kind::plain, writes, Kind::store, reads, shared, fenced, {}},
    {"StoreOfCopiedBytesWithoutAFence", Kind::copy, writes, Kind::store, reads, shared, ordered,
     Says::store_reads_copy_unfenced},
    {"StoreOfBytesThatAreBeingCopied", Kind::copy, writes, Kind::store, reads, shared, nothing,
     Says::store_reads_copy_in_flight},
    {"StoreOfBytesOfAnAsynchronousStoreUnderWay", Kind::async_store, writes, Kind::store, reads,
     shared, nothing, Says::store_reads_store_in_flight},
    {"ProductOfAsynchronouslyStoredBytesWithoutAFence", Kind::async_store, writes, Kind::product,
     reads, shared, ordered, Says::product_reads_copy_unfenced},
    {"ProductOfATileThatIsLoading", Kind::load, writes, Kind::product, reads, shared, nothing,
     Says::product_reads_loading_tile},
    {"ProductOfBytesThatAreBeingCopied", Kind::copy, writes, Kind::product, reads, shared, nothing,
     Says::product_reads_copy_in_flight},
    {"ProductOfBytesOfAnAsynchronousStoreUnderWay", Kind::async_store, writes, Kind::product, reads,
     shared, nothing, Says::product_reads_store_in_flight},
    {"LoadOfUnsynchronizedGlobalMemory", Kind::plain, writes, Kind::load, reads, global, nothing,
     Says::race_of_read},
    {"LoadOfUnfencedGlobalMemory", Kind::plain, writes, Kind::load, reads, global, ordered,
     Says::load_reads_unfenced},
    {"LoadOfFencedGlobalMemory", Kind::plain, writes, Kind::load, reads, global, fenced, {}},
    {"CopyNeedsNoProxyFence", Kind::plain, writes, Kind::copy, reads, global, ordered, {}},
    {"StoreOfATileThatIsLoading", Kind::load, writes, Kind::store, reads, shared, nothing,
     Says::store_reads_loading_tile},
    {"StoreOfATileThatIsLoaded", Kind::load, writes, Kind::store, reads, shared, ordered, {}},
    {"LoadOfAnUnawaitedStore", Kind::store, writes, Kind::load, reads, global, nothing,
     Says::load_of_unawaited_store},
    {"LoadOfAnAwaitedStore", Kind::store, writes, Kind::load, reads, global, ordered, {}},
};

const std::vector<Row> targets{
    {"LoadOverBytesThatAreStillRead", Kind::plain, reads, Kind::load, writes, shared, served,
     Says::load_over_unread_data},
    {"LoadOverBytesThatWereMeantToBeTheLoads", Kind::plain, reads, Kind::load, writes, shared,
     nothing, Says::read_before_load_done, false},
    {"LoadOverReadBytesWithoutAFence", Kind::plain, reads, Kind::load, writes, shared, ordered,
     Says::load_over_unfenced_reads},
    {"LoadOverFencedReads", Kind::plain, reads, Kind::load, writes, shared, fenced, {}},
    {"StoreOverReadBytesWithoutAFence", Kind::plain, reads, Kind::store, writes, global, ordered,
     Says::store_over_unfenced_reads},
    {"LoadOverRacingWrites", Kind::plain, writes, Kind::load, writes, shared, nothing,
     Says::write_during_load, false},
    {"CopyOverRacingWrites", Kind::plain, writes, Kind::copy, writes, shared, nothing,
     Says::write_during_copy, false},
    {"AsynchronousStoreOverRacingWrites", Kind::plain, writes, Kind::async_store, writes, shared,
     nothing, Says::write_during_async_store, false},
    {"LoadOverUnfencedWrites", Kind::plain, writes, Kind::load, writes, shared, ordered,
     Says::load_overwrites_unfenced},
    {"LoadOverFencedWrites", Kind::plain, writes, Kind::load, writes, shared, fenced, {}},
    {"StoreOverUnfencedWrites", Kind::plain, writes, Kind::store, writes, global, ordered,
     Says::store_overwrites_unfenced},
    {"LoadOverTheSourceOfAStore", Kind::store, reads, Kind::load, writes, shared, served,
     Says::load_overwrites_store_source},
    {"LoadOverTheSourceOfAStoreThatItKnows", Kind::store, reads, Kind::load, writes, shared, issued,
     Says::load_overwrites_store_source},
    {"StoreThatDoesNotWaitForTheLoadOfItsTile", Kind::store, reads, Kind::load, writes, shared,
     nothing, Says::store_reads_loading_tile, false},
    {"ProductThatDoesNotWaitForTheCopyOfItsTile", Kind::product, reads, Kind::copy, writes, shared,
     nothing, Says::product_reads_copy_in_flight, false},
    {"CopyOverTheSourceOfAProduct", Kind::product, reads, Kind::copy, writes, shared, served,
     Says::copy_overwrites_product_source},
    {"LoadOverTheSourceOfAProduct", Kind::product, reads, Kind::load, writes, shared, served,
     Says::load_overwrites_product_source},
    {"CopyOverTheSourceOfAStore", Kind::store, reads, Kind::copy, writes, shared, issued,
     Says::copy_overwrites_store_source},
    {"TwoCopiesToOnePlace", Kind::copy, writes, Kind::copy, writes, shared, nothing,
     Says::race_of_copies},
    {"LoadOverTheSourceOfAStoreThatIsRead",
     Kind::store,
     reads,
     Kind::load,
     writes,
     shared,
     ordered,
     {}},
    {"StoreOverTheSourceOfALoad", Kind::load, reads, Kind::store, writes, global, nothing,
     Says::write_to_load_source},
    {"TwoLoadsIntoOnePlace", Kind::load, writes, Kind::load, writes, shared, nothing,
     Says::overlapping_loads},
    {"TwoStoresToOnePlace", Kind::store, writes, Kind::store, writes, global, nothing,
     Says::overlapping_stores},
    {"LoadIntoBytesThatAreCopied", Kind::copy, writes, Kind::load, writes, shared, nothing,
     Says::write_during_copy},
    {"LoadIntoBytesThatAreStoredAsynchronously", Kind::async_store, writes, Kind::load, writes,
     shared, nothing, Says::write_during_async_store},
    {"LoadAfterALoad", Kind::load, writes, Kind::load, writes, shared, ordered, {}},
};

std::string name_of(const testing::TestParamInfo<Row>& row) {
  return row.param.name;
}
INSTANTIATE_TEST_SUITE_P(BetweenThreads, CheckConflict, testing::ValuesIn(between_threads),
                         name_of);
INSTANTIATE_TEST_SUITE_P(AfterCopies, CheckConflict, testing::ValuesIn(after_copies), name_of);
INSTANTIATE_TEST_SUITE_P(AfterLoads, CheckConflict, testing::ValuesIn(after_loads), name_of);
INSTANTIATE_TEST_SUITE_P(AfterStores, CheckConflict, testing::ValuesIn(after_stores), name_of);
INSTANTIATE_TEST_SUITE_P(Sources, CheckConflict, testing::ValuesIn(sources), name_of);
INSTANTIATE_TEST_SUITE_P(Targets, CheckConflict, testing::ValuesIn(targets), name_of);

// Every pair of two that may be in each other's way.
template <class Visit>
void for_each_pair(bool is_global, const Known& known, Visit visit) {
  constexpr std::array kinds{Kind::plain, Kind::copy, Kind::load, Kind::store, Kind::async_store};
  for (const Kind earlier : kinds) {
    for (const Kind now : kinds) {
      for (const Does first : {reads, writes}) {
        for (const Does second : {reads, writes}) {
          if (first == reads && second == reads) continue;
          visit(Row{"", earlier, first, now, second, is_global, known, {}});
        }
      }
    }
  }
}

// Whatever the kinds: what is ordered and fenced is right.
TEST(CheckConflict, NothingIsWrongWithWhatIsOrderedAndFenced) {
  for (const bool is_global : {false, true}) {
    for_each_pair(is_global, fenced, [](const Row& row) {
      EXPECT_FALSE(judged(row)) << static_cast<int>(row.earlier) << static_cast<int>(row.now);
    });
  }
}

// The engine's loads and cp.async only read global memory, its stores only write there.
bool happens_in_global_memory(Kind kind, Does does) {
  if (kind == Kind::plain) return true;
  return does == writes ? kind == Kind::store : kind == Kind::load || kind == Kind::copy;
}

// A note's bytes are those of shared memory.
TEST(CheckConflict, NoNoteAboutGlobalMemoryNamesBytesOfSharedMemory) {
  for (const Known& known : {nothing, ordered, issued, served}) {
    for_each_pair(global, known, [](const Row& row) {
      if (!happens_in_global_memory(row.earlier, row.earlier_does)) return;
      if (!happens_in_global_memory(row.now, row.now_does)) return;
      const auto verdict = judged(row);
      if (!verdict) return;
      EXPECT_EQ(entry_of(verdict->note).text.find("{bytes}"), std::string_view::npos)
          << static_cast<int>(row.earlier) << static_cast<int>(row.now);
    });
  }
}

// --- What the kinds alone do not say ---

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
