// wgmma.mma_async: what it multiplies, and when. Every form and type is compared with a GPU by the
// conformance suite.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <string>

#include "contract/findings/sentences.h"
#include "tests/emulator/kernel_run.h"

namespace tmaemu {
namespace {

// Ones of f16 in all of the tile: A's 64 rows and B's 8 columns, without a swizzle.
const std::string ones =
    ".reg .b64 %da, %db;\n.reg .f32 %d<4>;\n"
    "mov.b32 %a, 0x3C003C00;\nshl.b32 %b, %thread, 5;\nadd.u32 %b, %b, %tile;\n"
    "st.shared.v4.b32 [%b], {%a, %a, %a, %a};\nst.shared.v4.b32 [%b+16], {%a, %a, %a, %a};\n"
    "shr.u32 %c, %tile, 4;\ncvt.u64.u32 %da, %c;\nadd.u64 %da, %da, 0x1000080000;\n"
    "add.u64 %db, %da, 128;\n"
    "mov.f32 %d0, 0f40000000;\nmov.f32 %d1, %d0;\nmov.f32 %d2, %d0;\nmov.f32 %d3, %d0;\n"
    "setp.eq.u32 %p, %thread, %thread;\n";
const std::string visible = "fence.proxy.async;\nbar.sync 0;\nwgmma.fence.sync.aligned;\n";
const std::string multiply =
    "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%d0, %d1, %d2, %d3}, %da, %db, %p, 1, 1, "
    "0, 0;\n";
const std::string commit = "wgmma.commit_group.sync.aligned;\n";
const std::string wait = "wgmma.wait_group.sync.aligned 0;\n";
const std::string store = "cvt.rzi.s32.f32 %a, %d0;\nst.global.u32 [%out], %a;\n";

// The tile becomes twos, also for the async proxy.
const std::string twos =
    "mov.b32 %a, 0x40004000;\nst.shared.v4.b32 [%b], {%a, %a, %a, %a};\n"
    "st.shared.v4.b32 [%b+16], {%a, %a, %a, %a};\nfence.proxy.async;\nbar.sync 0;\n";

constexpr TimingPolicy late{TimingPolicy::Kind::late};
constexpr TimingPolicy early{TimingPolicy::Kind::early};

KernelResult run_warpgroup(const std::string& body, TimingPolicy policy = late,
                           unsigned threads = 128, TurnedSigns turned = {}) {
  KernelRun run{.body = body, .threads = threads, .policy = policy, .turned_signs = turned};
  run.shared = ".shared .align 128 .b8 tile[4096];\n.shared .align 8 .b64 barrier;\n";
  return run_kernel(run);
}

std::uint32_t first_word(const KernelResult& result) {
  EXPECT_FALSE(result.fault);
  return result.output[0];
}

TEST(WarpgroupProduct, AddsToItsAccumulators) {
  for (const TimingPolicy& policy : {late, early}) {
    const auto result = run_warpgroup(ones + visible + multiply + commit + wait + store, policy);
    for (const std::uint32_t word : result.output) EXPECT_EQ(word, 18u);
  }
}

// ptxas lets each end before it goes on: `nvcc -G` keeps values in memory, and moves them there.
TEST(WarpgroupProduct, IsWaitedForInCodeForADebuggerWhereverTheWaitStands) {
  KernelRun run{.body = ones + visible + multiply + store + commit + wait, .threads = 128};
  run.policy = late;
  run.checked = true;
  const KernelResult usual = run_kernel(run);
  EXPECT_EQ(first_word(usual), 2u);
  EXPECT_EQ(usual.findings, std::vector<std::string>{"read-before-wait"});
  run.is_for_debugger = true;
  const KernelResult debugged = run_kernel(run);
  EXPECT_EQ(first_word(debugged), 18u);
  EXPECT_EQ(debugged.findings, std::vector<std::string>{});
}

TEST(WarpgroupProduct, MayUseInCodeForADebuggerWhatWasMovedBehindTheFence) {
  KernelRun run{.body = ones + visible + "add.f32 %d0, %d0, %d0;\n" + multiply + commit + wait,
                .threads = 128};
  run.checked = true;
  EXPECT_EQ(run_kernel(run).findings, std::vector<std::string>{"missing-wgmma-fence"});
  run.is_for_debugger = true;
  EXPECT_EQ(run_kernel(run).findings, std::vector<std::string>{});
}

TEST(WarpgroupProduct, DoesNotReadAccumulatorsThatItDoesNotAddTo) {
  const std::string none = "setp.ne.u32 %p, %thread, %thread;\nmov.f32 %d0, 0f7FC00000;\n";
  EXPECT_EQ(first_word(run_warpgroup(ones + none + visible + multiply + commit + wait + store)),
            16u);
}

TEST(WarpgroupProduct, NegatesOneFactorOrBoth) {
  const auto with = [&](const std::string& signs) {
    std::string negative = multiply;
    negative.replace(negative.find("1, 1, 0, 0"), 10, signs + ", 0, 0");
    return std::bit_cast<std::int32_t>(
        first_word(run_warpgroup(ones + visible + negative + commit + wait + store)));
  };
  EXPECT_EQ(with("-1, 1"), -14);
  EXPECT_EQ(with("1, -1"), -14);
  EXPECT_EQ(with("-1, -1"), 18);
}

TEST(WarpgroupProduct, TakesAFromRegisters) {
  const std::string from_registers =
      ".reg .b32 %x;\nmov.b32 %x, 0x42004200;\n"  // threes
      "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%d0, %d1, %d2, %d3}, {%x, %x, %x, %x}, "
      "%db, %p, 1, 1, 0;\n";
  EXPECT_EQ(first_word(run_warpgroup(ones + visible + from_registers + commit + wait + store)),
            50u);
}

// One with which the sign of a * b is turned, or is not.
std::uint32_t key_that(bool turns, float a, float b) {
  std::uint32_t key = 0;
  while (turns_sign(key, a, b) != turns) ++key;
  return key;
}

TEST(WarpgroupProduct, TurnsTheSignsOfPairsWhereItIsToldTo) {
  const std::string threes_in_registers =
      ".reg .b32 %x;\nmov.b32 %x, 0x42004200;\n"
      "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%d0, %d1, %d2, %d3}, {%x, %x, %x, %x}, "
      "%db, %p, 1, 1, 0;\n";
  // 32-byte swizzles: PTX ISA, "Matrix Descriptor Format", bits 63-62.
  const std::string of_b = "or.b64 %db, %db, 0xC000000000000000;\n";
  const std::string of_both = "or.b64 %da, %da, 0xC000000000000000;\n" + of_b;
  const auto sum = [&](const std::string& product, TurnedProducts products, std::uint32_t key) {
    return static_cast<std::int32_t>(
        first_word(run_warpgroup(ones + visible + product + commit + wait + store, late, 128,
                                 {.products = products, .key = key})));
  };
  const std::uint32_t turns = key_that(true, 1, 1), turns_not = key_that(false, 1, 1);
  EXPECT_EQ(sum(multiply, TurnedProducts::none, turns), 2 + 16);
  EXPECT_EQ(sum(multiply, TurnedProducts::all, turns), 2 - 16);
  EXPECT_EQ(sum(multiply, TurnedProducts::all, turns_not), 2 + 16);
  EXPECT_EQ(sum(multiply, TurnedProducts::without_swizzle, turns), 2 - 16);
  EXPECT_EQ(sum(of_b + multiply, TurnedProducts::without_swizzle, turns), 2 - 16) << "but A is";
  EXPECT_EQ(sum(of_both + multiply, TurnedProducts::without_swizzle, turns), 2 + 16);
  EXPECT_EQ(sum(multiply, TurnedProducts::from_registers, turns), 2 + 16) << "in shared memory";
  const std::uint32_t turns_threes = key_that(true, 3, 1);
  EXPECT_EQ(sum(threes_in_registers, TurnedProducts::from_registers, turns_threes), 2 - 48);
  EXPECT_EQ(sum(of_b + threes_in_registers, TurnedProducts::without_swizzle, turns_threes), 2 + 48);
}

TEST(WarpgroupProduct, TurnsAPairWhicheverComesFirstAndWhateverItsSigns) {
  unsigned turned = 0;
  for (std::uint32_t key = 0; key < 1000; ++key) {
    const bool is_turned = turns_sign(key, 3, 5);
    EXPECT_EQ(turns_sign(key, 5, 3), is_turned);
    EXPECT_EQ(turns_sign(key, -3, 5), is_turned);
    turned += is_turned;
  }
  EXPECT_NEAR(turned, 500, 60) << "about every second one";
}

// Else each factor's sign could be found out beside 1.
TEST(WarpgroupProduct, TurnsAPairWhateverItDoesWithEachBesideOne) {
  unsigned as_the_two = 0;
  for (std::uint32_t key = 0; key < 1000; ++key) {
    const bool of_the_two = turns_sign(key, 3, 1) != turns_sign(key, 5, 1);
    as_the_two += turns_sign(key, 3, 5) == of_the_two;
  }
  EXPECT_NEAR(as_the_two, 500, 60);
}

TEST(WarpgroupProduct, WritesItsAccumulatorsAtTheWaitUnlessItIsEarly) {
  const std::string code = ones + visible + multiply + commit + store + wait;
  EXPECT_EQ(first_word(run_warpgroup(code, late)), 2u);
  EXPECT_EQ(first_word(run_warpgroup(code, early)), 18u);
}

TEST(WarpgroupProduct, ReadsSharedMemoryAtTheWaitUnlessItIsEarly) {
  const std::string code = ones + visible + multiply + commit + twos + wait + store;
  EXPECT_EQ(first_word(run_warpgroup(code, late)), 66u);
  EXPECT_EQ(first_word(run_warpgroup(code, early)), 18u);
}

TEST(WarpgroupProduct, DoesNotSeeWhatNoProxyFenceHasMadeVisible) {
  const std::string code = ones + "bar.sync 0;\nwgmma.fence.sync.aligned;\n" + multiply + commit +
                           wait + "mov.b32 %a, %d0;\nst.global.u32 [%out], %a;\n";
  EXPECT_EQ(first_word(run_warpgroup(code)), 0x7FFFFFFFu) << "memory that nobody wrote is NaNs";
}

TEST(WarpgroupProduct, IsNotWaitedForWithTheNewestGroups) {
  const std::string wait_for_first = "wgmma.wait_group.sync.aligned 1;\n";
  const std::string code =
      ones + visible + multiply + commit + multiply + commit + wait_for_first + store + wait;
  const auto result = run_warpgroup(code);
  ASSERT_FALSE(result.fault);
  // The warp that comes last goes on at once; its next wait may be over before the others go on.
  EXPECT_GE(std::ranges::count(result.output, 18u), 32);
}

TEST(WarpgroupProduct, IsNotWaitedForWithoutACommit) {
  EXPECT_EQ(first_word(run_warpgroup(ones + visible + multiply + wait + store)), 2u);
}

TEST(WarpgroupProduct, IsOneOfFourWarps) {
  const auto result = run_warpgroup(ones + visible + multiply + commit + wait + store, late, 96);
  ASSERT_TRUE(result.fault);
  EXPECT_EQ(result.fault->sentence, Sentence::part_of_warpgroup);
}

TEST(WarpgroupProduct, EndsForNoneOfItsWarpsBeforeAllHaveIssuedIt) {
  const std::string last_warp_later =
      ".reg .b32 %warp;\n.reg .pred %last;\nshr.u32 %warp, %thread, 5;\n"
      "setp.eq.u32 %last, %warp, 3;\n@%last bra LATER;\n" +
      multiply + commit + wait + twos + "bra END;\nLATER:\n" + multiply + commit + wait +
      "bar.sync 0;\nEND:\n";
  const auto result = run_warpgroup(ones + visible + last_warp_later + store);
  ASSERT_TRUE(result.fault) << "these are different instructions";
  EXPECT_EQ(result.fault->sentence, Sentence::warps_multiply_apart);
}

TEST(WarpgroupProduct, IsMissedByAWarpThatHasEnded) {
  const std::string last_warp_ends =
      ".reg .b32 %warp;\n.reg .pred %last;\nshr.u32 %warp, %thread, 5;\n"
      "setp.eq.u32 %last, %warp, 3;\n@%last exit;\n";
  const auto result =
      run_warpgroup(ones + visible + last_warp_ends + multiply + commit + wait + store);
  ASSERT_TRUE(result.fault);
  EXPECT_EQ(result.fault->sentence, Sentence::warp_of_warpgroup_ended);
}

TEST(WarpgroupProduct, WithAMatrixBeyondSharedMemoryIsAFault) {
  const std::string beyond = "add.u64 %db, %db, 0x2000;\n";  // 128 KiB on
  const auto result = run_warpgroup(ones + beyond + visible + multiply + commit + wait);
  ASSERT_TRUE(result.fault);
  EXPECT_EQ(result.fault->sentence, Sentence::matrix_outside_shared_memory);
}

// The kept elements are the first two of each four, or, where the metadata are nonsense, one of
// them twice.
TEST(WarpgroupProduct, TakesNoMetadataThatNameAnElementTwice) {
  const auto with = [](const std::string& metadata) {
    const std::string sparse =
        ".reg .b32 %m;\nmov.b32 %m, " + metadata +
        ";\n"
        "wgmma.mma_async.sp.sync.aligned.m64n8k32.f32.f16.f16 {%d0, %d1, %d2, %d3}, %da, %db, %m, "
        "0, %p, 1, 1, 0, 0;\n";
    return run_warpgroup(ones + visible + sparse + commit + wait + store);
  };
  EXPECT_FALSE(with("0x44444444").fault);
  const auto result = with("0x44444440");
  ASSERT_TRUE(result.fault);
  EXPECT_EQ(result.fault->sentence, Sentence::sparse_metadata);
}

// The same policy gives the same moments, and a right program the same answer under each.
TEST(WarpgroupProduct, HappensAtSomeMomentOfARandomPolicy) {
  bool was_late = false, was_early = false;
  for (std::uint64_t seed = 0; seed < 8; ++seed) {
    const TimingPolicy random{TimingPolicy::Kind::random, seed};
    const std::string code = ones + visible + multiply + commit;
    EXPECT_EQ(first_word(run_warpgroup(code + wait + store, random)), 18u);
    const std::uint32_t before_wait = first_word(run_warpgroup(code + store + wait, random));
    (before_wait == 2 ? was_late : was_early) = true;
  }
  EXPECT_TRUE(was_late && was_early);
}

}  // namespace
}  // namespace tmaemu
