#include "judge/examine/hunts.h"

#include <gtest/gtest.h>

#include <string_view>

namespace {

using judge::Hunts;
using judge::Part;
using tmaemu::LaunchedSet;

constexpr Part one_stage{"one-stage", "void launch_one_stage()"};
constexpr Part good_bye{"good-bye", "void launch_good_bye()"};

LaunchedSet launched(std::string_view symbol, std::uint64_t code) {
  LaunchedSet made;
  made.count = 1;
  symbol.copy(made.launches[0].name.data(), made.launches[0].name.size() - 1);
  made.launches[0].code = code;
  return made;
}

TEST(AHunt, LaunchesTheKernelOfItsName) {
  EXPECT_EQ(Hunts().objection(one_stage, launched("_Z9one_stagePiPKii", 1)), std::nullopt);
}

TEST(AHunt, MayHaveItsKernelAsATemplateInANamespace) {
  EXPECT_EQ(Hunts().objection(one_stage, launched("_ZN3lab9one_stageILi3EEEvPiPKii", 1)),
            std::nullopt);
}

TEST(AHunt, DoesNotLaunchAnotherHuntsKernel) {
  const auto objection = Hunts().objection(one_stage, launched("_Z8good_byePiPKi", 1));
  ASSERT_TRUE(objection);
  EXPECT_EQ(*objection,
            "the result is right, but the launcher launches `good_bye`, and what is to be mended "
            "is `one_stage`, which has to keep its name");
}

TEST(AHunt, DoesNotLaunchAnotherHuntsCodeByItsOwnName) {
  Hunts hunts;
  ASSERT_EQ(hunts.objection(good_bye, launched("_Z8good_byePiPKi", 7)), std::nullopt);
  const auto objection = hunts.objection(one_stage, launched("_Z9one_stagePiPKii", 7));
  ASSERT_TRUE(objection);
  EXPECT_NE(objection->find("`one_stage` is the same code as `good_bye`"), std::string::npos);
}

TEST(AHunt, LaunchesItsOwnCodeInEveryCase) {
  Hunts hunts;
  ASSERT_EQ(hunts.objection(good_bye, launched("_Z8good_byePiPKi", 7)), std::nullopt);
  EXPECT_EQ(hunts.objection(good_bye, launched("_Z8good_byePiPKi", 7)), std::nullopt);
}

}  // namespace
