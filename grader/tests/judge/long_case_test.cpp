#include "judge/session/long_case.h"

#include <gtest/gtest.h>

#include <string_view>

namespace {

using judge::CaseResult;
using judge::Outcome;
using judge::Verdict;

// Of a right result: an array of so many bytes, changed in place by one kernel on so many CTAs.
Outcome of_kernel(std::string_view kernel, std::uint64_t bytes, std::uint64_t ctas) {
  tmaemu::LaunchedSet launched;
  launched.count = 1;
  launched.ctas = ctas;
  kernel.copy(launched.launches[0].name.data(), kernel.size());
  Outcome made;
  made.way = {bytes, bytes, {}};
  made.launched = launched;
  return made;
}

CaseResult in_part(std::string_view part, Outcome outcome) {
  return {std::string(part), "a case", std::move(outcome), 0};
}

constexpr std::uint64_t long_bytes = 70'000'000;

bool is_shown(std::uint64_t ctas, const CaseResult& before) {
  return judge::is_shown_by_shorter_case(of_kernel("add", long_bytes, ctas), "pipeline", {before});
}

TEST(LongCase, IsShownByAShorterOneWhoseCtasHadAsManyBytes) {
  EXPECT_TRUE(is_shown(132, in_part("pipeline", of_kernel("add", 2'000'000, 2))));
  EXPECT_TRUE(is_shown(70, in_part("pipeline", of_kernel("add", 2'000'000, 2))));
}

TEST(LongCase, OfAGridThatDoesNotFollowTheGpuIsNotShown) {
  EXPECT_FALSE(is_shown(264, in_part("pipeline", of_kernel("add", 2'000'000, 264))));
}

TEST(LongCase, OfAnotherKernelIsNotShown) {
  EXPECT_FALSE(is_shown(132, in_part("pipeline", of_kernel("add_quickly", 2'000'000, 2))));
}

TEST(LongCase, IsNotShownByAnotherPart) {
  EXPECT_FALSE(is_shown(132, in_part("any-length", of_kernel("add", 2'000'000, 2))));
}

TEST(LongCase, IsShownByAHazardWhichWasChecked) {
  Outcome hazard = of_kernel("add", 2'000'000, 2);
  hazard.verdict = Verdict::hazard;
  EXPECT_TRUE(is_shown(132, in_part("pipeline", hazard)));
}

TEST(LongCase, IsNotShownByAWrongResult) {
  Outcome wrong;
  wrong.verdict = Verdict::fail;
  EXPECT_FALSE(is_shown(132, in_part("pipeline", wrong)));
}

TEST(LongCase, ThatLaunchesNothingIsNotShown) {
  EXPECT_FALSE(judge::is_shown_by_shorter_case(of_kernel("add", long_bytes, 0), "pipeline",
                                               {in_part("pipeline", of_kernel("add", 2, 0))}));
}

}  // namespace
