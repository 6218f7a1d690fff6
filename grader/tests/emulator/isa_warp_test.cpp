// Lanes of one warp that meet: as the tiles of a partition do, each with the mask of its own tile,
// and from both sides of a branch; and what cooperative groups find in special registers.
#include "tests/emulator/isa_test_support.h"

namespace tmaemu::testing {
namespace {

constexpr unsigned tile = 8;

std::size_t count_of(const std::string& text, const std::string& part) {
  std::size_t count = 0;
  for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++count;
  return count;
}

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

// Lanes 0 to 15 of a warp execute `low`, the others `high`; %a is the lane, %n and %i are for use.
Code in_branches(const std::string& low, const std::string& high) {
  return {"setp.lt.u32 %p, %a, 16;\n@%p bra LOW;\n" + high + "\nbra END;\nLOW: " + low + "\nEND:",
          4,
          {4}};
}

std::vector<Tuple> lane_indices() {
  std::vector<Tuple> tuples;
  for (unsigned lane = 0; lane < 32; ++lane) tuples.push_back({lane});
  return tuples;
}

std::vector<Bits> halves(Bits low, Bits high) {
  std::vector<Bits> values(32, low);
  std::fill(values.begin() + 16, values.end(), high);
  return values;
}

TEST(ConvergenceFromBranches, ShuffleReadsTheRegisterThatTheSourceLaneNames) {
  const Code code = in_branches("mov.u32 %n, 5;\nshfl.sync.idx.b32 %d, %n, 20, 31, -1;",
                                "mov.u32 %i, 7;\nshfl.sync.idx.b32 %d, %i, 2, 31, -1;");
  EXPECT_EQ(run(code, lane_indices()), halves(7, 5));
}

TEST(ConvergenceFromBranches, ShuffleTellsEachSideWhetherItsSourceIsInRange) {
  const Code code =
      in_branches("shfl.sync.down.b32 %d|%p, %a, 16, 31, -1;\nselp.u32 %d, 1, 0, %p;",
                  "shfl.sync.down.b32 %d|%q, %a, 16, 31, -1;\nselp.u32 %d, 1, 0, %q;");
  EXPECT_EQ(run(code, lane_indices()), halves(1, 0));
}

TEST(ConvergenceFromBranches, BallotCountsBothSides) {
  const Code code = in_branches("setp.lt.u32 %q, %a, 4;\nvote.sync.ballot.b32 %d, %q, -1;",
                                "setp.lt.u32 %p, %a, 20;\nvote.sync.ballot.b32 %d, !%p, -1;");
  EXPECT_EQ(run(code, lane_indices()), halves(0xFFF0'000F, 0xFFF0'000F));
}

TEST(ConvergenceFromBranches, ReductionTakesBothSides) {
  const Code code = in_branches("mov.u32 %n, 1;\nredux.sync.add.u32 %d, %n, -1;",
                                "mov.u32 %i, 100;\nredux.sync.add.u32 %d, %i, -1;");
  EXPECT_EQ(run(code, lane_indices()), halves(1616, 1616));
}

TEST(ConvergenceFromBranches, MatchComparesBothSides) {
  const Code code = in_branches("shr.u32 %n, %a, 3;\nmatch.any.sync.b32 %d, %n, -1;",
                                "shr.u32 %i, %a, 4;\nmatch.any.sync.b32 %d, %i, -1;");
  std::vector<Bits> expected = halves(0xFFFF'FF00, 0xFFFF'FF00);
  std::fill_n(expected.begin(), 8, 0xFF);
  EXPECT_EQ(run(code, lane_indices()), expected);
}

TEST(ConvergenceFromBranches, OneLeaderIsElected) {
  const Code code = in_branches("elect.sync _|%q, -1;\nselp.u32 %d, 1, 0, %q;",
                                "elect.sync _|%p, -1;\nselp.u32 %d, 1, 0, %p;");
  std::vector<Bits> expected(32, 0);
  expected[0] = 1;
  EXPECT_EQ(run(code, lane_indices()), expected);
}

TEST(ConvergenceFromBranches, BarrierLetsBothSidesGoOn) {
  const Code code =
      in_branches("bar.warp.sync -1;\nmov.u32 %d, 1;", "bar.warp.sync -1;\nmov.u32 %d, 2;");
  EXPECT_EQ(run(code, lane_indices()), halves(1, 2));
}

TEST(ConvergenceFromBranches, BothSidesGoOnTogetherWhereTheyJoin) {
  Code code = in_branches("redux.sync.add.u32 %d, %a, -1;", "redux.sync.add.u32 %d, %a, -1;");
  code.body += "\nactivemask.b32 %d;";
  EXPECT_EQ(run(code, lane_indices()), halves(0xFFFF'FFFF, 0xFFFF'FFFF));
}

TEST(ConvergenceFromBranches, OtherQualifiersAreWaitedForInVain) {
  ::testing::internal::CaptureStderr();
  const Code code =
      in_branches("shfl.sync.up.b32 %d, %a, 1, 0, -1;", "shfl.sync.down.b32 %d, %a, 1, 31, -1;");
  EXPECT_EQ(try_run(code, lane_indices()).outcome, LaunchOutcome::deadlock);
  const std::string text = ::testing::internal::GetCapturedStderr();
  EXPECT_EQ(count_of(text, ": 16 threads, "), 2u) << text;
  EXPECT_EQ(count_of(text, "(member mask 0xffffffff)"), 2u) << text;
}

TEST(ConvergenceFromBranches, ABarrierDoesNotWaitForAnExchange) {
  const Code code = in_branches("bar.warp.sync -1;", "redux.sync.add.u32 %d, %a, -1;");
  EXPECT_EQ(try_run(code, lane_indices()).outcome, LaunchOutcome::deadlock);
}

std::uint64_t thread_instructions(const Code& code) {
  const std::uint64_t before = Device::instance().thread_instructions();
  EXPECT_EQ(try_run(code, lane_indices()).outcome, LaunchOutcome::completed);
  return Device::instance().thread_instructions() - before;
}

// Lanes 0 to 15 come to the instruction from behind it, when the others have been there.
Code met_from_behind(const std::string& instruction) {
  return {"setp.lt.u32 %p, %a, 16;\n@%p bra LATER;\nMEET: " + instruction +
              "\nbra END;\nLATER: mov.u32 %n, 1;\nbra MEET;\nEND:",
          4,
          {4}};
}

TEST(Counting, AnInstructionThatLanesSleptInIsExecutedOnce) {
  EXPECT_EQ(thread_instructions(met_from_behind("bar.warp.sync -1;")),
            thread_instructions(met_from_behind("mov.u32 %d, 1;")));
  EXPECT_EQ(thread_instructions(met_from_behind("redux.sync.add.u32 %d, %a, -1;")),
            thread_instructions(met_from_behind("add.u32 %d, %a, 1;")));
}

TEST(Counting, SoIsOneThatBothSidesMeetIn) {
  EXPECT_EQ(thread_instructions(
                in_branches("redux.sync.add.u32 %d, 1, -1;", "redux.sync.add.u32 %d, 1, -1;")),
            thread_instructions(in_branches("add.u32 %d, %a, 1;", "add.u32 %d, %a, 1;")));
}

TEST(Counting, SoIsABarrierWithAResult) {
  EXPECT_EQ(thread_instructions({"bar.red.popc.u32 %d, 0, %p;", 4, {4}}),
            thread_instructions({"selp.u32 %d, 1, 0, %p;", 4, {4}}));
}

TEST(ConvergenceFromBranches, LanesThatEndAreNotWaitedFor) {
  const Code code = in_branches("redux.sync.add.u32 %d, 1, -1;",
                                "setp.lt.u32 %q, %a, 24;\n@%q ret;\n"
                                "redux.sync.add.u32 %d, 1, -1;");
  const RunResult result = try_run(code, lane_indices());
  EXPECT_EQ(result.results[0], 24u);
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

// What is said of an access to the reserved bytes, which an H100 lets go on.
std::string said_of(const Code& code) {
  ::testing::internal::CaptureStderr();
  EXPECT_EQ(try_run(code, {{}}).outcome, LaunchOutcome::completed);
  return ::testing::internal::GetCapturedStderr();
}

TEST(GroupScratch, IsOutOfBoundsForKernelsThatDoNotAskForIt) {
  const std::string said = said_of({"mov.u32 %i, 512;\nld.shared.u32 %d, [%i];", 4, {}});
  EXPECT_NE(said.find("at shared address 0x200, outside the"), std::string::npos) << said;
  EXPECT_NE(said.find("[out-of-bounds]"), std::string::npos) << said;
}

TEST(GroupScratch, EndsAfter288Bytes) {
  const std::string said =
      said_of({"mov.u32 %i, %reserved_smem_offset_1;\nld.shared.u32 %d, [%i+288];", 4, {}});
  EXPECT_NE(said.find("[out-of-bounds]"), std::string::npos) << said;
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
