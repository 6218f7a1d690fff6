// Matrix instructions are for whole warps, and what sm_90a has not is refused by its name.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "contract/findings/sentences.h"
#include "tests/emulator/decoded_kernel.h"
#include "tests/emulator/kernel_run.h"

namespace tmaemu::testing {
namespace {

// Sixteen products of ones: every element of D is 16.
constexpr const char* declarations =
    ".reg .b32 %ones, %d0, %d1, %zero, %lane, %count;\n.reg .pred %ready, %low;\n"
    "mov.u32 %ones, 0x01010101;\nmov.u32 %zero, 0;\nmov.u32 %lane, %laneid;\n"
    "mov.u32 %d0, 0;\nsetp.lt.u32 %low, %lane, 16;\n";
constexpr const char* multiplication =
    "mma.sync.aligned.m8n8k16.row.col.s32.s8.s8.s32 {%d0, %d1}, {%ones}, {%ones}, {%zero, "
    "%zero};\n";
constexpr const char* end = "st.global.u32 [%out], %d0;\n";

KernelResult run(const std::string& body, bool checked = false) {
  KernelRun run;
  run.body = declarations + body + end;
  run.checked = checked;
  return run_kernel(run);
}

TEST(WholeWarp, WaitsForLanesThatAreOnTheirWay) {
  const KernelResult result =
      run("mul.lo.u32 %count, %lane, 300;\n"
          "LOOP:\nsetp.eq.u32 %ready, %count, 0;\n@%ready bra DONE;\n"
          "sub.u32 %count, %count, 1;\nbra LOOP;\nDONE:\n" +
          std::string(multiplication));
  EXPECT_FALSE(result.fault);
  EXPECT_EQ(result.output, std::vector<std::uint32_t>(32, 16));
}

TEST(WholeWarp, IsNotThereWhereLanesHaveEnded) {
  const KernelResult result = run("@%low ret;\n" + std::string(multiplication));
  ASSERT_TRUE(result.fault);
  EXPECT_EQ(result.fault->sentence, Sentence::part_of_warp);
}

TEST(WholeWarp, IsNotThereWhereLanesAreAtAnotherMultiplication) {
  const KernelResult result = run("@%low bra OTHER;\n" + std::string(multiplication) +
                                  "bra DONE;\nOTHER:\n" + multiplication + "DONE:\n");
  ASSERT_TRUE(result.fault);
  EXPECT_EQ(result.fault->sentence, Sentence::part_of_warp);
}

// PTX ISA, "tensormap.cp_fenceproxy": .sync.aligned, too.
TEST(WholeWarp, IsNotThereWhereHalfOfItCopiesATensorMap) {
  const KernelResult result =
      run("@%low ret;\n"
          "tensormap.cp_fenceproxy.global.shared::cta.tensormap::generic.release.gpu.sync.aligned "
          "[%out], [%tile], 128;\n");
  ASSERT_TRUE(result.fault);
  EXPECT_EQ(result.fault->sentence, Sentence::part_of_warp);
}

TEST(WholeWarp, OfAGuardThatHoldsForAllOfThemMultiplies) {
  const KernelResult result =
      run("setp.lt.u32 %low, %lane, 32;\n@%low " + std::string(multiplication));
  EXPECT_EQ(result.output, std::vector<std::uint32_t>(32, 16));
}

// --- Metadata ---

// 0x44444444: the first two elements of each four are kept. All but one nibble.
KernelResult run_sparse(const std::string& opcode, std::uint32_t metadata) {
  return run("mov.u32 %count, " + std::to_string(metadata) + ";\n" + opcode +
             ".sync.aligned.m16n8k32.row.col.s32.s8.s8.s32 {%d0, %d1, %d0, %d1}, {%ones, %ones}, "
             "{%ones, %ones}, {%zero, %zero, %zero, %zero}, %count, 1;\n");
}

TEST(SparseMetadata, KeepHalfOfTheElements) {
  const KernelResult result = run_sparse("mma.sp::ordered_metadata", 0x44444444);
  EXPECT_FALSE(result.fault);
  EXPECT_EQ(result.output, std::vector<std::uint32_t>(32, 16));
}

TEST(SparseMetadata, ThatNameAnElementTwiceAreUndefined) {
  for (const std::string opcode : {"mma.sp", "mma.sp::ordered_metadata"}) {
    const KernelResult result = run_sparse(opcode, 0x44454444);
    ASSERT_TRUE(result.fault) << opcode;
    EXPECT_EQ(result.fault->sentence, Sentence::sparse_metadata);
  }
}

TEST(SparseMetadata, ThatDescendAreUndefinedWhereTheyAreOrdered) {
  EXPECT_FALSE(run_sparse("mma.sp", 0x44144444).fault);
  EXPECT_TRUE(run_sparse("mma.sp::ordered_metadata", 0x44144444).fault);
}

// --- Refusals ---

void expect_refusal(const std::string& instruction, const std::string& reason) {
  EXPECT_NE(refusal_of(instruction).find(reason), std::string::npos)
      << instruction << ": " << refusal_of(instruction);
}

TEST(MatrixForms, ThatSm90aHasNotAreRefused) {
  const std::string factors = " {%r1, %r2, %r3, %r4}, {%r1, %r2, %r3, %r4}, {%r1, %r2}, ";
  const std::string operands = factors + "{%r1, %r2, %r3, %r4}";
  const std::string reason = "do not go together on sm_90a";
  expect_refusal("mma.sync.aligned.m16n8k16.row.col.f32.tf32.tf32.f32" + operands, reason);
  expect_refusal("mma.sync.aligned.m16n8k16.row.col.f32.f16.bf16.f32" + operands, reason);
  expect_refusal("mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f32" + operands, reason);
  expect_refusal("mma.sync.aligned.m16n8k32.row.col.s32.s8.s4.s32" + operands, reason);
  expect_refusal(
      "wmma.mma.sync.aligned.row.col.m8n8k32.s32.s4.u4.s32 {%r1, %r2}, {%r3}, {%r4}, "
      "{%r5, %r6}",
      reason);
  expect_refusal("wmma.load.a.sync.aligned.col.m8n8k32.s4 {%r1}, [%l2]", "less than a byte");
}

TEST(MatrixForms, OfVoltaAreRefused) {
  expect_refusal(
      "mma.sync.aligned.m8n8k4.row.col.f16.f16.f16.f16 {%r1, %r2, %r3, %r4}, {%r1, "
      "%r2}, {%r1, %r2}, {%r1, %r2, %r3, %r4}",
      "which no tensor core since Volta has");
}

TEST(MatrixForms, WithOtherNumbersOfRegistersAreRefused) {
  expect_refusal(
      "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%r1, %r2}, {%r1, %r2, %r3, "
      "%r4}, {%r1, %r2}, {%r1, %r2, %r3, %r4}",
      "number of registers");
}

TEST(MatrixForms, WithASelectorBeyondTheirThreadsAreRefused) {
  expect_refusal(
      "mma.sp.sync.aligned.m16n8k32.row.col.f32.f16.f16.f32 {%r1, %r2, %r3, %r4}, "
      "{%r1, %r2, %r3, %r4}, {%r1, %r2, %r3, %r4}, {%r1, %r2, %r3, %r4}, %r5, 2",
      "selector");
}

}  // namespace
}  // namespace tmaemu::testing
