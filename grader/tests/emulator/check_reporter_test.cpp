// In which order the findings of a cluster are told, and which of them are not.
#include <gtest/gtest.h>

#include "contract/findings/sentences.h"
#include "emulator/check/reporter.h"
#include "tests/emulator/finding_log.h"

namespace tmaemu::check {
namespace {

using Codes = std::vector<std::string>;

class CheckReporter : public testing::Test {
 protected:
  // At one instruction; `other`: that the note is about.
  void report(Sentence sentence, std::uint32_t site, std::uint32_t other) {
    Finding finding{sentence, {}, site};
    finding.notes.push_back({NoteSentence::written_by, other});
    reporter.report(finding);
  }
  Codes told() {
    reporter.finish(
        {.is_one_line = [](std::uint32_t one, std::uint32_t two) { return one == two; }});
    return log.codes();
  }

  FindingLog log;
  Reporter reporter{log};
};

TEST_F(CheckReporter, CausesAreToldBeforeWhatTheyLeadTo) {
  report(Sentence::race_of_read, 1, 2);
  report(Sentence::operation_before_initialization, 3, 4);
  report(Sentence::wait_for_stage_returned_again, 5, 6);
  report(Sentence::barrier_in_divergent_code, 7, 8);
  report(Sentence::access_outside_variable, 9, 9);
  EXPECT_EQ(told(), (Codes{"out-of-bounds", "divergent-barrier", "wait-wrong-parity",
                           "missing-barrier-init-fence", "data-race"}));
}

TEST_F(CheckReporter, OfOneRankTheOneThatWasFoundFirstIsToldFirst) {
  report(Sentence::race_of_writes, 1, 2);
  report(Sentence::race_of_read, 3, 4);
  told();
  EXPECT_EQ(log.findings.front().site, 1u);
}

// Who writes into a tile that is being loaded meets those who read the tile, too.
TEST_F(CheckReporter, ARaceWithAWriteDuringALoadIsNotTold) {
  report(Sentence::race_of_read, 1, 2);
  report(Sentence::write_during_load, 2, 3);
  report(Sentence::race_of_read, 4, 5);
  EXPECT_EQ(told(), (Codes{"write-during-load", "data-race"}));
  EXPECT_EQ(log.findings.back().site, 4u);
}

// A barrier of all warps orders lanes of one, too; `__syncwarp()` orders no others.
TEST_F(CheckReporter, ARaceOfLanesAndOfWarpsIsToldOfWarps) {
  const auto race = [&](std::uint32_t site, std::uint16_t other) {
    Finding finding{Sentence::race_of_read, {}, site};
    finding.notes.push_back({NoteSentence::written_by, 2, {0, 0, 0}, {0, other}});
    if (!reporter.is_known(finding)) reporter.report(finding);
  };
  race(1, 1);
  race(1, 64);
  race(1, 65);
  EXPECT_EQ(told(), Codes{"data-race"});
  EXPECT_EQ(log.findings.front().notes.front().thread.index, 64u);
}

TEST_F(CheckReporter, WhatIsAddedToByTwoThreadsIsToldAsTwoWrites) {
  report(Sentence::race_of_read, 1, 1);
  report(Sentence::race_of_writes, 1, 1);
  EXPECT_EQ(told(), Codes{"data-race"});
  EXPECT_EQ(log.findings.front().sentence, Sentence::race_of_writes);
}

TEST_F(CheckReporter, OfAStageThatIsLoadedAgainUnaskedNothingElseIsTold) {
  report(Sentence::load_into_stage_in_use, 1, 1);
  report(Sentence::overlapping_loads, 1, 1);
  report(Sentence::cta_ends_before_load_landed, 1, 1);
  EXPECT_EQ(told(), Codes{"load-over-unread-data"});
}

// The phase ends before the last arrival, so who waits for it goes on too early.
TEST_F(CheckReporter, ARaceBehindAPhaseThatCountsTooFewArrivalsIsNotTold) {
  report(Sentence::race_with_lanes, 1, 2);
  report(Sentence::race_of_read, 3, 4);
  report(Sentence::arrival_beyond_count_of_lap, 5, 6);
  EXPECT_EQ(told(), Codes{"arrival-overflow"});
}

// They initialize the mbarrier and issue the operation, and both lack `if (threadIdx.x == 0)`.
TEST_F(CheckReporter, WhatAllThreadsIssueIsToldBesideWhatAllInitialize) {
  report(Sentence::mbarrier_used_before_initialization, 1, 2);
  report(Sentence::mbarrier_initialized_by_all, 2, 2);
  report(Sentence::issued_twice, 3, 3);
  EXPECT_EQ(told(), (Codes{"barrier-reinit", "divergent-issue", "missing-barrier-init-fence"}));
}

TEST_F(CheckReporter, ASuspicionIsWithdrawnForACauseThatIsASuspicionItself) {
  reporter.suspect({Sentence::overlapping_loads, {}, 1});
  reporter.suspect({Sentence::load_over_unread_data, {}, 1});
  EXPECT_EQ(told(), Codes{"load-over-unread-data"});
}

TEST_F(CheckReporter, ALoadOverDataIsNotReportedWhereItsReaderDoesNotWaitForItAtAll) {
  const auto suspect = [&](Sentence sentence, std::uint32_t site, std::uint32_t other) {
    Finding finding{sentence, {}, site};
    finding.notes.push_back({NoteSentence::read_here, other});
    reporter.suspect(finding);
  };
  suspect(Sentence::load_over_unread_data, 1, 2);
  suspect(Sentence::read_before_load_done, 2, 1);
  EXPECT_EQ(told(), Codes{"read-before-wait"});
}

TEST_F(CheckReporter, WhatIsWithdrawnExplainsNothing) {
  reporter.suspect({Sentence::load_over_unread_data, {}, 1}, {.operation = 7});
  reporter.note(Fact::operation_reported, 7);
  reporter.suspect({Sentence::overlapping_loads, {}, 1});
  EXPECT_EQ(told(), Codes{"overlapping-tma-writes"});
}

TEST_F(CheckReporter, WhatIsLeftOutStillExplains) {
  report(Sentence::read_before_copy_done, 1, 2);
  report(Sentence::load_over_unread_data, 2, 1);  // left out for that
  reporter.suspect({Sentence::overlapping_loads, {}, 2});
  EXPECT_EQ(told(), Codes{"read-before-wait"});
}

TEST_F(CheckReporter, OfTwoThatOnlyOthersExplainBothAreReported) {
  reporter.suspect({Sentence::phase_passed_waiting_thread, {}, 1});
  reporter.suspect({Sentence::phase_passed_waiting_thread, {}, 2});
  EXPECT_EQ(told(), (Codes{"phase-overrun", "phase-overrun"}));
}

}  // namespace
}  // namespace tmaemu::check
