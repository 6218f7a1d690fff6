// A kernel that has no end, and a limit of its time.
#include <gtest/gtest.h>

#include "tests/emulator/kernel_run.h"

namespace tmaemu {
namespace {

using std::chrono::hours;
using std::chrono::milliseconds;

constexpr const char* endless = "LOOP: add.u32 %b, %b, 1;\nbra LOOP;\n";

// The first thread that still runs.
StillRunning first_of(const KernelResult& result) {
  EXPECT_TRUE(result.still_running);
  return result.still_running.value_or(StillRunning{});
}

TEST(TimeLimit, EndsALoopWithoutEndAndSaysWhereItIs) {
  const KernelResult result = run_kernel({.body = endless, .time_limit = milliseconds(20)});
  EXPECT_FALSE(result.fault);
  const std::string& line = result.still_running_line;
  EXPECT_TRUE(line.ends_with("add.u32 %b, %b, 1;") || line.ends_with("bra LOOP;")) << line;
  EXPECT_GT(first_of(result).instructions, 1000U);
}

TEST(TimeLimit, NamesAThreadThatRunsAndNotOneThatWaitsForIt) {
  const std::string body = "setp.lt.u32 %p, %thread, 32;\n@%p bra MEET;\n" + std::string(endless) +
                           "MEET: bar.sync 0;\n";
  const KernelResult result =
      run_kernel({.body = body, .threads = 64, .time_limit = milliseconds(20)});
  EXPECT_EQ(first_of(result).thread.index, 32);
}

TEST(TimeLimit, EndsTheClustersOfAllHostThreads) {
  const KernelResult result = run_kernel({.body = endless,
                                          .ctas = 64,
                                          .host_threads = 4,
                                          .observed = false,
                                          .time_limit = milliseconds(20)});
  EXPECT_TRUE(result.still_running);
}

TEST(TimeLimit, KeepsWhatWasFoundBefore) {
  const std::string body =
      "@%leader st.shared.u32 [%tile], %thread;\nld.shared.u32 %b, [%tile];\n" +
      std::string(endless);
  const KernelResult result =
      run_kernel({.body = body, .threads = 64, .checked = true, .time_limit = milliseconds(20)});
  EXPECT_TRUE(result.still_running);
  ASSERT_FALSE(result.findings.empty());
  EXPECT_EQ(result.findings.front(), "data-race");
}

TEST(TimeLimit, ChangesNothingForAKernelThatEnds) {
  const KernelResult result =
      run_kernel({.body = "mov.u32 %b, 7;\nst.global.u32 [%out], %b;\n", .time_limit = hours(1)});
  EXPECT_FALSE(result.fault);
  EXPECT_FALSE(result.still_running);
  EXPECT_EQ(result.output.front(), 7U);
}

TEST(TimeLimit, LeavesADeadlockADeadlock) {
  const std::string body =
      "@!%leader bra SYNC;\nmbarrier.init.shared.b64 [%bar], 1;\nSYNC: bar.sync 0;\n"
      "WAIT: mbarrier.try_wait.parity.shared.b64 %p, [%bar], 0;\n@!%p bra WAIT;\n";
  const KernelResult result = run_kernel({.body = body, .time_limit = hours(1)});
  ASSERT_TRUE(result.fault);
  EXPECT_EQ(result.fault->code().name, std::string("deadlock"));
  EXPECT_FALSE(result.still_running);
}

}  // namespace
}  // namespace tmaemu
