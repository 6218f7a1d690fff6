// Flags in memory and how far what they carry reaches: PTX ISA, "Release and Acquire patterns" and
// "Scope".
#include <gtest/gtest.h>

#include "emulator/check/flags.h"

namespace tmaemu::check {
namespace {

constexpr std::uint64_t flag = 0x1000;
constexpr Actor ada{0, 0};
constexpr Actor ben{0, 1};

Release release_by(const Actor& actor, Scope scope = Scope::gpu) {
  auto clocks = std::make_shared<Clocks>();
  (*clocks)[View::done].add(actor, 1);
  return {clocks, scope, 0, 0};
}

class CheckFlags : public testing::Test {
 protected:
  bool carries(const Actor& actor) const {
    const Release found = flags.read(flag);
    return found.clocks != nullptr && (*found.clocks)[View::done].knows(actor, 1);
  }
  Flags flags;
};

TEST_F(CheckFlags, CarryWhatWasReleased) {
  flags.write(flag, release_by(ada), false);
  EXPECT_TRUE(carries(ada));
}

TEST_F(CheckFlags, AreToldApartByTheirAddress) {
  flags.write(flag + 4, release_by(ada), false);
  EXPECT_FALSE(carries(ada));
}

TEST_F(CheckFlags, APlainStoreEndsWhatWasReleasedBefore) {
  flags.write(flag, release_by(ada), false);
  flags.write(flag, release_by(ben), false);
  EXPECT_FALSE(carries(ada));
  EXPECT_TRUE(carries(ben));
}

TEST_F(CheckFlags, AStoreThatReleasesNothingEndsTheRelease) {
  flags.write(flag, release_by(ada), false);
  flags.write(flag, {}, false);
  EXPECT_FALSE(carries(ada));
}

TEST_F(CheckFlags, AReadModifyWriteCarriesOnWhatWasReleasedBefore) {
  flags.write(flag, release_by(ada), false);
  flags.write(flag, release_by(ben), true);
  EXPECT_TRUE(carries(ada));
  EXPECT_TRUE(carries(ben));
}

TEST_F(CheckFlags, AReadModifyWriteThatReleasesNothingCarriesOn) {
  flags.write(flag, release_by(ada), false);
  flags.write(flag, {}, true);
  EXPECT_TRUE(carries(ada));
}

TEST_F(CheckFlags, AChainReachesAsFarAsItsNarrowestScope) {
  flags.write(flag, release_by(ada, Scope::cta), false);
  flags.write(flag, release_by(ben, Scope::gpu), true);
  EXPECT_EQ(flags.read(flag).scope, Scope::cta);
}

// --- What is written once more ---

TEST_F(CheckFlags, AReleaseComesBehindNothing) {
  EXPECT_TRUE(flags.comes_behind(flag, release_by(ada)));
}

TEST_F(CheckFlags, AReleaseComesBehindOneThatItsThreadKnows) {
  flags.write(flag, release_by(ada), false);
  EXPECT_TRUE(flags.comes_behind(flag, release_by(ada)));
}

TEST_F(CheckFlags, AReleaseDoesNotComeBehindOneThatItsThreadDoesNotKnow) {
  flags.write(flag, release_by(ada), false);
  EXPECT_FALSE(flags.comes_behind(flag, release_by(ben)));
}

TEST_F(CheckFlags, AReleaseDoesNotComeBehindOneForTheCtaThatItsThreadDoesNotKnow) {
  Release near = release_by(ada, Scope::cta);
  std::swap(near.clocks, near.near);
  flags.write(flag, near, false);
  EXPECT_FALSE(flags.comes_behind(flag, release_by(ben)));
}

// --- How far a release reaches ---

struct Reach {
  const char* name;
  Scope released, acquired;
  std::uint32_t to_cta, to_cluster;
  bool reaches;
};

class CheckScopes : public testing::TestWithParam<Reach> {};

TEST_P(CheckScopes, ReachWhomBothInclude) {
  Release release = release_by(ada, GetParam().released);
  release.cta = 4;
  release.cluster = 4;
  EXPECT_EQ(release.reaches(GetParam().to_cta, GetParam().to_cluster, GetParam().acquired),
            GetParam().reaches);
}

INSTANTIATE_TEST_SUITE_P(
    Scopes, CheckScopes,
    testing::Values(
        Reach{"OwnCtaByCtaScope", Scope::cta, Scope::cta, 4, 4, true},
        Reach{"OtherCtaNotByCtaRelease", Scope::cta, Scope::gpu, 5, 4, false},
        Reach{"OtherCtaNotByCtaAcquire", Scope::gpu, Scope::cta, 5, 4, false},
        Reach{"OtherCtaByClusterScope", Scope::cluster, Scope::cluster, 5, 4, true},
        Reach{"OtherClusterNotByClusterRelease", Scope::cluster, Scope::gpu, 8, 8, false},
        Reach{"OtherClusterNotByClusterAcquire", Scope::gpu, Scope::cluster, 8, 8, false},
        Reach{"OtherClusterByGpuScope", Scope::gpu, Scope::gpu, 8, 8, true},
        Reach{"OtherClusterBySystemScope", Scope::sys, Scope::gpu, 8, 8, true}),
    [](const auto& each) { return each.param.name; });

}  // namespace
}  // namespace tmaemu::check
