// The registers that the warps of a CTA give back and take.
#include "emulator/sched/register_pool.h"

#include <gtest/gtest.h>

namespace tmaemu {
namespace {

RegisterPool pool_of_three_warps() {
  RegisterPool pool;
  pool.start(168, 3);
  return pool;
}

TEST(RegisterPool, IsEmptyAtFirst) {
  const RegisterPool pool = pool_of_three_warps();
  EXPECT_EQ(pool.in_pool(), 0u);
  EXPECT_FALSE(pool.can_give(0, 176));
}

TEST(RegisterPool, GivesWhatOthersGaveBack) {
  RegisterPool pool = pool_of_three_warps();
  pool.change(0, 40);
  EXPECT_TRUE(pool.can_give(1, 296));
  EXPECT_FALSE(pool.can_give(1, 304));
  pool.change(1, 232);
  EXPECT_EQ(pool.in_pool(), 64u);
  EXPECT_EQ(pool.owned_by(1), 232u);
}

TEST(RegisterPool, HasNoEffectWithoutANumberToBeginWith) {
  RegisterPool pool;
  pool.start(0, 3);
  EXPECT_FALSE(pool.is_in_effect());
}

}  // namespace
}  // namespace tmaemu
