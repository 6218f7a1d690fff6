#include "judge/process/child_process.h"

#include <gtest/gtest.h>
#include <sys/mman.h>

#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "judge/process/watchdog.h"

namespace {

using judge::ChildProcess;

ChildProcess started(const std::vector<std::string>& command) {
  auto child = ChildProcess::start(command, {});
  EXPECT_TRUE(child.ok()) << child.error().message;
  return std::move(child).value();
}

// The kernel lets go of who spawns a moment earlier. What the watchdog saw then was the judge's
// memory, and more than a runner may have.
TEST(ChildProcess, HasMemoryOfItsOwnWhenItHasStarted) {
  constexpr std::size_t bytes = std::size_t{64} << 20;
  void* const ours =
      mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  ASSERT_NE(ours, MAP_FAILED);
  std::memset(ours, 1, bytes);
  for (int i = 0; i < 200; ++i) {
    ChildProcess child = started({"/bin/sleep", "60"});
    EXPECT_LT(judge::usage_of_tree(child.pid()).memory_bytes, bytes);
    child.kill();
  }
  munmap(ours, bytes);
}

TEST(ChildProcess, ThatEndsAtOnceHasStarted) {
  ChildProcess child = started({"/bin/true"});
  child.kill();
}

TEST(ChildProcess, ThatIsNoProgramIsNamed) {
  const auto child = ChildProcess::start({"/no/such program"}, {});
  ASSERT_FALSE(child.ok());
  EXPECT_NE(child.error().message.find("/no/such program"), std::string::npos);
}

}  // namespace
