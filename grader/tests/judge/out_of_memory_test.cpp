#include "judge/examine/out_of_memory.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

namespace {

using judge::Outcome;
using judge::OutOfMemoryWatch;
using judge::Verdict;

// What Linux would show in /proc/vmstat.
class OutOfMemory : public testing::Test {
 protected:
  OutOfMemory() { write(3); }
  ~OutOfMemory() override { std::filesystem::remove(file_); }
  void write(int kills) const {
    std::ofstream(file_) << "pgfault 12\noom_kill " << kills << "\nkswapd_inodesteal 0\n";
  }

  std::string file_ = testing::TempDir() + "vmstat-" + std::to_string(getpid());
  Outcome killed_{.verdict = Verdict::crash, .message = "SIGKILL", .was_killed = true};
};

TEST_F(OutOfMemory, ExplainsAProcessThatWasKilledMeanwhile) {
  const OutOfMemoryWatch watch(file_.c_str());
  write(4);
  EXPECT_TRUE(watch.explains(killed_));
}

TEST_F(OutOfMemory, ExplainsNoProcessThatEndedByItself) {
  const OutOfMemoryWatch watch(file_.c_str());
  write(4);
  EXPECT_FALSE(watch.explains({Verdict::crash, "SIGSEGV"}));
}

TEST_F(OutOfMemory, ExplainsNothingWhereTheKernelEndedNobody) {
  const OutOfMemoryWatch watch(file_.c_str());
  EXPECT_FALSE(watch.explains(killed_));
}

}  // namespace
