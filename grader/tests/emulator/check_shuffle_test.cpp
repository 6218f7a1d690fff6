// A shuffle that reads the value of a lane which takes no part.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/emulator/kernel_run.h"

namespace tmaemu {
namespace {

using Codes = std::vector<std::string>;

const Codes nothing;
const Codes divergent{"divergent-barrier"};

// By the first lanes of a warp; the others go around.
Codes found_of_lanes(unsigned lanes, const std::string& body) {
  KernelRun run;
  run.body = "mov.u32 %a, %thread;\nsetp.ge.u32 %p, %thread, " + std::to_string(lanes) +
             ";\n@%p bra AROUND;\n" + body + "AROUND:\n";
  run.checked = true;
  return run_kernel(run).findings;
}

// Each of the lanes adds what another one has: `mode` and how far away that is.
std::string add_other(const std::string& mode, unsigned distance, const std::string& members,
                      const std::string& segments = "31") {
  return "mov.u32 %c, " + segments + ";\nshfl.sync." + mode + ".b32 %b, %a, " +
         std::to_string(distance) + ", %c, " + members + ";\nadd.u32 %a, %a, %b;\n";
}
std::string tree(unsigned distance, const std::string& members) {
  std::string steps;
  for (; distance != 0; distance /= 2) steps += add_other("down", distance, members);
  return steps;
}

constexpr const char* store_of_first_lane =
    "setp.eq.u32 %p, %thread, 0;\n@!%p bra STORED;\nst.global.u32 [%out], %a;\nSTORED:\n";
constexpr const char* store_of_all = "st.global.u32 [%out], %a;\n";

TEST(CheckedShuffle, SumOfHalfAWarpThrowsAwayWhatItsLastLanesGet) {
  EXPECT_EQ(found_of_lanes(16, tree(8, "0xffff") + store_of_first_lane), nothing);
}

TEST(CheckedShuffle, SumOfHalfAWarpBeginsWithinIt) {
  EXPECT_EQ(found_of_lanes(16, tree(16, "0xffff") + store_of_first_lane), divergent);
}

TEST(CheckedShuffle, SumOfTwelveLanesGetsWhatIsBehindThem) {
  EXPECT_EQ(found_of_lanes(12, tree(8, "0xfff") + store_of_first_lane), divergent);
}

TEST(CheckedShuffle, WhatEachLaneKeepsComesFromALaneOfTheMask) {
  EXPECT_EQ(found_of_lanes(16, add_other("down", 1, "0xffff") + store_of_all), divergent);
}

TEST(CheckedShuffle, AllLanesOfAButterflyHaveTheResult) {
  const std::string sum = add_other("bfly", 16, "0xffff") + add_other("bfly", 8, "0xffff");
  EXPECT_EQ(found_of_lanes(16, sum + store_of_first_lane), divergent);
}

TEST(CheckedShuffle, EachSegmentOfAWarpHasAFirstLane) {
  // Of eight lanes each: the second one has four.
  const std::string segments = "0x181f";
  const std::string sum =
      add_other("down", 4, "0xfff", segments) + add_other("down", 2, "0xfff", segments);
  EXPECT_EQ(found_of_lanes(12, sum + store_of_first_lane), divergent);
}

}  // namespace
}  // namespace tmaemu
