#include "common/split_mix.h"

#include <gtest/gtest.h>

namespace {

// The first numbers of the paper's own program from this seed, as other languages' libraries test.
TEST(SplitMix64, GivesItsAuthorsNumbers) {
  common::SplitMix64 numbers(1234567);
  EXPECT_EQ(numbers.next(), 6457827717110365317u);
  EXPECT_EQ(numbers.next(), 3203168211198807973u);
  EXPECT_EQ(numbers.next(), 9817491932198370423u);
}

}  // namespace
