#include "judge/examine/hunts.h"

#include <gtest/gtest.h>

#include <string_view>

namespace {

using judge::objection;
using judge::Part;
using tmaemu::LaunchedSet;

constexpr Part one_stage{"one-stage", "void launch_one_stage()"};

LaunchedSet launched(std::string_view symbol) {
  LaunchedSet made;
  made.count = 1;
  symbol.copy(made.launches[0].name.data(), made.launches[0].name.size() - 1);
  return made;
}

TEST(AHunt, LaunchesTheKernelOfItsName) {
  EXPECT_EQ(objection(one_stage, launched("_Z9one_stagePiPKii")), std::nullopt);
}

TEST(AHunt, MayHaveItsKernelAsATemplateInANamespace) {
  EXPECT_EQ(objection(one_stage, launched("_ZN3lab9one_stageILi3EEEvPiPKii")), std::nullopt);
}

TEST(AHunt, DoesNotLaunchAnotherHuntsKernel) {
  const auto said = objection(one_stage, launched("_Z8good_byePiPKi"));
  ASSERT_TRUE(said);
  EXPECT_EQ(*said,
            "the result is right, but the launcher launches `good_bye`, and what is to be mended "
            "is `one_stage`, which has to keep its name");
}

}  // namespace
