// Which reads of shared memory count as done while a load is under way.
#include <gtest/gtest.h>

#include <string>

#include "contract/protocol/measures.h"
#include "tests/emulator/isa_test_support.h"
#include "tests/emulator/measured_kernel.h"

namespace tmaemu {
namespace {

// 16 bytes at %g + 512 have come to %t + 512, by a copy that was waited for.
constexpr const char* tile_is_there =
    ".reg .b32 %v, %w, %x, %y;\ncp.async.cg.shared.global [%t+512], [%g+512], 16;\n"
    "cp.async.wait_all;\n";
constexpr const char* start_copy =
    "cp.async.cg.shared.global [%t], [%g], 16;\ncp.async.commit_group;\n";
constexpr const char* copy_is_there = "cp.async.wait_group 0;\n";

TEST(MeasuresOfOverlap, WhatIsReadFromSharedMemoryOverlapsALoadUntilItIsWaitedFor) {
  const ImportedBuffer buffer;
  const std::string start = tile_is_there + (init + load_to(0));
  EXPECT_EQ(measured(Measure::overlapped, buffer.address(),
                     start + "ld.shared.u32 %v, [%t+512];\n" + landed(64) +
                         "ld.shared.u32 %v, [%t+516];\n"),
            4u);
}

TEST(MeasuresOfOverlap, WhatIsReadFromSharedMemoryOverlapsCopiesUntilTheirGroupIsWaitedFor) {
  const ImportedBuffer buffer;
  EXPECT_EQ(measured(Measure::overlapped, buffer.address(),
                     std::string(tile_is_there) + start_copy + "ld.shared.u32 %v, [%t+512];\n" +
                         copy_is_there + "ld.shared.u32 %v, [%t+516];\n"),
            4u);
}

TEST(MeasuresOfOverlap, WhatAThreadHasCopiedOverlapsItsLaterGroup) {
  const ImportedBuffer buffer;
  EXPECT_EQ(measured(Measure::overlapped, buffer.address(),
                     ".reg .b32 %v;\ncp.async.ca.shared.global [%t], [%g+60], 4;\n"
                     "cp.async.commit_group;\ncp.async.ca.shared.global [%t+128], [%g+28], 4;\n"
                     "cp.async.commit_group;\ncp.async.wait_group 1;\nld.shared.u32 %v, [%t];\n"
                     "cp.async.wait_group 0;\nld.shared.u32 %v, [%t+128];\n"),
            4u);
}

// A tile that is turned around as it is loaded, a word a thread.
TEST(MeasuresOfOverlap, WhatAWarpHasCopiedInAnyOrderOverlapsItsLaterGroup) {
  const ImportedBuffer buffer;
  const std::string backward =
      ".reg .b32 %v, %l, %d;\n.reg .b64 %o, %q;\nmov.u32 %l, %laneid;\n"
      "mul.wide.u32 %o, %l, 4;\nadd.u64 %q, %g, 28;\nsub.u64 %q, %q, %o;\n"
      "shl.b32 %l, %l, 2;\nadd.u32 %d, %t, %l;\n"
      "cp.async.ca.shared.global [%d], [%q], 4;\ncp.async.commit_group;\n"
      "cp.async.ca.shared.global [%d+128], [%q+32], 4;\ncp.async.commit_group;\n"
      "cp.async.wait_group 1;\nld.shared.u32 %v, [%d];\n"
      "cp.async.wait_group 0;\nld.shared.u32 %v, [%d+128];\n";
  EXPECT_EQ(measured(Measure::overlapped, buffer.address(), backward, {1, 1, 1}, {8, 1, 1}), 32u);
}

TEST(MeasuresOfOverlap, WhatNoLoadHasBroughtIsReadForShow) {
  const ImportedBuffer buffer;
  const std::string read = "ld.shared.u32 %v, [%t+768];\n";
  EXPECT_EQ(measured(Measure::overlapped, buffer.address(),
                     tile_is_there + ("st.shared.u32 [%t+768], 7;\n" + (start_copy + read)) +
                         copy_is_there),
            0u);
}

TEST(MeasuresOfOverlap, WhatIsReadAgainIsReadForShow) {
  const ImportedBuffer buffer;
  const std::string read = "ld.shared.u32 %v, [%t+512];\n";
  EXPECT_EQ(measured(Measure::overlapped, buffer.address(),
                     tile_is_there + (read + start_copy) + read + copy_is_there),
            0u);
}

TEST(MeasuresOfOverlap, WhatALoadOfTheProgramsOwnMemoryHasBroughtIsReadForShow) {
  const ImportedBuffer buffer;
  const testing::DeviceBuffer own(16);
  const std::string body = ".reg .b32 %v;\nmov.u64 %s, " + std::to_string(own.address()) +
                           ";\nst.global.v4.u32 [%s], {1, 2, 3, 4};\n"
                           "cp.async.cg.shared.global [%t+512], [%s], 16;\ncp.async.wait_all;\n";
  EXPECT_EQ(measured(Measure::overlapped, buffer.address(),
                     body + start_copy + "ld.shared.u32 %v, [%t+512];\n" + copy_is_there),
            0u);
}

TEST(MeasuresOfOverlap, ALoadOfWhatWasAskedForBeforeOverlapsNothing) {
  const ImportedBuffer buffer;
  const std::string body = tile_is_there +
                           std::string(
                               "cp.async.cg.shared.global [%t], [%g], 16;\ncp.async.wait_all;\n"
                               "cp.async.cg.shared.global [%t+16], [%g], 16;\n"
                               "cp.async.commit_group;\nld.shared.u32 %v, [%t+512];\n") +
                           copy_is_there;
  EXPECT_EQ(measured(Measure::overlapped, buffer.address(), body), 0u);
}

TEST(MeasuresOfOverlap, NoMoreIsReadBesideALoadThanItBrings) {
  const ImportedBuffer buffer;
  const std::string body = tile_is_there +
                           std::string(
                               "cp.async.cg.shared.global [%t+528], [%g+528], 16;\n"
                               "cp.async.wait_all;\n") +
                           start_copy +
                           "ld.shared.v4.u32 {%v, %w, %x, %y}, [%t+512];\n"
                           "ld.shared.v4.u32 {%v, %w, %x, %y}, [%t+528];\n" +
                           copy_is_there;
  EXPECT_EQ(measured(Measure::overlapped, buffer.address(), body), 16u);
}

}  // namespace
}  // namespace tmaemu
