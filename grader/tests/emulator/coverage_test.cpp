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

// A block of memory of which nothing is covered is not there: what lies across two of them is of
// both.
TEST(Coverage, GoesOnFromOneBlockToTheNext) {
  constexpr std::size_t size = 4 << 20;
  constexpr std::size_t block = size / 8;
  Coverage coverage(size);
  ASSERT_EQ(coverage.block_count(), 8u);
  coverage.add(3 * block - 32, 64);
  EXPECT_EQ(coverage.bytes(), 64u);
  EXPECT_EQ(coverage.bytes_outside(2 * block, 3 * block), 3 * block - 64);
  Coverage::Block words = {};
  EXPECT_FALSE(coverage.add_to(words, 1));
  EXPECT_TRUE(coverage.add_to(words, 2));
  EXPECT_TRUE(coverage.add_to(words, 3));
  EXPECT_EQ(words.front(), 3u);
  EXPECT_EQ(words.back(), std::uint64_t{3} << 62);
  EXPECT_EQ(coverage.take(0, size), 64u);
  EXPECT_EQ(coverage.bytes(), 0u);
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
