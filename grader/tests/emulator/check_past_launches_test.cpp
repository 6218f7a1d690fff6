// Which earlier launches a launch may still run beside.
#include <gtest/gtest.h>

#include "emulator/check/past_launches.h"

namespace tmaemu::check {
namespace {

// Launches of one stream, one after another.
class CheckPastLaunches : public testing::Test {
 protected:
  struct Launch {
    bool starts_early = false;  // it was launched programmatically
    DependentStart next = {};
  };

  // Of the neighbors of the last launch: which one, whether its wait ends it, and whether one in
  // between may be over before it.
  struct Beside {
    std::uint64_t launch;
    bool ends_at_wait;
    bool is_outrun = false;
    bool operator==(const Beside&) const = default;
  };

  std::vector<Beside> beside_the_last_of(const std::vector<Launch>& launches) {
    for (const Launch& launch : launches) {
      ++count_;
      LaunchRequest request;
      request.place = place(launch.starts_early);
      neighbors_ = past_.beside(request);
      past_.add(std::make_shared<PastLaunch>(count_, program_, request,
                                             std::make_shared<GlobalHistory>(), launch.next));
    }
    std::vector<Beside> found;
    for (const Neighbor& neighbor : neighbors_) {
      found.push_back({neighbor.launch->number, neighbor.ends_at_wait, neighbor.is_outrun});
    }
    return found;
  }

 private:
  static constexpr std::uint64_t stream = 7;

  std::shared_ptr<const StreamPlace> place(bool starts_early) const {
    StreamPlace place;
    place.moment = {stream, count_};
    if (count_ > 1) place.known.add({stream, count_ - 1});
    place.starts_early = starts_early;
    return std::make_shared<const StreamPlace>(place);
  }

  PastLaunches past_;
  Program program_;
  std::vector<Neighbor> neighbors_;
  std::uint64_t count_ = 0;
};

TEST_F(CheckPastLaunches, AnOrdinaryLaunchComesBehindAllOfItsStream) {
  EXPECT_TRUE(beside_the_last_of({{.next = {.is_let = true}}, {}}).empty());
}

TEST_F(CheckPastLaunches, AProgrammaticOneRunsBesideTheOneThatLetsItStart) {
  EXPECT_EQ(beside_the_last_of({{.next = {.is_let = true}}, {.starts_early = true}}),
            (std::vector<Beside>{{1, true}}));
}

TEST_F(CheckPastLaunches, WhoLetsNobodyStartIsOverBefore) {
  EXPECT_TRUE(beside_the_last_of({{}, {.starts_early = true}}).empty());
}

// PTX ISA, "griddepcontrol": wait waits for the grids before it, not for those before them.
TEST_F(CheckPastLaunches, AWaitDoesNotEndWhatTheOneInTheMiddleDidNotWaitFor) {
  EXPECT_EQ(beside_the_last_of({{.next = {.is_let = true}},
                                {.starts_early = true, .next = {.is_let = true}},
                                {.starts_early = true}}),
            (std::vector<Beside>{{2, true}, {1, false, true}}));
}

TEST_F(CheckPastLaunches, AWaitEndsWhatTheOneInTheMiddleWaitsForWhenItHasLetTheNextOneStart) {
  EXPECT_EQ(beside_the_last_of({{.next = {.is_let = true}},
                                {.starts_early = true, .next = {.is_let = true, .waits = true}},
                                {.starts_early = true}}),
            (std::vector<Beside>{{2, true}, {1, true}}));
}

TEST_F(CheckPastLaunches, WhatTheOneInTheMiddleWaitsForBeforeItLetsTheNextOneStartIsOver) {
  const DependentStart after_wait{.is_let = true, .waits = true, .is_let_after_wait = true};
  EXPECT_EQ(beside_the_last_of({{.next = {.is_let = true}},
                                {.starts_early = true, .next = after_wait},
                                {.starts_early = true}}),
            (std::vector<Beside>{{2, true}}));
}

}  // namespace
}  // namespace tmaemu::check
