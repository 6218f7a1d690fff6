#include "judge/arrays/lengths.h"

#include <gtest/gtest.h>

#include <set>

#include "checks/grader_lengths.h"

namespace {

std::set<std::size_t> tails(const std::vector<std::size_t>& lengths, std::size_t per_vector) {
  std::set<std::size_t> found;
  for (const std::size_t length : lengths) found.insert(length % per_vector);
  return found;
}

TEST(Lengths, AreShortWithEveryTail) {
  EXPECT_EQ(judge::short_lengths(2), (std::vector<std::size_t>{0, 1, 2, 3}));
}

TEST(Lengths, GoBeyondATileWithEveryTail) {
  const std::vector<std::size_t> lengths = judge::lengths_beyond_tile(1024, 8);
  EXPECT_EQ(std::set(lengths.begin(), lengths.end()).size(), 16U);
  EXPECT_EQ(tails({lengths.begin(), lengths.begin() + 8}, 8).size(), 8U);
  EXPECT_EQ(tails({lengths.begin() + 8, lengths.end()}, 8).size(), 8U);
  EXPECT_GT(lengths.front(), 1024U);
}

TEST(Lengths, AreParametersBesideOthers) {
  EXPECT_EQ(judge::with_lengths<std::size_t>({1, 2}, {9}), (std::vector<std::size_t>{1, 2, 9}));
}

}  // namespace
