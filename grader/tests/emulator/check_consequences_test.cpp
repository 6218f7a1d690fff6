// Which findings follow from others: the table of the checker, row by row.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <ostream>
#include <vector>

#include "contract/findings/sentences.h"
#include "emulator/check/consequences.h"

namespace tmaemu::check {
namespace {

using Says = Sentence;

// Instructions 10 to 19 are of one line, and so on.
constexpr std::uint32_t instructions_per_line = 10;
constexpr std::uint32_t mbarrier = 64;
constexpr PhaseOf phase{mbarrier, 3};
constexpr std::uint32_t operation = 5;

Finding finding_at(Sentence sentence, std::uint32_t site, std::uint32_t noted) {
  Finding finding{sentence, {}, site};
  finding.notes.push_back({NoteSentence::written_by, noted});
  return finding;
}

// A consequence at the instruction 11, with a note of 21, and what it follows from at two others.
struct Row {
  const char* name;
  Sentence sentence;
  Sentence cause;
  std::uint32_t cause_site;
  std::uint32_t cause_noted;
  std::optional<Then> then;  // nothing: it follows from nothing
};

void PrintTo(const Row& row, std::ostream* out) {
  *out << row.name;
}

class CheckConsequences : public testing::TestWithParam<Row> {
 protected:
  static FoundInCluster with(std::vector<Finding> reported,
                             std::vector<Suspicion> suspicions = {}) {
    const SameSource source{[](std::uint32_t one, std::uint32_t other) {
                              return one / instructions_per_line == other / instructions_per_line;
                            },
                            [](std::uint32_t one, std::uint32_t other) { return one == other; }};
    return {std::move(reported), std::move(suspicions), {}, source};
  }
  static std::optional<Then> end_of(const Finding& finding, const About& about,
                                    const FoundInCluster& found) {
    for (const Then then : {Then::is_withdrawn, Then::is_withdrawn_by_suspicion, Then::is_left_out,
                            Then::comes_beside}) {
      if (find_consequence(finding, about, then, found) != nullptr) return then;
    }
    return std::nullopt;
  }
};

TEST_P(CheckConsequences, FollowFromTheirCauses) {
  const Row& row = GetParam();
  const Finding cause = finding_at(row.cause, row.cause_site, row.cause_noted);
  const bool is_suspicion = row.then == Then::is_withdrawn_by_suspicion;
  const FoundInCluster found = is_suspicion ? with({}, {{cause, {}}}) : with({cause}, {});
  EXPECT_EQ(end_of(finding_at(row.sentence, 11, 21), {}, found), row.then);
}

constexpr auto withdrawn = Then::is_withdrawn;
constexpr auto by_suspicion = Then::is_withdrawn_by_suspicion;
constexpr auto left_out = Then::is_left_out;
constexpr std::optional<Then> nothing{};

const std::vector<Row> rows{
    {"AbsentLaneOfThoseThatWentAround", Says::absent_lane_read, Says::lanes_went_around, 11, 0,
     withdrawn},
    {"LoadIntoAStageThatIsHandedBackTwice", Says::load_into_stage_in_use,
     Says::arrival_beyond_count, 90, 0, left_out},
    {"LoadIntoAStageBehindAnArrivalByWhichPhasesPassWaits", Says::load_into_stage_in_use,
     Says::phase_passed_waiting_thread, 90, 21, by_suspicion},
    {"LoadIntoAStageBehindAnotherArrival", Says::load_into_stage_in_use,
     Says::phase_passed_waiting_thread, 90, 95, nothing},
    {"LoadOverReadsOfLanesOfAStageThatIsHandedBackTwice", Says::load_over_reads_of_lanes,
     Says::arrival_beyond_count, 90, 0, left_out},
    {"BytesAnnouncedByWhoseStagesAreHandedBackTwice", Says::announced_behind_arrivals,
     Says::arrival_beyond_count, 90, 0, left_out},
    {"StoreOfATileThatNobodyWaitsFor", Says::store_reads_loading_tile, Says::read_before_load_done,
     90, 21, left_out},
    {"StoreOfAnotherTileThatIsLoaded", Says::store_reads_loading_tile, Says::read_before_load_done,
     90, 95, nothing},
    {"UninitializedBesideOneThatMayBe", Says::mbarrier_uninitialized,
     Says::mbarrier_used_before_initialization, 90, 0, left_out},
    {"NeverWrittenBehindAnUnseenInitialization", Says::shared_never_written,
     Says::mbarrier_used_before_initialization, 90, 0, left_out},
    {"CopySourceOverwrittenBehindAWrongWait", Says::copy_source_overwritten,
     Says::wait_returned_for_past_phase, 90, 0, left_out},
    {"StoreAtAnEndBehindAWrongWait", Says::cta_ends_before_store_read,
     Says::wait_returned_for_past_phase, 90, 0, left_out},
    {"AbsentLaneElsewhere", Says::absent_lane_read, Says::lanes_went_around, 12, 0, nothing},
    {"OverlapOfALoadOverUnreadData", Says::overlapping_loads, Says::load_over_unread_data, 11, 0,
     withdrawn},
    {"OverlapWhoseNoteIsOfALoadOverUnreadData", Says::overlapping_loads,
     Says::load_over_unread_data, 21, 0, withdrawn},
    {"OverlapElsewhere", Says::overlapping_loads, Says::load_over_unread_data, 12, 0, nothing},
    {"OverlapOfStores", Says::overlapping_stores, Says::load_over_unread_data, 11, 0, withdrawn},
    {"OverlapOfStoresOfCtas", Says::overlapping_stores_of_ctas, Says::load_over_unread_data, 11, 0,
     withdrawn},
    {"OverlapOfReductions", Says::reductions_of_two_kinds, Says::load_over_unread_data, 11, 0,
     withdrawn},
    {"OperationIssuedAgain", Says::issued_again, Says::load_over_unread_data, 11, 0, withdrawn},
    {"OperationIssuedAgainByWhoDoesNotWait", Says::issued_again, Says::wait_for_passed_parity, 90,
     0, left_out},
    {"OperationIssuedTwice", Says::issued_twice, Says::load_over_unread_data, 11, 0, withdrawn},
    {"OverlapBehindAWaitForAPastPhase", Says::overlapping_loads, Says::wait_returned_for_past_phase,
     90, 0, withdrawn},
    {"OverlapWithoutAnnouncedBytes", Says::overlapping_loads, Says::no_bytes_announced, 90, 0,
     withdrawn},
    {"OverlapWithTooFewAnnouncedBytes", Says::overlapping_loads, Says::fewer_bytes_announced, 90, 0,
     withdrawn},
    {"OverlapOfUncommittedCopies", Says::overlapping_loads, Says::copies_not_committed, 90, 0,
     withdrawn},
    {"OverlapBesideTooManyBytes", Says::overlapping_loads, Says::more_bytes_announced, 90, 0,
     nothing},
    {"ArrivalOfOneLapBesideAProducerThatGoesOnTooEarly", Says::arrival_beyond_count_of_lap,
     Says::load_into_stage_in_use, 90, 0, nothing},
    {"LoadOverAStageThatIsGivenBackTooOften", Says::load_into_stage_in_use,
     Says::arrival_beyond_count_of_lap, 90, 0, left_out},
    {"LoadOverAStageThatIsHandedBackTwice", Says::load_over_unread_data, Says::arrival_beyond_count,
     90, 0, left_out},
    {"BytesOfAProducerWhoseStagesAreGivenBackTooOften", Says::more_bytes_announced,
     Says::arrival_beyond_count_of_lap, 90, 0, left_out},
    {"CopyOverAStageThatIsReadTooSoon", Says::race_of_copies, Says::read_before_copy_done, 21, 11,
     withdrawn},
    {"BytesAtAnMbarrierThatIsNotYetInitialized", Says::more_bytes_announced,
     Says::mbarrier_used_before_initialization, 90, 0, left_out},
    {"WaitAtAnMbarrierThatIsNotYetInitialized", Says::wait_for_stage_unused,
     Says::mbarrier_uninitialized, 90, 0, left_out},
    {"UnwrittenByWhomItRacesWith", Says::shared_never_written, Says::race_of_writes, 12, 90,
     left_out},
    {"UnwrittenBehindAWaitForAPastPhase", Says::shared_never_written,
     Says::wait_returned_for_past_phase, 90, 0, left_out},
    {"LoadOverAStageThatIsReadTooSoon", Says::load_into_stage_in_use,
     Says::product_reads_loading_tile, 21, 11, withdrawn},
    {"LoadOverAStageWhereAnotherIsReadTooSoon", Says::load_into_stage_in_use,
     Says::product_reads_loading_tile, 90, 91, nothing},
    {"UnwrittenFactorBesideTwoLoadsIntoOnePlace", Says::product_reads_unwritten,
     Says::overlapping_loads, 90, 0, left_out},
    {"LoadOverAFactorBehindAWaitForAPastPhase", Says::load_overwrites_product_source,
     Says::wait_returned_for_past_phase, 90, 0, left_out},
    {"ArrivalOfAConsumerThatDoesNotWait", Says::mbarrier_arrivals, Says::read_before_load_done, 90,
     0, withdrawn},
    {"ArrivalOfAStorerThatDoesNotWait", Says::mbarrier_arrivals, Says::store_reads_loading_tile, 90,
     0, withdrawn},
    {"LoadByAllWithTooFewAnnouncedBytes", Says::issued_twice, Says::fewer_bytes_announced, 90, 0,
     nothing},
    {"LoadOfTheNextLapWhereAllLoad", Says::overlapping_loads, Says::issued_twice, 11, 0, withdrawn},
    {"LoadElsewhereWhereAllLoad", Says::overlapping_loads, Says::issued_twice, 12, 0, nothing},
    {"ReadOfAPhaseThatWasOverBeforeItsBytesWereAnnounced", Says::read_before_load_done,
     Says::announced_behind_arrivals, 90, 0, withdrawn},
    {"LoadOverWhatIsReadInAPhaseThatWasOverBeforeItsBytesWereAnnounced",
     Says::load_over_unread_data, Says::announced_behind_arrivals, 90, 0, left_out},
    {"ReadOfALoadThatIsIssuedTwice", Says::read_before_load_done, Says::issued_twice, 21, 0,
     left_out},
    {"ReadOfAnotherLoadThanIsIssuedTwice", Says::read_before_load_done, Says::issued_twice, 31, 0,
     nothing},
    {"BytesOfAProducerThatNeverBegins", Says::more_bytes_announced, Says::wait_for_stage_unused, 90,
     0, withdrawn},
    {"RaceBehindABarrierOfTwoGroups", Says::race_of_read, Says::barrier_of_two_groups, 90, 0,
     left_out},
    {"StoreBehindABarrierOfTwoGroups", Says::store_reads_unsynchronized,
     Says::barrier_of_two_groups, 90, 0, left_out},
    {"ReadOfALoadThatIsNotAnnounced", Says::read_before_load_done, Says::no_bytes_announced, 22, 0,
     left_out},
    {"ReadOfAnotherLoadThanIsNotAnnounced", Says::read_before_load_done, Says::no_bytes_announced,
     90, 0, nothing},
    {"ReadOfACopyThatArrivesBeyondTheCount", Says::read_before_copy_done,
     Says::copies_arrive_beyond_count, 90, 0, left_out},
    {"StepsOfAnUnfitDescriptor", Says::matrix_steps_overlap, Says::matrix_of_another_swizzle, 11, 0,
     withdrawn},
    {"StepsBesideAnUnfitDescriptor", Says::matrix_steps_overlap, Says::matrix_of_another_swizzle,
     90, 0, nothing},
    {"StoreOfUnwrittenBytesThatDoesNotWait", Says::store_source_never_written,
     Says::store_reads_loading_tile, 12, 90, left_out},
    {"ArrivalOfThoseWhoseStoresOverlap", Says::arrival_beyond_count, Says::overlapping_stores, 90,
     0, nothing},
    {"FreshTargetOfWhatIsReported", Says::reduction_onto_fresh_memory, Says::race_of_writes, 11, 0,
     withdrawn},
    {"FreshTargetOfWhatIsNoted", Says::reduction_onto_fresh_memory, Says::race_of_writes, 90, 11,
     withdrawn},
    {"FreshTargetElsewhere", Says::reduction_onto_fresh_memory, Says::race_of_writes, 90, 91,
     nothing},
    {"AccessThatOutlivesTheCtaOfWhatIsReported", Says::access_outlives_cta, Says::race_of_writes,
     11, 0, withdrawn},
    {"PassedPhaseBesideAnything", Says::phase_passed_waiting_thread, Says::race_of_writes, 90, 91,
     withdrawn},
    {"WaitThatMayReturnEarlyBesideAnything", Says::wait_may_return_early,
     Says::read_before_copy_done, 90, 91, withdrawn},
    {"PassedPhaseBesideAnother", Says::phase_passed_waiting_thread,
     Says::phase_passed_waiting_thread, 90, 91, nothing},
    {"LoadOverWhatIsReadTooSoon", Says::load_over_unread_data, Says::read_before_load_done, 21, 11,
     by_suspicion},
    {"LoadOverWhatIsReadTooSoonAfterACopy", Says::load_over_unread_data,
     Says::read_before_copy_done, 21, 11, left_out},
    {"LoadOverWhatAnotherReadsTooSoonAfterACopy", Says::load_over_unread_data,
     Says::read_before_copy_done, 32, 11, nothing},
    {"LoadOverWhatIsReadTooSoonAfterAnotherCopy", Says::load_over_unread_data,
     Says::read_before_copy_done, 21, 32, left_out},
    {"LoadWhereSomethingElseIsReadTooSoonAfterACopy", Says::load_over_unread_data,
     Says::read_before_copy_done, 31, 32, nothing},
    {"LoadOverWhatACopyOfTheReadReadsTooSoon", Says::load_over_unread_data,
     Says::read_before_load_done, 22, 12, by_suspicion},
    {"RaceWithAWriteDuringALoad", Says::race_of_read, Says::write_during_load, 21, 0, left_out},
    {"RaceOfAWriteDuringALoad", Says::race_of_writes, Says::write_during_load, 11, 0, left_out},
    {"RaceOfCtasWithAWriteDuringALoad", Says::race_of_read_by_ctas, Says::write_during_load, 21, 0,
     left_out},
    {"RaceOfWritesOfCtasDuringALoad", Says::race_of_writes_by_ctas, Says::write_during_load, 21, 0,
     left_out},
    {"RaceElsewhere", Says::race_of_read, Says::write_during_load, 22, 11, nothing},
    {"UnwrittenOnALineThatReadsTooSoon", Says::shared_never_written, Says::read_before_load_done,
     12, 90, left_out},
    {"UnwrittenOnALineThatReadsACopyTooSoon", Says::shared_never_written,
     Says::read_before_copy_done, 12, 90, left_out},
    {"UnwrittenOnAnotherLine", Says::shared_never_written, Says::read_before_load_done, 20, 90,
     nothing},
    {"WriteOnALineThatReadsTooSoon", Says::write_during_load, Says::read_before_load_done, 12, 22,
     left_out},
    {"WriteOnALineThatReadsAnotherLoadTooSoon", Says::write_during_load,
     Says::read_before_load_done, 12, 30, nothing},
    {"WriteOnAnotherLineThanTheRead", Says::write_during_load, Says::read_before_load_done, 20, 22,
     nothing},
    {"BarrierOfTheCtaThatIsDivergentInAWarp", Says::barrier_at_two_lines,
     Says::barrier_in_divergent_code, 11, 0, left_out},
    {"BarrierOfTheCtaElsewhere", Says::barrier_at_two_lines, Says::barrier_in_divergent_code, 12, 0,
     nothing},
    {"IssueByAllBesideInitializationsByAll", Says::issued_twice, Says::mbarrier_initialized_by_all,
     90, 91, Then::comes_beside},
    {"OneLoadTooManyByInitializationsByAll", Says::issued_again, Says::mbarrier_initialized_by_all,
     90, 91, nothing},
    {"LoadOverAStageBehindAWaitForAPastPhase", Says::load_over_unread_data,
     Says::wait_returned_for_past_phase, 90, 0, left_out},
    {"WaitInVainOfWhomAReaderHasDeceived", Says::wait_for_passed_parity,
     Says::read_before_load_done, 90, 0, left_out},
    {"BytesOfAPhaseIntoWhichTheNextLapHasCome", Says::more_bytes_announced,
     Says::load_into_stage_in_use, 90, 0, left_out},
    {"BytesBesideAnArrivalTooMany", Says::more_bytes_announced, Says::mbarrier_arrivals, 90, 0,
     left_out},
    {"EndBeforeALoadOfWhomReadsTooSoon", Says::cta_ends_before_load_landed,
     Says::read_before_load_done, 90, 0, left_out},
    {"EndOfWhoSendsACopyThatIsNotAwaited", Says::cta_ends_before_copy_read,
     Says::cta_ends_before_copy_landed, 11, 0, left_out},
    {"EndOfWhoSendsAnotherCopyThanIsNotAwaited", Says::cta_ends_before_copy_read,
     Says::cta_ends_before_copy_landed, 90, 0, nothing},
    {"WriteDuringALoadThatIsIssuedTwice", Says::write_during_load, Says::issued_again, 90, 0,
     left_out},
    {"LoadOverReadsOfASlowThreadBehindAStoreThatDoesNotWait", Says::load_over_unread_data,
     Says::store_reads_unsynchronized, 90, 22, left_out},
    {"LoadOverReadsOfAnotherLineThanIsStored", Says::load_over_unread_data,
     Says::store_reads_unsynchronized, 90, 31, nothing},
    {"LoadOverUnreadDataOfALoadOfWhichTooFewBytesAreAnnounced", Says::load_over_unread_data,
     Says::fewer_bytes_announced, 11, 0, left_out},
    {"LoadOverUnreadDataBesideAnotherOfWhichTooFewBytesAreAnnounced", Says::load_over_unread_data,
     Says::fewer_bytes_announced, 90, 0, nothing},
    {"StoreOfWhatIsWrittenTooSoon", Says::store_reads_unsynchronized, Says::read_before_load_done,
     22, 0, left_out},
    {"StoreOfWhatAnotherLineHasWritten", Says::store_reads_unsynchronized,
     Says::read_before_load_done, 31, 0, nothing},
    {"ArrivalOfWhoWaitsForNothing", Says::mbarrier_arrivals, Says::wait_for_passed_parity, 90, 0,
     left_out},
    {"StoredTileWrittenByWhoWaitsForNothing", Says::store_source_overwritten,
     Says::wait_for_passed_parity, 90, 0, left_out},
    {"CopySourceWrittenWhereACopyIsIssuedAgain", Says::copy_source_overwritten, Says::issued_again,
     90, 0, left_out},
    {"HandoverOfALaneWhereALoadIsIssuedAgain", Says::load_over_reads_of_lanes, Says::issued_again,
     90, 0, left_out},
    {"NextLapWhereALoadIsIssuedAgain", Says::load_into_stage_in_use, Says::issued_again, 90, 0,
     left_out},
    {"AnnouncementWhereALoadIsIssuedAgain", Says::more_bytes_announced, Says::issued_again, 90, 0,
     left_out},
    {"HandoverWhereTooFewBytesAreAnnounced", Says::stage_given_back_early,
     Says::fewer_bytes_announced, 90, 0, left_out},
    {"HandoverWhereBytesAreAnnouncedLate", Says::stage_given_back_early,
     Says::announced_behind_arrivals, 90, 0, left_out},
    {"HandoverToALoaderThatDoesNotWait", Says::stage_given_back_early, Says::load_over_unread_data,
     90, 22, left_out},
    {"HandoverToALoaderThatWaitsTooLate", Says::stage_given_back_early,
     Says::load_into_stage_in_use, 22, 0, left_out},
    {"HandoverOfALaneToALoaderThatWaitsTooLate", Says::load_over_reads_of_lanes,
     Says::load_into_stage_in_use, 22, 0, left_out},
    {"HandoverBesideAnotherLoaderThatWaitsTooLate", Says::stage_given_back_early,
     Says::load_into_stage_in_use, 31, 0, nothing},
    {"HandoverByAnArrivalByWhichPhasesPassWaits", Says::stage_given_back_early,
     Says::phase_passed_waiting_thread, 90, 11, by_suspicion},
    {"HandoverOfALaneByAnArrivalByWhichPhasesPassWaits", Says::load_over_reads_of_lanes,
     Says::phase_passed_waiting_thread, 90, 11, by_suspicion},
    {"HandoverByAnotherArrival", Says::stage_given_back_early, Says::phase_passed_waiting_thread,
     90, 95, nothing},
    {"HandoverByAnotherArrivalOfItsLine", Says::stage_given_back_early,
     Says::phase_passed_waiting_thread, 12, 12, nothing},
    {"HandoverBesideALoadOverOtherReads", Says::stage_given_back_early, Says::load_over_unread_data,
     90, 31, nothing},
    {"HandoverInFrontOfAReadThatIsTooSoon", Says::stage_given_back_early,
     Says::read_before_load_done, 21, 0, left_out},
    {"OverwriteOnALineThatReadsTooSoon", Says::store_source_overwritten,
     Says::read_before_load_done, 12, 90, left_out},
    {"RaceWithAStoreThatIsNotAwaited", Says::race_of_read, Says::read_of_unawaited_store, 11, 90,
     left_out},
    {"NoFindingIsItsOwnCause", Says::race_of_read, Says::race_of_read, 11, 21, nothing},
};

INSTANTIATE_TEST_SUITE_P(Rows, CheckConsequences, testing::ValuesIn(rows),
                         [](const testing::TestParamInfo<Row>& row) { return row.param.name; });

// Facts explain what is about the same thing.
class CheckFacts : public CheckConsequences {
 protected:
  static bool explains(Fact fact, std::uint64_t key, Sentence sentence, const About& about) {
    FoundInCluster found = with({});
    found.facts.emplace(fact, key);
    return end_of(finding_at(sentence, 11, 21), about, found) == withdrawn;
  }
};

TEST_F(CheckFacts, MayNameTheLineOfTheirCauseInAnyNote) {
  Finding handover = finding_at(Says::stage_given_back_early, 11, 21);
  handover.notes.push_back({NoteSentence::load_issued_here, 32});
  const FoundInCluster found = with({finding_at(Says::load_into_stage_in_use, 31, 0)});
  EXPECT_EQ(end_of(handover, {}, found), left_out);
}

TEST_F(CheckFacts, AReadThatIsServedLateExplainsThatNobodyHasWritten) {
  for (const Sentence sentence : {Says::shared_never_written, Says::store_source_never_written,
                                  Says::store_source_partly_written}) {
    EXPECT_TRUE(explains(Fact::read_served_late, 11, sentence, {}));
    EXPECT_FALSE(explains(Fact::read_served_late, 21, sentence, {}));
  }
  EXPECT_FALSE(explains(Fact::read_served_late, 11, Says::race_of_read, {}));
}

TEST_F(CheckFacts, AMisusedMbarrierExplainsWhateverIsAboutIt) {
  const About about{.mbarrier = mbarrier};
  EXPECT_TRUE(explains(Fact::mbarrier_misused, mbarrier, Says::arrival_beyond_count, about));
  EXPECT_FALSE(explains(Fact::mbarrier_misused, mbarrier + 8, Says::arrival_beyond_count, about));
  EXPECT_FALSE(explains(Fact::mbarrier_misused, 0, Says::arrival_beyond_count, {}));
}

TEST_F(CheckFacts, AStageThatIsLoadedTooOftenExplainsSurplusArrivalsAtItsMbarrier) {
  const About about{.mbarrier = mbarrier};
  EXPECT_TRUE(explains(Fact::loaded_too_often, mbarrier, Says::mbarrier_arrivals, about));
  EXPECT_FALSE(explains(Fact::loaded_too_often, mbarrier + 8, Says::mbarrier_arrivals, about));
  EXPECT_FALSE(explains(Fact::loaded_too_often, mbarrier, Says::more_bytes_announced, about));
}

TEST_F(CheckFacts, ALoadThatIsIssuedTwiceExplainsBytesThatNobodyAnnouncedAtItsMbarrier) {
  const About about{.mbarrier = mbarrier};
  EXPECT_TRUE(explains(Fact::load_repeated, mbarrier, Says::no_bytes_announced, about));
  EXPECT_FALSE(explains(Fact::load_repeated, mbarrier + 8, Says::no_bytes_announced, about));
}

TEST_F(CheckFacts, AStarvedPhaseExplainsWhateverIsAboutThatPhase) {
  const About about{.phase = phase};
  const PhaseOf next{phase.mbarrier, phase.phase + 1};
  EXPECT_TRUE(explains(Fact::phase_starved, key_of(phase), Says::read_before_load_done, about));
  EXPECT_FALSE(explains(Fact::phase_starved, key_of(next), Says::read_before_load_done, about));
  EXPECT_FALSE(explains(Fact::phase_starved, 0, Says::read_before_load_done, {}));
}

TEST_F(CheckFacts, AnOperationThatIsReportedExplainsWhateverIsAboutIt) {
  const About about{.operation = operation};
  const auto ends = Says::cta_ends_before_load_landed;
  EXPECT_TRUE(explains(Fact::operation_reported, operation, ends, about));
  EXPECT_FALSE(explains(Fact::operation_reported, operation + 1, ends, about));
  EXPECT_FALSE(explains(Fact::operation_reported, 0, ends, {}));
}

TEST_F(CheckFacts, WhoLoadsWithoutWaitingArrivesTooOftenWhereNobodyWaits) {
  const Finding arrival = finding_at(Sentence::arrival_beyond_count, 11, 21);
  for (const Sentence cause : {Sentence::overlapping_loads, Sentence::load_into_stage_in_use}) {
    FoundInCluster found = with({finding_at(cause, 90, 0)});
    EXPECT_EQ(end_of(arrival, {.mbarrier = mbarrier}, found), std::nullopt);
    found.facts = {{Fact::unawaited, mbarrier}};
    EXPECT_EQ(end_of(arrival, {.mbarrier = mbarrier}, found), Then::is_withdrawn);
  }
}

TEST_F(CheckFacts, WhoLoadsTooEarlyHidesAnMbarrierThatNobodyWaitsFor) {
  FoundInCluster found = with({finding_at(Says::load_over_unread_data, 90, 0)});
  const Finding use = finding_at(Says::mbarrier_uninitialized, 11, 21);
  EXPECT_EQ(end_of(use, {.mbarrier = mbarrier}, found), std::nullopt);
  found.facts = {{Fact::unawaited, mbarrier}};
  EXPECT_EQ(end_of(use, {.mbarrier = mbarrier}, found), withdrawn);
}

// --- The table itself ---

// Suspicions are decided from the lowest depth on, each by what is reported by then.
TEST(CheckConsequencesTable, CausesAreDecidedBeforeWhatFollowsFromThem) {
  for (const Consequence& row : consequences()) {
    if (row.then != Then::is_withdrawn) continue;
    for (const Sentence sentence : row.sentences) {
      for (const Sentence cause : row.causes) EXPECT_LT(depth_of(cause), depth_of(sentence));
    }
  }
}

TEST(CheckConsequencesTable, WhatAnythingExplainsIsDecidedLast) {
  for (const Consequence& row : consequences()) {
    for (const Sentence sentence : row.sentences) {
      EXPECT_LE(depth_of(sentence), depth_of(Says::reduction_onto_fresh_memory) + 1);
    }
  }
  EXPECT_LT(depth_of(Says::arrival_beyond_count), depth_of(Says::access_outlives_cta));
  EXPECT_LT(depth_of(Says::access_outlives_cta), depth_of(Says::phase_passed_waiting_thread));
}

}  // namespace
}  // namespace tmaemu::check
