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
#include "tests/emulator/accesses_of_kinds.h"

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

}  // namespace
}  // namespace tmaemu::check
