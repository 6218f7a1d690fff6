#include "emulator/memory/global_memory.h"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <new>

namespace tmaemu {
namespace {

constexpr std::size_t mebibyte = std::size_t{1} << 20;

// In a process of its own, whose memory is limited: ends with 0 where the emulator still has some
// when a program has allocated all that it gets.
[[noreturn]] void allocate_all() {
  const rlimit limit{1024 * mebibyte, 1024 * mebibyte};
  if (setrlimit(RLIMIT_DATA, &limit) != 0) std::_Exit(2);
  GlobalMemory memory(std::uint64_t{141} << 30);
  std::uint64_t allocated = 0;
  for (std::size_t size = 4096 * mebibyte; size >= mebibyte; size /= 2) {
    while (memory.allocate(size)) allocated += size;
  }
  if (allocated < 512 * mebibyte) std::_Exit(3);
  const auto* own = new (std::nothrow) std::byte[64 * mebibyte];
  std::_Exit(own == nullptr ? 4 : 0);
}

TEST(GlobalMemory, LeavesTheEmulatorSomeOfALimitedProcesssMemory) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");  // this process may have a device already
  EXPECT_EXIT(allocate_all(), testing::ExitedWithCode(0), "");
}

}  // namespace
}  // namespace tmaemu
