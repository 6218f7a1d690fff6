#include "judge/report/launches.h"

#include <gtest/gtest.h>

#include <string_view>

namespace {

using judge::CaseResult;
using judge::Verdict;
using tmaemu::Launched;
using tmaemu::LaunchedSet;

constexpr std::uint32_t swizzle_128 = 3;

Launched launch(std::uint32_t module, std::uint32_t kernel, std::string_view name) {
  Launched made;
  made.module = module;
  made.kernel = kernel;
  made.block = {256, 1, 1};
  made.cluster = {1, 1, 1};
  name.copy(made.name.data(), made.name.size() - 1);
  return made;
}

Launched with_box(std::uint32_t side) {
  Launched made = launch(0, 0, "tiles");
  made.map_count = 1;
  made.maps[0].rank = 2;
  made.maps[0].box = {side, side};
  made.maps[0].swizzle = swizzle_128;
  return made;
}

LaunchedSet set(std::initializer_list<Launched> launches) {
  LaunchedSet made;
  for (const Launched& one : launches) made.launches[made.count++] = one;
  return made;
}

// A right case of so many bytes, and so many of them by the engine.
CaseResult judged_case(LaunchedSet launched, std::uint64_t bytes, std::uint64_t by_engine) {
  CaseResult made{"pipeline", "a case", {}, 0};
  made.outcome.way = {bytes, bytes, {}};
  made.outcome.way->measured[index_of(tmaemu::Measure::through_tma)] = by_engine;
  made.outcome.launched = launched;
  return made;
}

const LaunchedSet honest = set({launch(0, 0, "add_one")});
const LaunchedSet other = set({launch(0, 1, "add_one_quickly")});

judge::Outcome compared(const LaunchedSet& timed, const std::vector<CaseResult>& cases) {
  return judge::compared(timed, "pipeline", cases);
}

TEST(Launches, AreThoseOfACase) {
  EXPECT_EQ(compared(honest, {judged_case(honest, 1000, 2000)}).verdict, Verdict::pass);
}

TEST(Launches, OfAnyCaseWillDo) {
  const std::vector cases{judged_case(other, 1000, 2000), judged_case(honest, 1000, 2000)};
  EXPECT_EQ(compared(honest, cases).verdict, Verdict::pass);
}

TEST(Launches, OfAnotherKernelAreNot) {
  const auto outcome = compared(other, {judged_case(honest, 1000, 2000)});
  EXPECT_EQ(outcome.verdict, Verdict::cheated);
  EXPECT_TRUE(
      outcome.message.ends_with("it launches `add_one_quickly` in blocks of 256 x 1 x 1, "
                                "which no case launches"))
      << outcome.message;
}

TEST(Launches, OfTheSameNameInAnotherModuleAreNot) {
  const auto outcome = compared(set({launch(1, 0, "add_one")}), {judged_case(honest, 1000, 2000)});
  EXPECT_EQ(outcome.verdict, Verdict::cheated);
  EXPECT_TRUE(
      outcome.message.ends_with("where the cases launch a kernel of that name with other "
                                "code"))
      << outcome.message;
}

TEST(Launches, WithAnotherBoxAreNot) {
  const auto outcome =
      compared(set({with_box(128)}), {judged_case(set({with_box(64)}), 1000, 2000)});
  EXPECT_EQ(outcome.verdict, Verdict::cheated);
  EXPECT_TRUE(
      outcome.message.ends_with("with a box of 128 x 128 with a 128-byte swizzle, where "
                                "the cases have a box of 64 x 64 with a 128-byte swizzle"))
      << outcome.message;
}

TEST(Launches, InOtherClustersAreNot) {
  LaunchedSet timed = honest;
  timed.launches[0].cluster = {4, 1, 1};
  EXPECT_EQ(compared(timed, {judged_case(honest, 1000, 2000)}).verdict, Verdict::cheated);
}

TEST(Launches, AreAllOfACase) {
  const LaunchedSet both = set({launch(0, 0, "add_one"), launch(0, 1, "add_one_quickly")});
  EXPECT_EQ(compared(other, {judged_case(both, 1000, 2000)}).verdict, Verdict::cheated);
}

TEST(Launches, ReplacedByACopyAreNot) {
  LaunchedSet timed;
  timed.device_copies = 1;
  EXPECT_EQ(compared(timed, {judged_case(honest, 1000, 2000)}).verdict, Verdict::cheated);
}

TEST(Launches, OfACaseThatIsTooShortForTheEngineAreNot) {
  const std::vector cases{judged_case(honest, 100'000, 200'000), judged_case(other, 12, 0)};
  EXPECT_EQ(compared(other, cases).verdict, Verdict::cheated);
}

TEST(Launches, WithoutTheEngineAreThoseOfAPartWithoutIt) {
  EXPECT_EQ(compared(other, {judged_case(other, 12, 0)}).verdict, Verdict::pass);
}

TEST(Launches, OfAnotherPartSayNothing) {
  CaseResult elsewhere = judged_case(other, 1000, 2000);
  elsewhere.part = "one-tile";
  EXPECT_EQ(compared(other, {elsewhere, judged_case(honest, 1000, 2000)}).verdict,
            Verdict::cheated);
}

TEST(Launches, NeedARightCaseToBeComparedWith) {
  EXPECT_EQ(compared(honest, {}).verdict, Verdict::pass);
}

TEST(Launches, OfMoreKindsThanAreKeptAreNot) {
  LaunchedSet many;
  many.count = LaunchedSet::max_launches + 1;
  EXPECT_EQ(compared(many, {judged_case(many, 1000, 2000)}).verdict, Verdict::cheated);
}

}  // namespace
