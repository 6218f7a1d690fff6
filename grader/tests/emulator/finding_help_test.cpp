// The help of a finding: by which names, and where its two threads can meet.
#include <gtest/gtest.h>

#include "contract/findings/ptx_names.h"
#include "contract/findings/sentences.h"
#include "emulator/diagnostics/help.h"
#include "tests/emulator/decoded_program.h"

namespace tmaemu {
namespace {

TEST(HelpInPtx, NamesInstructionsForTheCoursesFunctions) {
  EXPECT_EQ(in_ptx("the thread calls async_proxy_fence() and waits with "
                   "tma_store_wait_until_pending_read<0>()"),
            "the thread executes fence.proxy.async and waits with cp.async.bulk.wait_group.read 0");
}

TEST(HelpInPtx, TakesTheLongerOfTwoNames) {
  EXPECT_EQ(in_ptx("async_proxy_fence_global()"), "fence.proxy.async.global");
}

TEST(HelpInPtx, NamesInstructionsForTheFunctionsOfWgmma) {
  EXPECT_EQ(in_ptx("wgmma_commit(), then wgmma_wait<0>() and accumulators_changed(d), before the "
                   "result is used"),
            "wgmma.commit_group, then wgmma.wait_group 0, before the result is used");
  EXPECT_EQ(in_ptx("wgmma_wait<N>(), and accumulators_changed(d), before warpgroup_arrive()"),
            "wgmma.wait_group N, before wgmma.fence");
}

TEST(HelpInPtx, LeavesTheRestAsItIs) {
  EXPECT_EQ(in_ptx("all lanes call __syncwarp() ({barrier})"),
            "all lanes call __syncwarp() ({barrier})");
}

// No help names a function of the course's interface that this table does not know.
TEST(HelpInPtx, KnowsEachFunctionThatAHelpNames) {
  for (const SentenceEntry& entry : finding_sentences()) {
    const std::string help = in_ptx(entry.help);
    for (const char* part : {"tma_store_", "async_proxy", "expect_bytes", "init_barrier(",
                             "cluster_arrive(", "cluster_wait(", "tensor_map_fence", "warpgroup_",
                             "wgmma_", "accumulators_changed", "make_smem_desc"}) {
      EXPECT_EQ(help.find(part), std::string::npos) << help;
    }
  }
}

// A race of two accesses: the first instruction, and another one.
class HelpOfARace : public ::testing::Test {
 protected:
  std::string help(const std::string& body, std::uint32_t other, ThreadId thread = {0, 64},
                   std::uint32_t cta = 0, Sentence sentence = Sentence::race_of_read) {
    const tmaemu::testing::DecodedText text(
        ".reg .b32 %r<5>;\n.reg .pred %p<2>;\n.shared .b32 tile[4];\n" + body);
    LaunchRequest request;
    request.grid.x = 4;
    request.cluster.x = 2;
    request.block.x = 128;
    Finding finding{sentence};
    finding.site = 1;
    finding.notes = {Note{NoteSentence::written_by, other, {cta, 0, 0}, thread}};
    return help_of(finding, Places(text.program(), request));
  }
  static bool names(const std::string& help, const char* words) {
    return help.find(words) != std::string::npos;
  }

  // Sites 1 and 2 follow one another; 1 and 4 are on two sides of a branch.
  const std::string in_line =
      "mov.u32 %r1, tile;\nld.shared.u32 %r2, [%r1];\nst.shared.u32 [%r1], %r2;\n";
  const std::string in_branches =
      "@%p1 bra OTHER;\nld.shared.u32 %r2, [%r1];\nbra END;\nmov.u32 %r3, %r4;\n"
      "OTHER:\nst.shared.u32 [%r1], %r2;\nEND:\n";
};

TEST_F(HelpOfARace, NamesABarrierOfAllWhereAllComeToBoth) {
  EXPECT_TRUE(names(help(in_line, 2), "(__syncthreads())"));
}

TEST_F(HelpOfARace, NamesNoBarrierOfAllWhereWarpsHaveRoles) {
  EXPECT_FALSE(names(help(in_branches, 4), "__syncthreads()"));
  EXPECT_TRUE(names(help(in_branches, 4), "a named barrier that counts those who come"));
}

TEST_F(HelpOfARace, NamesABarrierOfAllWhereTheWriterComesByAndNeedNotRead) {
  const std::string in_lines =
      ".file 1 \"kernel.cu\"\n"
      ".loc 1 5 0\n@%p1 bra OTHER;\n.loc 1 7 0\nld.shared.u32 %r2, [%r1];\nbra END;\n"
      "OTHER:\n.loc 1 5 0\nst.shared.u32 [%r1], %r2;\nEND:\n.loc 1 7 0\nmov.u32 %r3, %r2;\n";
  EXPECT_TRUE(names(help(in_lines, 3), "(__syncthreads())")) << help(in_lines, 3);
}

TEST_F(HelpOfARace, NamesTheWarpsBarrierForItsLanes) {
  EXPECT_TRUE(names(help(in_branches, 4, {0, 7}), "(__syncwarp())"));
}

TEST_F(HelpOfARace, NamesNoBarrierOfAWarpForWhatAWgmmaReads) {
  const std::string said = help(in_line, 2, {0, 7}, 0, Sentence::product_reads_unsynchronized);
  EXPECT_TRUE(names(said, "__syncthreads()")) << said;
}

TEST_F(HelpOfARace, NamesTheClustersBarrierForItsCtas) {
  EXPECT_TRUE(names(help(in_line, 2, {1, 64}, 1), "barrier.cluster.arrive"));
  EXPECT_FALSE(names(help(in_line, 2, {0, 64}, 2), "barrier.cluster.arrive"));
}

TEST_F(HelpOfARace, NamesTheClustersWaitWhereAProductOfAnotherCtaReads) {
  const Sentence overwrites = Sentence::load_overwrites_product_source;
  EXPECT_TRUE(names(help(in_line, 2, {1, 64}, 1, overwrites), "acquire.cluster"));
  EXPECT_FALSE(names(help(in_line, 2, {0, 64}, 0, overwrites), "acquire.cluster"));
}

}  // namespace
}  // namespace tmaemu
