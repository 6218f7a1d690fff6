// Lanes of one warp that meet as the tiles of a partition do, each with the mask of its own tile;
// and what cooperative groups find in special registers.
#include "tests/emulator/isa_test_support.h"

namespace tmaemu::testing {
namespace {

constexpr unsigned tile = 8;

// For each lane of one warp: a value, and the mask of its tile of eight lanes.
std::vector<Tuple> values_and_masks() {
  std::vector<Tuple> tuples;
  for (unsigned lane = 0; lane < 32; ++lane) {
    tuples.push_back({lane * lane % 13, Bits{0xFF} << lane / tile * tile});
  }
  return tuples;
}

TEST(MemberMask, EachTileReducesItsOwnValues) {
  const std::vector<Tuple> tuples = values_and_masks();
  std::vector<Bits> expected(32);
  for (unsigned lane = 0; lane < 32; ++lane) {
    for (unsigned i = 0; i < tile; ++i) expected[lane] += tuples[lane / tile * tile + i][0];
  }
  EXPECT_EQ(run({"redux.sync.add.u32 %d, %a, %b;", 4, {4, 4}}, tuples), expected);
}

TEST(MemberMask, EachTileHasItsOwnBallot) {
  const std::vector<Tuple> tuples = values_and_masks();
  std::vector<Bits> expected(32);
  for (unsigned lane = 0; lane < 32; ++lane) {
    for (unsigned i = lane / tile * tile; i < lane / tile * tile + tile; ++i) {
      expected[lane] |= Bits{tuples[i][0] > 5} << i;
    }
  }
  const Code code{"setp.gt.u32 %p, %a, 5;\nvote.sync.ballot.b32 %d, %p, %b;", 4, {4, 4}};
  EXPECT_EQ(run(code, tuples), expected);
}

TEST(MemberMask, EachTileMatchesItsOwnValues) {
  const std::vector<Tuple> tuples = values_and_masks();
  std::vector<Bits> expected(32);
  for (unsigned lane = 0; lane < 32; ++lane) {
    for (unsigned i = lane / tile * tile; i < lane / tile * tile + tile; ++i) {
      expected[lane] |= Bits{tuples[i][0] == tuples[lane][0]} << i;
    }
  }
  EXPECT_EQ(run({"match.any.sync.b32 %d, %a, %b;", 4, {4, 4}}, tuples), expected);
}

TEST(MemberMask, EachTileElectsALeaderOfItsOwn) {
  std::vector<Bits> expected(32);
  for (unsigned lane = 0; lane < 32; ++lane) expected[lane] = lane / tile * tile;
  EXPECT_EQ(run({"elect.sync %d|%p, %b;", 4, {4, 4}}, values_and_masks()), expected);
}

TEST(MemberMask, ATileThatIsCompleteDoesNotWaitForAnother) {
  // The last lane of each tile comes from elsewhere, one tile after the other.
  const Code code{
      "and.b32 %i, %i, 7;\nsetp.eq.u32 %p, %i, 7;\n@%p bra LAST;\n"
      "bar.warp.sync %b;\nbra TOGETHER;\n"
      "LAST: bar.warp.sync %b;\nTOGETHER: redux.sync.max.u32 %d, %a, %b;",
      4,
      {4, 4}};
  const std::vector<Tuple> tuples = values_and_masks();
  std::vector<Bits> expected(32);
  for (unsigned lane = 0; lane < 32; ++lane) {
    for (unsigned i = 0; i < tile; ++i) {
      expected[lane] = std::max(expected[lane], tuples[lane / tile * tile + i][0]);
    }
  }
  EXPECT_EQ(run(code, tuples), expected);
}

TEST(GroupScratch, IsZeroWhenACtaStarts) {
  const Code code{
      "mov.u32 %i, %reserved_smem_offset_1;\nld.shared.u32 %d, [%i];\nbar.sync 0;\n"
      "st.shared.u32 [%i], 7;",
      4,
      {}};
  EXPECT_EQ(run(code, std::vector<Tuple>(2 * threads_per_cta)),
            std::vector<Bits>(2 * threads_per_cta));
}

TEST(GroupScratch, IsOutOfReachForKernelsThatDoNotAskForIt) {
  const Code code{"mov.u32 %i, 512;\nld.shared.u32 %d, [%i];", 4, {}};
  EXPECT_EQ(try_run(code, {{}}).outcome, LaunchOutcome::illegal_address);
}

TEST(GroupScratch, EndsAfter288Bytes) {
  const Code code{"mov.u32 %i, %reserved_smem_offset_1;\nld.shared.u32 %d, [%i+288];", 4, {}};
  EXPECT_EQ(try_run(code, {{}}).outcome, LaunchOutcome::illegal_address);
}

TEST(GridWorkspace, IsNullInALaunchThatIsNotCooperative) {
  EXPECT_EQ(
      run_one({"mov.u32 %d, %envreg1;\nmov.u32 %i, %envreg2;\nor.b32 %d, %d, %i;", 4, {}}, {}), 0u);
}

TEST(IsExplicitCluster, IsAPredicateThatFailsInALaunchWithoutClusters) {
  const Code code{"mov.pred %p, %is_explicit_cluster;\nselp.u32 %d, 1, 2, %p;", 4, {}};
  EXPECT_EQ(run_one(code, {}), 2u);
}

}  // namespace
}  // namespace tmaemu::testing
