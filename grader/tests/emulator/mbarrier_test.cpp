// The mbarriers of a cluster: PTX ISA, "mbarrier", phases, counts and what they order.
#include <gtest/gtest.h>

#include <random>

#include "emulator/mbarrier/mbarriers.h"

namespace tmaemu {
namespace {

using Misuse = MbarrierMisuse::Kind;

constexpr std::uint32_t address = 64;
constexpr ThreadId ada{0, 0};
constexpr ThreadId ben{0, 1};

TEST(Mbarrier, PackedBitsHoldEveryCount) {
  std::mt19937_64 random(1);
  for (int i = 0; i < 10'000; ++i) {
    Mbarrier barrier;
    barrier.pending = static_cast<std::int64_t>(random() % (Mbarrier::max_count + 1));
    barrier.expected = static_cast<std::int64_t>(random() % (Mbarrier::max_count + 1));
    barrier.tx_count = static_cast<std::int64_t>(random() % (2 * Mbarrier::max_tx_count + 1)) -
                       Mbarrier::max_tx_count;
    barrier.parity = random() % 2 != 0;
    barrier.initialized = true;
    const Mbarrier again = Mbarrier::unpack(barrier.pack());
    ASSERT_EQ(again.pending, barrier.pending);
    ASSERT_EQ(again.expected, barrier.expected);
    ASSERT_EQ(again.tx_count, barrier.tx_count);
    ASSERT_EQ(again.parity, barrier.parity);
    ASSERT_TRUE(again.initialized);
  }
}

class MbarriersTest : public testing::Test {
 protected:
  // Threads that arrive, and the bytes that they announce.
  auto arrive(ThreadId by, std::int64_t bytes = 0) {
    return mbarriers.arrive(address, 1, bytes, {&by});
  }
  auto complete(std::int64_t bytes) { return mbarriers.arrive(address, 0, -bytes, {}); }
  bool is_over(bool parity) const { return mbarriers.load(address).phase_is_over(parity); }
  void see(ThreadId thread) { mbarriers.observe({address, thread}, 1); }

  SharedMemory first{4096, true};
  SharedMemory second{4096, true};
  std::vector<SharedMemory*> shared{&first, &second};
  Causality causality{2, 4};
  Mbarriers mbarriers{shared, causality, true, nullptr};
};

TEST_F(MbarriersTest, AnInvalidatedOneIsNoneUntilItIsInitializedAgain) {
  mbarriers.initialize(address, 1, ada);
  mbarriers.invalidate(address);
  EXPECT_FALSE(mbarriers.load(address).initialized);
  ASSERT_TRUE(arrive(ben));
  EXPECT_EQ(arrive(ben)->kind, Misuse::uninitialized);
  ASSERT_TRUE(complete(0));
  mbarriers.initialize(address, 2, ada);
  EXPECT_FALSE(arrive(ada));
  EXPECT_FALSE(is_over(false));
  EXPECT_FALSE(arrive(ben));
  EXPECT_TRUE(is_over(false));
}

TEST_F(MbarriersTest, APhaseIsOverWhenAllHaveArrived) {
  mbarriers.initialize(address, 2, ada);
  EXPECT_FALSE(arrive(ada));
  EXPECT_FALSE(is_over(false));
  EXPECT_FALSE(arrive(ben));
  EXPECT_TRUE(is_over(false));
  EXPECT_FALSE(is_over(true));
}

TEST_F(MbarriersTest, APhaseIsNotOverBeforeItsBytesHaveCome) {
  mbarriers.initialize(address, 1, ada);
  EXPECT_FALSE(arrive(ada, 64));
  EXPECT_FALSE(complete(48));
  EXPECT_FALSE(is_over(false));
  EXPECT_FALSE(complete(16));
  EXPECT_TRUE(is_over(false));
}

TEST_F(MbarriersTest, BytesMayComeBeforeTheyAreAnnounced) {
  mbarriers.initialize(address, 1, ada);
  EXPECT_FALSE(complete(64));
  EXPECT_FALSE(is_over(false));
  EXPECT_FALSE(arrive(ada, 64));
  EXPECT_TRUE(is_over(false));
}

TEST_F(MbarriersTest, TheNextPhaseStartsWithTheWholeCount) {
  mbarriers.initialize(address, 1, ada);
  EXPECT_FALSE(arrive(ada));
  EXPECT_EQ(mbarriers.load(address).pending, 1);
  EXPECT_FALSE(arrive(ada));
  EXPECT_TRUE(is_over(true));
}

TEST_F(MbarriersTest, MoreArrivalsThanThePhaseHasLeftAreRefusedAndChangeNothing) {
  mbarriers.initialize(address, 1, ada);
  const auto misuse = mbarriers.arrive(address, 2, 0, {&ada});
  ASSERT_TRUE(misuse);
  EXPECT_EQ(misuse->kind, Misuse::too_many_arrivals);
  EXPECT_EQ(mbarriers.load(address).pending, 1);
}

TEST_F(MbarriersTest, ATxCountBeyondItsRangeIsRefused) {
  mbarriers.initialize(address, 2, ada);
  EXPECT_FALSE(arrive(ada, Mbarrier::max_tx_count));
  const auto misuse = arrive(ben, 1);
  ASSERT_TRUE(misuse);
  EXPECT_EQ(misuse->kind, Misuse::tx_count_out_of_range);
}

TEST_F(MbarriersTest, AnUninitializedOneTakesNothing) {
  const auto misuse = arrive(ada);
  ASSERT_TRUE(misuse);
  EXPECT_EQ(misuse->kind, Misuse::uninitialized);
}

TEST_F(MbarriersTest, WhoSeesThePhaseKnowsWhatTheArrivedHaveWritten) {
  mbarriers.initialize(address, 1, ada);
  const Epoch written = causality.now();
  EXPECT_FALSE(arrive(ada));
  EXPECT_FALSE(causality.knows(ben, ada, written));
  see(ben);
  EXPECT_TRUE(causality.knows(ben, ada, written));
}

TEST_F(MbarriersTest, WhatAnInvalidatedOneOrderedIsForgotten) {
  mbarriers.initialize(address, 1, ada);
  const Epoch written = causality.now();
  EXPECT_FALSE(arrive(ada));
  mbarriers.invalidate(address);
  mbarriers.initialize(address, 1, ada);
  see(ben);
  EXPECT_FALSE(causality.knows(ben, ada, written));
}

TEST_F(MbarriersTest, ArrivalsOfAPhaseThatIsNotOverTeachNothing) {
  mbarriers.initialize(address, 2, ada);
  const Epoch written = causality.now();
  EXPECT_FALSE(arrive(ada));
  see(ben);
  EXPECT_FALSE(causality.knows(ben, ada, written));
}

TEST_F(MbarriersTest, EachCtaHasItsOwn) {
  const std::uint32_t remote = 1u << cta_rank_shift | address;
  mbarriers.initialize(remote, 3, ada);
  EXPECT_TRUE(mbarriers.load(remote).initialized);
  EXPECT_FALSE(mbarriers.load(address).initialized);
}

}  // namespace
}  // namespace tmaemu
