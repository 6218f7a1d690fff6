// A set of bytes: each counts once.
#include "emulator/memory/coverage.h"

#include <gtest/gtest.h>

#include <latch>
#include <thread>

namespace tmaemu {
namespace {

TEST(Coverage, CountsBytesThatComeAgainOnce) {
  Coverage coverage(4096);
  coverage.add(64, 128);
  coverage.add(128, 128);
  EXPECT_EQ(coverage.bytes(), 192u);
}

TEST(Coverage, HasEveryByteOfPiecesOfAnySize) {
  for (std::size_t offset = 0; offset < 3072; offset += 16) {
    for (const std::size_t size : {16, 1008, 1024, 1040, 4096}) {
      Coverage coverage(8192);
      coverage.add(offset, size);
      EXPECT_EQ(coverage.bytes(), size) << offset;
    }
  }
}

TEST(Coverage, CountsTheRestOfTheSixteenBytesInWhichARowEnds) {
  Coverage coverage(100);
  coverage.add(80, 20);
  EXPECT_EQ(coverage.bytes(), 32u);
}

TEST(Coverage, LosesNothingBetweenHostThreads) {
  constexpr std::size_t size = 16 << 20;
  Coverage coverage(size);
  std::latch both(2);
  const auto add_every_second = [&](std::size_t first) {
    both.arrive_and_wait();
    for (std::size_t at = first; at < size; at += 32) coverage.add(at, 16);
  };
  {
    const std::jthread other(add_every_second, 16);
    add_every_second(0);
  }
  EXPECT_EQ(coverage.bytes(), size);
}

}  // namespace
}  // namespace tmaemu
