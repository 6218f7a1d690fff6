#include "judge/session/own_memory.h"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <string>

namespace judge {
namespace {

constexpr std::size_t limit = std::size_t{512} << 20;

void want(std::size_t bytes) {
  limit_own_memory(limit);
  std::string text(bytes, 'x');
  std::exit(text.back() == 'x' ? 0 : 1);
}

TEST(OwnMemory, EndsTheJudgeWithAStatusOfItsOwnWhereItWantsMore) {
  EXPECT_EXIT(want(2 * limit), testing::ExitedWithCode(out_of_own_memory_status),
              "more memory than it may have itself");
}

TEST(OwnMemory, IsEnoughForWhatIsBelow) {
  EXPECT_EXIT(want(limit / 4), testing::ExitedWithCode(0), "");
}

void leave_hard_limit_alone() {
  rlimit before{};
  getrlimit(RLIMIT_DATA, &before);
  limit_own_memory(limit);
  rlimit after{};
  getrlimit(RLIMIT_DATA, &after);
  std::exit(after.rlim_cur == limit && after.rlim_max == before.rlim_max ? 0 : 1);
}

TEST(OwnMemory, IsNoLimitOfASubmissions) {
  EXPECT_EXIT(leave_hard_limit_alone(), testing::ExitedWithCode(0), "");
}

}  // namespace
}  // namespace judge
