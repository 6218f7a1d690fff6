// What a program leaves in global memory of its own and reads from there again: what a judge takes
// from the bytes that went through shared memory, if it may tell of an input.
#include <gtest/gtest.h>

#include <initializer_list>
#include <span>
#include <string>

#include "contract/protocol/measures.h"
#include "emulator/device/device.h"
#include "emulator/model/stream_order.h"
#include "tests/emulator/isa_test_support.h"
#include "tests/emulator/measured_kernel.h"

namespace tmaemu {
namespace {

constexpr const char* plain_load = ".reg .b32 %v;\nld.global.u32 %v, [%g];\n";
constexpr const char* plain_store = "st.global.u32 [%g], 7;\n";
constexpr const char* bulk_store =
    "cp.async.bulk.global.shared::cta.bulk_group [%g], [%t], 64;\n"
    "cp.async.bulk.commit_group;\ncp.async.bulk.wait_group 0;\n";

// A kernel that does this has read from an array of the judge's.
std::string knows(const ImportedBuffer& input) {
  return ".reg .b32 %i;\n.reg .b64 %a;\nmov.u64 %a, " + std::to_string(input.address()) +
         ";\nld.global.u32 %i, [%a];\n";
}

TEST(Measures, WhatIsReadFromTheProgramsOwnMemoryWhereItWasWrittenHasMadeADetour) {
  const ImportedBuffer input;
  const testing::DeviceBuffer own(64);
  const auto detoured = [&](const std::string& body) {
    return measured(Measure::detoured, own.address(), knows(input) + body);
  };
  const std::string bulk_load = init + load_to(0) + landed(64);
  EXPECT_EQ(detoured(bulk_load), 0u);
  EXPECT_EQ(detoured(std::string(bulk_store) + bulk_load), 64u);
  EXPECT_EQ(detoured(std::string(plain_store) + plain_load), 16u);
  EXPECT_EQ(detoured(std::string(plain_store) + plain_load + "ld.global.u32 %v, [%g];\n"), 16u);
}

TEST(Measures, ATableThatNobodyCouldMakeOfAnInputIsNoDetour) {
  const ImportedBuffer input;
  const testing::DeviceBuffer own(64);
  const auto detoured = [&](const std::string& body) {
    return measured(Measure::detoured, own.address(), body);
  };
  const std::string writes_and_reads = std::string(plain_store) + plain_load;
  EXPECT_EQ(detoured(writes_and_reads), 0u);
  EXPECT_EQ(detoured(writes_and_reads + knows(input)), 0u);
  EXPECT_EQ(detoured(std::string(plain_store) + knows(input) + plain_load), 0u);
  // Two clusters: the second one may have learned from the first one of an input.
  const std::string second =
      ".reg .b32 %c;\n.reg .pred %q;\nmov.u32 %c, %ctaid.x;\n"
      "setp.ne.u32 %q, %c, 0;\n@%q bra SECOND;\n";
  const std::string passes_on = second + knows(input) +
                                "st.global.u32 [%g], 1;\nbra END;\nSECOND:\n.reg .b32 %w;\n"
                                "ld.global.u32 %w, [%g];\nst.global.u32 [%g+32], %w;\n"
                                "ld.global.u32 %w, [%g+32];\nEND:\n";
  EXPECT_EQ(measured(Measure::detoured, own.address(), passes_on, {1, 1, 1}, {1, 1, 1}, 2), 32u);
}

TEST(Measures, WhatTheHostBringsIsNoDetourAndWhatACopyTakesFromAnArrayIsOne) {
  const ImportedBuffer input;
  const testing::DeviceBuffer own(64);
  using Use = StreamedBytes::Use;
  const StreamedBytes from_input{input.address(), 64, Use::read};
  const StreamedBytes to_own{own.address(), 64, Use::written};
  const auto detoured_after = [&](std::initializer_list<StreamedBytes> copy) {
    Device& device = Device::instance();
    device.start_measuring();
    device.measure_copy(copy);
    const std::uint64_t address = own.address();
    launch(".param .u64 p", std::as_bytes(std::span(&address, 1)),
           "ld.param.u64 %g, [p];\n" + std::string(plain_load));
    return device.measured()[index_of(Measure::detoured)];
  };
  EXPECT_EQ(detoured_after({to_own}), 0u);
  EXPECT_EQ(detoured_after({from_input, to_own}), 16u);
}

TEST(Measures, ACounterFromWhichManyThreadsDrawIsADetourOfSixteenBytes) {
  const ImportedBuffer input;
  const testing::DeviceBuffer own(64);
  const auto detoured = [&](const std::string& body) {
    return measured(Measure::detoured, own.address(), knows(input) + ".reg .b32 %v;\n" + body,
                    {1, 1, 1}, {32, 1, 1}, 8);
  };
  const std::string draw = "atom.global.add.u32 %v, [%g], 1;\n";
  EXPECT_EQ(detoured(draw + draw), 16u);
  // What atomics write to many places, and loads read there, may be a tile.
  const std::string own_place =
      "mov.u32 %v, %ctaid.x;\nmul.wide.u32 %s, %v, 16;\nadd.u64 %g, %g, %s;\n";
  EXPECT_EQ(measured(Measure::detoured, own.address(),
                     knows(input) + ".reg .b32 %v;\n" + own_place +
                         "atom.global.exch.b32 %v, [%g], 7;\n" + "ld.global.u32 %v, [%g];\n",
                     {1, 1, 1}, {1, 1, 1}, 4),
            64u);
}

TEST(Measures, WhatStaysInTheJudgesArraysMakesNoDetour) {
  const ImportedBuffer buffer;
  EXPECT_EQ(measured(Measure::detoured, buffer.address(), std::string(plain_store) + plain_load),
            0u);
}

}  // namespace
}  // namespace tmaemu
