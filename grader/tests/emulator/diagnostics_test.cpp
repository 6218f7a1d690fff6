// Which findings of a launch are reported, in which order, and how often they were.
#include "emulator/diagnostics/diagnostics.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "contract/rendering/terminal_text.h"
#include "tests/emulator/kernel_of_lines.h"

namespace tmaemu {
namespace {

using namespace kernel_of_lines;

TEST(Diagnostics, TellsAFindingOfOneLineOnceWithItsNumber) {
  KernelOfLines kernel({41});
  Listener listener;
  Diagnostics diagnostics(kernel.program, kernel.request, listener);
  for (int i = 0; i < 3; ++i) diagnostics.report(store(0));
  diagnostics.finish();
  EXPECT_EQ(lines(listener), (Lines{41}));
  EXPECT_EQ(listener.counts, (ReportCounts{{0, 3}}));
}

void report_in_launches(int launches, const KernelOfLines& kernel, Listener& listener) {
  for (int i = 0; i < launches; ++i) {
    Diagnostics diagnostics(kernel.program, kernel.request, listener);
    diagnostics.report(store(0));
    diagnostics.finish();
  }
}

TEST(Diagnostics, TellsAFindingOfManyLaunchesOnceWithItsNumberAtTheEnd) {
  const KernelOfLines kernel({41});
  MergingListener listener;
  report_in_launches(3, kernel, listener);
  EXPECT_EQ(lines(listener), (Lines{41}));
  EXPECT_EQ(listener.counts, ReportCounts{});
  known_findings().tell(listener);
  EXPECT_EQ(listener.counts, (ReportCounts{{0, 3}}));
  known_findings().tell(listener);
  EXPECT_EQ(listener.counts.size(), 1U) << "nothing was found since";
}

TEST(Diagnostics, TellsAFindingOfEachLaunchToWhoAsksForEach) {
  const KernelOfLines kernel({41});
  Listener listener;
  report_in_launches(3, kernel, listener);
  EXPECT_EQ(lines(listener), (Lines{41, 41, 41}));
}

// The compiler unrolls a loop: one line becomes several instructions.
TEST(Diagnostics, TellsAnUnrolledLineOnce) {
  KernelOfLines kernel({41, 41, 41, 50});
  Listener listener;
  Diagnostics diagnostics(kernel.program, kernel.request, listener);
  for (const std::uint32_t site : {0u, 1u, 2u, 3u}) diagnostics.report(store(site));
  diagnostics.finish();
  EXPECT_EQ(lines(listener), (Lines{41, 50}));
  EXPECT_EQ(listener.counts, (ReportCounts{{0, 3}}));
}

TEST(Diagnostics, TellsAnUnrolledLineOnceAcrossClusters) {
  KernelOfLines kernel({41, 41});
  Listener listener;
  Diagnostics diagnostics(kernel.program, kernel.request, listener);
  diagnostics.report(store(0, 1));
  diagnostics.report(store(1, 1));
  diagnostics.report(store(1, 0));
  diagnostics.cluster_ended(0);
  diagnostics.cluster_ended(1);
  diagnostics.finish();
  EXPECT_EQ(lines(listener), (Lines{41}));
  EXPECT_EQ(listener.reported[0].thread->block[0], 0U);
  EXPECT_EQ(listener.counts, (ReportCounts{{0, 3}}));
}

TEST(Diagnostics, TellsInstructionsWithoutLinesApart) {
  KernelOfLines kernel({0, 0});
  Listener listener;
  Diagnostics diagnostics(kernel.program, kernel.request, listener);
  diagnostics.report(store(0));
  diagnostics.report(store(1));
  EXPECT_EQ(lines(listener), (Lines{1, 2}));
  EXPECT_TRUE(listener.reported[0].place->is_ptx);
  EXPECT_EQ(text_of(listener.reported[0].place.value()), "kernel (PTX line 1)");
}

TEST(Diagnostics, TellsTwoMistakesOfOneLine) {
  KernelOfLines kernel({41});
  Listener listener;
  Diagnostics diagnostics(kernel.program, kernel.request, listener);
  Finding other = store(0);
  other.sentence = Sentence::store_reads_unsynchronized;
  diagnostics.report(store(0));
  diagnostics.report(other);
  EXPECT_EQ(lines(listener), (Lines{41, 41}));
}

TEST(Diagnostics, TellsClustersInTheGridsOrder) {
  KernelOfLines kernel({41, 50});
  Listener listener;
  Diagnostics diagnostics(kernel.program, kernel.request, listener);
  diagnostics.report(store(1, 2));
  diagnostics.cluster_ended(2);
  diagnostics.cluster_ended(1);
  EXPECT_TRUE(listener.reported.empty());
  diagnostics.report(store(0, 0));
  diagnostics.cluster_ended(0);
  EXPECT_EQ(lines(listener), (Lines{41, 50}));
}

TEST(Diagnostics, TellsNothingOfClustersBehindAFault) {
  KernelOfLines kernel({41, 50});
  Listener listener;
  Diagnostics diagnostics(kernel.program, kernel.request, listener);
  diagnostics.report(store(1, 2));
  diagnostics.cluster_ended(2);
  diagnostics.fault(store(0, 0));  // so cluster 0 never ends, and 1 might as well not have run
  diagnostics.finish();
  EXPECT_EQ(lines(listener), (Lines{41}));
}

TEST(Diagnostics, CountsWhatTheOutputDoesNotTake) {
  KernelOfLines kernel({41, 50});
  Listener listener(1);
  Diagnostics diagnostics(kernel.program, kernel.request, listener);
  const std::uint64_t before = findings_reported();
  for (const std::uint32_t site : {0u, 1u, 1u}) diagnostics.report(store(site));
  diagnostics.finish();
  EXPECT_EQ(findings_reported() - before, 2U);
  EXPECT_EQ(lines(listener), (Lines{41}));
  EXPECT_TRUE(listener.counts.empty());
}

TEST(Diagnostics, FillsASentenceWithItsValuesAndItsRule) {
  KernelOfLines kernel({41});
  Listener listener;
  Finding finding{Sentence::barrier_number, {17u}};
  Finding rule{Sentence::tensor_map_invalid};
  rule.cta = {0, 0, 0};
  rule.rule = "boxDim[0] = 0 is not in 1..256";
  Diagnostics diagnostics(kernel.program, kernel.request, listener);
  diagnostics.report(rule);
  diagnostics.fault(finding);
  EXPECT_EQ(listener.reported.at(0).message,
            "the TMA instruction is given no valid tensor map: boxDim[0] = 0 is not in 1..256");
  EXPECT_EQ(listener.reported[0].rule, rule.rule);
  EXPECT_EQ(listener.reported.at(1).message, "barrier 17 does not exist; a CTA has 16, 0 to 15");
}

TEST(Diagnostics, NeverLetsAProgramsWordsRunOnOrOff) {
  KernelOfLines kernel({41});
  kernel.program.shared_variables = {{"\033[2J\xFF" + std::string(100'000, 'x'), 0, 64, "tile"}};
  Listener listener;
  Finding finding{Sentence::assertion_failed,
                  {std::string(1'000'000, 'a'), 1, "b\nerror: forged [trap]", "", "\xC3"}};
  finding.bytes = {0, 16};
  Diagnostics(kernel.program, kernel.request, listener).fault(finding);
  const Diagnostic& reported = listener.reported.at(0);
  EXPECT_LT(reported.message.size(), 2000U);
  EXPECT_EQ(reported.message.find('\n'), std::string::npos);
  EXPECT_LT(reported.bytes->of.size(), 200U);
  EXPECT_EQ(reported.bytes->of.find('\033'), std::string::npos);
}

TEST(Diagnostics, TellsWaitersOfAnUnrolledLineTogether) {
  KernelOfLines kernel({54, 54, 60});
  Listener listener;
  Finding deadlock{Sentence::all_threads_wait};
  const MbarrierWait wait{0, false, true, false, 1, 2, 0};
  deadlock.waiters = {{0, {}, {0, 1}, 32, wait},
                      {1, {}, {0, 2}, 16, wait},
                      {2, {}, {0, 3}, 1, wait},
                      {2, {}, {0, 4}, 1, ClusterBarrierWait{}}};
  Diagnostics(kernel.program, kernel.request, listener).fault(deadlock);
  const auto& waiters = listener.reported.at(0).waiters;
  ASSERT_EQ(waiters.size(), 3U);
  EXPECT_EQ(waiters[0].threads, 48U);
  EXPECT_EQ(waiters[0].first.thread[0], 1U);
}

}  // namespace
}  // namespace tmaemu
