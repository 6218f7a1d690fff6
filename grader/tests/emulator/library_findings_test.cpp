// Which findings in a library's own lines are left out.
#include <gtest/gtest.h>

#include <string>

#include "tests/emulator/kernel_of_lines.h"

namespace tmaemu {
namespace {

using namespace kernel_of_lines;

// Site 0 is inlined from that header at line 41, site 1 is of line 50.
struct WithHeader {
  explicit WithHeader(const std::string& header) {
    kernel.move_into(0, header);
    reports_library_findings() = false;  // as where nobody has asked for all
  }
  ~WithHeader() { reports_library_findings() = reported_them; }
  void report(Sentence sentence, std::uint32_t other) {
    Finding finding{sentence};
    finding.site = 0;
    finding.notes = {Note{NoteSentence::written_here, other}};
    Diagnostics(kernel.program, kernel.request, listener).report(finding);
  }
  const bool reported_them = reports_library_findings();
  KernelOfLines kernel{{41, 50}};
  Listener listener;
};
constexpr char merge_sort[] = "/toolkit/include/cccl/cub/block/block_merge_sort.cuh";
constexpr char exchange[] = "/toolkit/include/cub/warp/specializations/warp_exchange_smem.cuh";
constexpr char epilogue[] =
    "/wheel/include/cutlass/epilogue/collective/sm90_epilogue_tma_warpspecialized.hpp";

TEST(LibraryFindings, AreLeftOut) {
  WithHeader of(merge_sort);
  of.report(Sentence::shared_never_written, 1);
  EXPECT_EQ(of.listener.reported.size(), 0U);
  EXPECT_EQ(of.listener.left_out, 1);
}

TEST(LibraryFindings, AreReadsOfRowsOutsideOfTheMatrix) {
  WithHeader of("/wheel/include/cutlass/gemm/threadblock/mma_multistage.h");
  of.report(Sentence::shared_never_written, 1);
  EXPECT_EQ(of.listener.left_out, 1);
}

TEST(LibraryFindings, AreReportedToWhoAsksForAll) {
  WithHeader of(merge_sort);
  reports_library_findings() = true;
  of.report(Sentence::shared_never_written, 1);
  EXPECT_EQ(of.listener.reported.size(), 1U);
}

TEST(LibraryFindings, AreNotThoseOfOtherHeaders) {
  WithHeader of("/submission/my_block_merge_sort.cuh");
  of.report(Sentence::shared_never_written, 1);
  EXPECT_EQ(of.listener.reported.size(), 1U);
}

// Two uses of one TempStorage without a barrier in between.
TEST(LibraryFindings, AreNotTheProgramsOwnRacesInTheLibrary) {
  WithHeader of(merge_sort);
  of.report(Sentence::race_of_writes, 1);
  EXPECT_EQ(of.listener.reported.size(), 1U);
}

TEST(LibraryFindings, AreRacesOfOneLineThatScatters) {
  WithHeader of(exchange);
  of.report(Sentence::race_of_writes, 0);
  EXPECT_EQ(of.listener.reported.size(), 0U);
  of.report(Sentence::race_of_writes, 1);
  EXPECT_EQ(of.listener.reported.size(), 1U);
}

TEST(LibraryFindings, AreOneStoreThatAllLanesIssue) {
  WithHeader of(epilogue);
  of.report(Sentence::issued_twice, 0);
  EXPECT_EQ(of.listener.reported.size(), 0U);
  of.report(Sentence::issued_twice, 1);
  EXPECT_EQ(of.listener.reported.size(), 1U);
}

}  // namespace
}  // namespace tmaemu
