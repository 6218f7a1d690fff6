// Jump tables, calls as PTX writes them, and instructions in which threads meet.
#include "tests/emulator/isa_test_support.h"

namespace tmaemu::testing {
namespace {

TEST(JumpTable, SendsEachLaneToItsTarget) {
  const Code code{
      "{ L: .branchtargets A, B, C;\nbrx.idx %a, L;\n"
      "A: mov.u32 %d, 10;\nbra E;\nB: mov.u32 %d, 20;\nbra E;\nC: mov.u32 %d, 30;\nE: }",
      4,
      {4}};
  EXPECT_EQ(run(code, {{0}, {2}, {1}, {0}, {2}}), (std::vector<Bits>{10, 30, 20, 10, 30}));
}

TEST(JumpTable, StopsTheKernelWhereTheIndexIsBeyondIt) {
  const Code code{"{ L: .branchtargets A, B;\nbrx.idx %a, L;\nA: mov.u32 %d, 1;\nB: }", 4, {4}};
  EXPECT_EQ(try_run(code, {{2}}).outcome, LaunchOutcome::illegal_instruction);
}

TEST(Stack, AllocationsFollowEachOtherAndAreTakenBack) {
  const Code code{
      "{ .reg .b64 %s, %p, %q, %r;\nstacksave.u64 %s;\nalloca.u64 %p, 24, 16;\n"
      "alloca.u64 %q, 8, 16;\nst.local.u64 [%q], 5;\nstackrestore.u64 %s;\n"
      "alloca.u64 %r, 8, 16;\nsub.u64 %q, %q, %p;\nsub.u64 %r, %r, %p;\n"
      "shl.b64 %q, %q, 8;\nor.b64 %d, %q, %r; }",
      8,
      {}};
  EXPECT_EQ(run_one(code, {}), 32u << 8);
}

TEST(Stack, OverflowIsAnIllegalAddress) {
  const Code code{"{ .reg .b64 %p;\nalloca.u64 %p, 1048576;\nmov.u64 %d, %p; }", 8, {}};
  EXPECT_EQ(try_run(code, {{}}).outcome, LaunchOutcome::illegal_address);
}

TEST(IndirectCall, OfAnAddressWithoutFunctionIsAnIllegalAddress) {
  const Code code{"{ P: .callprototype _ ();\nmov.u64 %d, 64;\ncall %d, P; }", 8, {}};
  EXPECT_EQ(try_run(code, {{}}).outcome, LaunchOutcome::illegal_address);
}

TEST(IndirectCall, OfAnAddressBetweenInstructionsIsAnInvalidProgramCounter) {
  const Code code{"{ P: .callprototype _ ();\nmov.u64 %d, 72;\ncall %d, P; }", 8, {}};
  EXPECT_EQ(try_run(code, {{}}).outcome, LaunchOutcome::invalid_program_counter);
}

TEST(BarrierReduction, CountsTheThreadsWhosePredicateHolds) {
  // 40 threads in two warps; the first arrives first and sleeps.
  const Code code{"setp.ne.u32 %p, %a, 0;\nbar.red.popc.u32 %d, 0, %p;", 4, {4}};
  const std::vector<Bits> results = run(code, {{1}, {0}, {7}, {1}});
  EXPECT_EQ(results, (std::vector<Bits>{3, 3, 3, 3}));
}

TEST(BarrierReduction, AndHoldsWhereAllHold) {
  const Code code{
      "setp.ne.u32 %p, %a, 9;\nbar.red.and.pred %q, 0, %p;\nselp.u32 %d, 1, 0, %q;", 4, {4}};
  EXPECT_EQ(run_one(code, {1}), 1u);
  EXPECT_EQ(run_one(code, {9}), 0u);
}

TEST(BarrierReduction, OrHoldsWhereOneHolds) {
  const Code code{
      "setp.eq.u32 %p, %a, 9;\nbar.red.or.pred %q, 0, %p;\nselp.u32 %d, 1, 0, %q;", 4, {4}};
  EXPECT_EQ(run_one(code, {1}), 0u);
  EXPECT_EQ(run_one(code, {9}), 1u);
}

TEST(Match, AnyNamesTheLanesWithTheSameValue) {
  const Code code{"activemask.b32 %n;\nmatch.any.sync.b32 %d, %a, %n;", 4, {4}};
  const std::vector<Bits> results = run(code, {{5}, {6}, {5}, {6}});
  EXPECT_EQ(results[0], 0b0101u);
  EXPECT_EQ(results[1], 0b1010u);
}

TEST(Match, AllNamesEveryLaneOrNone) {
  const Code code{
      "activemask.b32 %n;\nmatch.all.sync.b32 %d|%p, %a, %n;\n@%p xor.b32 %d, %d, 1;", 4, {4}};
  EXPECT_EQ(run_one(code, {0}), 0xFFFFFFFEu);
  EXPECT_EQ(run_one(code, {1}), 0u);
}

TEST(Atomics, OfHalfPairsAddBothHalves) {
  const Code code{
      "st.global.b32 [%out], %a;\nred.global.add.noftz.f16x2 [%out], %b;\n"
      "ld.global.b32 %d, [%out];",
      4,
      {4, 4}};
  EXPECT_EQ(run_one(code, {0x3C004000, 0x3C003C00}), 0x40004200u);  // 1, 2 and 1, 1
}

TEST(Atomics, OnGlobalMemoryFlushSubnormalFloats) {
  const Code code{
      "st.global.b32 [%out], %a;\nred.global.add.f32 [%out], %b;\n"
      "ld.global.b32 %d, [%out];",
      4,
      {4, 4}};
  EXPECT_EQ(run_one(code, {1, 1}), 0u);
}

TEST(Atomics, OfVectorsAddElementByElement) {
  const Code code{
      "{ .reg .b32 %x;\nmov.b64 {%n, %x}, %a;\nst.global.b64 [%out], %b;\n"
      "red.global.add.v2.f32 [%out], {%n, %x};\nld.global.b64 %d, [%out]; }",
      8,
      {8, 8}};
  EXPECT_EQ(
      run_one(code, {bits_of(1.0f) << 32 | bits_of(2.0f), bits_of(3.0f) << 32 | bits_of(5.0f)}),
      bits_of(4.0f) << 32 | bits_of(7.0f));
}

TEST(Atomics, ThatPtxDoesNotHaveAreRefused) {
  const Code code{"atom.global.add.b32 %d, [%out], %a;", 4, {4}};
  EXPECT_EQ(try_run(code, {{1}}).outcome, LaunchOutcome::not_modeled);
}

}  // namespace
}  // namespace tmaemu::testing
