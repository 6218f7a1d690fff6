// One lane, a few, many and all 32 are each run by a loop of their own (emulator/isa/lanes.h):
// whichever lanes an instruction has, they have its result, and the others keep what they had.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <functional>
#include <random>
#include <string>
#include <vector>

#include "emulator/model/ids.h"
#include "tests/emulator/kernel_run.h"

namespace tmaemu {
namespace {

using Result = std::function<std::uint32_t(std::uint32_t lane)>;

constexpr std::uint32_t untouched = 77;

// Two masks with each number of lanes: the first ones, and any.
std::vector<LaneMask> masks() {
  std::mt19937 random(1);
  std::vector<LaneMask> found;
  for (unsigned count = 1; count <= warp_size; ++count) {
    const LaneMask first = all_lanes >> (warp_size - count);
    found.push_back(first);
    std::string bits(warp_size, '0');
    std::fill_n(bits.begin(), count, '1');
    std::ranges::shuffle(bits, random);
    found.push_back(static_cast<LaneMask>(std::stoul(bits, nullptr, 2)));
  }
  return found;
}

// `instruction` puts a result into %b; its lanes are those of %p, and %c is 100 more than the lane.
void expect_in_lanes(const std::string& instruction, const Result& result) {
  for (const LaneMask mask : masks()) {
    const std::string body = ".reg .pred %mine;\n.reg .b64 %wide;\nmov.u32 %b, " +
                             std::to_string(untouched) +
                             ";\nadd.u32 %c, %thread, 100;\nshr.u32 %a, " + std::to_string(mask) +
                             ", %thread;\nand.b32 %a, %a, 1;\nsetp.ne.u32 %mine, %a, 0;\n" +
                             instruction + "\nst.global.u32 [%out], %b;\n";
    const std::vector<std::uint32_t> output = run_kernel({.body = body}).output;
    for (std::uint32_t lane = 0; lane < warp_size; ++lane) {
      const bool is_mine = (mask >> lane & 1) != 0;
      ASSERT_EQ(output[lane], is_mine ? result(lane) : untouched)
          << instruction << ", lane " << lane << " of " << std::popcount(mask);
    }
  }
}

TEST(Lanes, HaveTheResultOfAnOperation) {
  expect_in_lanes("@%mine mul.lo.u32 %b, %c, %thread;",
                  [](std::uint32_t lane) { return (lane + 100) * lane; });
}

TEST(Lanes, MayOverwriteASource) {
  expect_in_lanes("@%mine add.u32 %b, %b, %c;",
                  [](std::uint32_t lane) { return untouched + lane + 100; });
}

TEST(Lanes, HaveTheResultOfAnOperationOnWiderWords) {
  expect_in_lanes(
      "mov.u64 %wide, 77;\n@%mine mul.wide.u32 %wide, %c, %thread;\ncvt.u32.u64 %b, %wide;",
      [](std::uint32_t lane) { return (lane + 100) * lane; });
}

TEST(Lanes, HaveTheOutcomeOfAComparison) {
  expect_in_lanes(
      "setp.eq.u32 %p, %thread, %thread;\n@%mine setp.gt.u32 %p, %c, 116;\n"
      "@%mine selp.u32 %b, 1, 0, %p;",
      [](std::uint32_t lane) { return lane > 16 ? 1U : 0U; });
}

TEST(Lanes, KeepAPredicateThatOthersCompareFor) {
  expect_in_lanes(
      "setp.eq.u32 %p, %thread, %thread;\n@!%mine setp.ne.u32 %p, %thread, %thread;\n"
      "@%p mov.u32 %b, %c;",
      [](std::uint32_t lane) { return lane + 100; });
}

TEST(Lanes, LoadAndStoreWhereverTheirAddressesLie) {
  expect_in_lanes(
      "mad.lo.u32 %a, %thread, 12, %tile;\n@%mine st.shared.u32 [%a], %c;\n"
      "@%mine ld.shared.u32 %b, [%a];",
      [](std::uint32_t lane) { return lane + 100; });
}

TEST(Lanes, LoadAndStoreWordsThatFollowEachOther) {
  expect_in_lanes(
      "mad.lo.u32 %a, %thread, 4, %tile;\n@%mine st.shared.u32 [%a], %c;\n"
      "@%mine ld.shared.u32 %b, [%a];",
      [](std::uint32_t lane) { return lane + 100; });
}

}  // namespace
}  // namespace tmaemu
