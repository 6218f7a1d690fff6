// Vector clocks of the checker: what is known to be done, and how it is kept small.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <vector>

#include "emulator/check/clock.h"

namespace tmaemu::check {
namespace {

using Track = Actor::Track;

constexpr Actor ada{0, 0};
constexpr Actor ben{0, 1};
constexpr Actor cleo{1, 0};

TEST(CheckClock, KnowsAMomentAndAllBeforeIt) {
  Clock clock;
  clock.add(ada, 5);
  EXPECT_TRUE(clock.knows(ada, 5));
  EXPECT_TRUE(clock.knows(ada, 1));
  EXPECT_FALSE(clock.knows(ada, 6));
}

TEST(CheckClock, KnowsNothingOfAnotherThread) {
  Clock clock;
  clock.add(ada, 5);
  EXPECT_FALSE(clock.knows(ben, 1));
  EXPECT_FALSE(clock.knows(cleo, 1));
}

TEST(CheckClock, WhatAThreadHasOthersDoIsKnownApart) {
  Clock clock;
  clock.add(ada, 5);
  EXPECT_FALSE(clock.knows({0, 0, Track::bulk_writes}, 1));
  clock.add({0, 0, Track::bulk_reads}, 3);
  EXPECT_TRUE(clock.knows({0, 0, Track::bulk_reads}, 3));
  EXPECT_FALSE(clock.knows({0, 0, Track::bulk_writes}, 3));
}

TEST(CheckClock, AnEarlierMomentTakesNothingBack) {
  Clock clock;
  clock.add(ada, 5);
  clock.add(ada, 2);
  EXPECT_TRUE(clock.knows(ada, 5));
}

TEST(CheckClock, OneNumberCoversEveryThreadOfItsCta) {
  Clock clock;
  clock.add_cta(0, 4);
  EXPECT_TRUE(clock.knows(ada, 4));
  EXPECT_TRUE(clock.knows({0, 1023}, 4));
  EXPECT_TRUE(clock.knows_all_of(0, 4));
  EXPECT_FALSE(clock.knows(ada, 5));
  EXPECT_FALSE(clock.knows(cleo, 1));
}

TEST(CheckClock, OneNumberForACtaSaysNothingOfItsCopies) {
  Clock clock;
  clock.add_cta(0, 4);
  EXPECT_FALSE(clock.knows({0, 0, Track::copies}, 1));
}

TEST(CheckClock, AThreadMayBeKnownBeyondItsCta) {
  Clock clock;
  clock.add(ada, 9);
  clock.add_cta(0, 4);
  EXPECT_TRUE(clock.knows(ada, 9));
  EXPECT_FALSE(clock.knows(ben, 5));
}

TEST(CheckClock, KnowsAnythingOfACtaByAnyOfItsThreads) {
  Clock clock;
  EXPECT_FALSE(clock.knows_any_of(1));
  clock.add({1, 77}, 1);
  EXPECT_TRUE(clock.knows_any_of(1));
  EXPECT_FALSE(clock.knows_any_of(0));
}

TEST(CheckClock, GatheringWaitsForEveryThread) {
  Clock clock;
  clock.add(ada, 3);
  clock.gather(0, 2);
  EXPECT_FALSE(clock.knows_all_of(0, 1));
}

TEST(CheckClock, GatheringTakesTheEarliestMoment) {
  Clock clock;
  clock.add(ada, 3);
  clock.add(ben, 7);
  clock.gather(0, 2);
  EXPECT_TRUE(clock.knows_all_of(0, 3));
  EXPECT_FALSE(clock.knows_all_of(0, 4));
  EXPECT_TRUE(clock.knows(ben, 7));
}

TEST(CheckClock, CoversOnlyWhatItKnowsAsFar) {
  Clock less;
  less.add(ada, 3);
  Clock more;
  more.add(ada, 5);
  more.add(cleo, 1);
  EXPECT_TRUE(more.covers(less));
  EXPECT_FALSE(less.covers(more));
  EXPECT_TRUE(less.covers({}));
}

// Against the plainest implementation: a moment for each actor.
TEST(CheckClock, EqualsAMapOfMoments) {
  using Model = std::map<Actor, Time>;
  std::mt19937 random(11);
  std::vector<Actor> actors;
  for (std::uint32_t cta = 0; cta < 3; ++cta) {
    for (std::uint16_t index = 0; index < 4; ++index) {
      actors.push_back({cta, index});
      actors.push_back({cta, index, Track::bulk_reads});
    }
  }
  std::vector<Clock> clocks(4);
  std::vector<Model> models(4);
  const auto raise = [](Model& model, const Actor& actor, Time time) {
    model[actor] = std::max(model[actor], time);
  };
  for (int step = 0; step < 3000; ++step) {
    const std::size_t one = random() % clocks.size();
    const std::size_t other = random() % clocks.size();
    const Actor& actor = actors[random() % actors.size()];
    const auto time = static_cast<Time>(1 + random() % 50);
    switch (random() % 8) {
      case 0:
        clocks[one].add_cta(actor.cta, time);
        for (std::uint16_t i = 0; i < 4; ++i) raise(models[one], {actor.cta, i}, time);
        break;
      case 1:
        clocks[one].join(clocks[other]);
        for (const auto& [each, moment] : Model(models[other])) raise(models[one], each, moment);
        ASSERT_TRUE(clocks[one].covers(clocks[other])) << step;
        break;
      case 2:
        clocks[one].gather(actor.cta, 4);
        break;
      case 3:
        clocks[one] = {};
        models[one].clear();
        break;
      default:
        clocks[one].add(actor, time);
        raise(models[one], actor, time);
    }
    bool covers = true;
    for (const Actor& each : actors) {
      const Time moment = models[one][each];
      ASSERT_TRUE(moment == 0 || clocks[one].knows(each, moment)) << step;
      ASSERT_FALSE(clocks[one].knows(each, moment + 1)) << step;
      covers &= moment >= models[other][each];
    }
    // It may say no where the other has one number for a CTA, and this one many.
    ASSERT_TRUE(covers || !clocks[one].covers(clocks[other])) << step;
  }
}

// Whether both have about as many, or one has so many more that each of the other's is looked for.
TEST(CheckClock, FloorsOfManyCtasAreJoinedAndComparedOneByOne) {
  std::mt19937 random(2);
  constexpr std::uint32_t ctas = 100;
  using Floors = std::map<std::uint32_t, Time>;
  const auto some = [&](unsigned one_in) {
    Floors floors;
    for (std::uint32_t cta = 0; cta < ctas; ++cta) {
      if (random() % one_in == 0) floors[cta] = 1 + random() % 3;
    }
    return floors;
  };
  const auto clock_of = [](const Floors& floors) {
    Clock clock;
    for (const auto& [cta, time] : floors) clock.add_cta(cta, time);
    return clock;
  };
  for (unsigned step = 0; step < 300; ++step) {
    const Floors one = some(1 + step % 3);
    const Floors other = some(1 + step % 60);
    Floors both = one;
    for (const auto& [cta, time] : other) both[cta] = std::max(both[cta], time);
    Clock joined = clock_of(one);
    joined.join(clock_of(other));
    for (std::uint32_t cta = 0; cta < ctas; ++cta) {
      ASSERT_TRUE(joined.knows_all_of(cta, both[cta])) << step;
      ASSERT_FALSE(joined.knows_all_of(cta, both[cta] + 1)) << step;
    }
    std::erase_if(both, [](const auto& floor) { return floor.second == 0; });
    ASSERT_EQ(clock_of(one).covers(clock_of(other)), both == one) << step;
    ASSERT_TRUE(joined.covers(clock_of(other)) && joined.covers(clock_of(one))) << step;
  }
}

}  // namespace
}  // namespace tmaemu::check
