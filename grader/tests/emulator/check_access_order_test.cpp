// What orders an earlier access before what a thread does now, and what a proxy fence covers.
#include <gtest/gtest.h>

#include "emulator/check/access_order.h"
#include "emulator/check/group_ledgers.h"
#include "tests/emulator/checked_cluster.h"

namespace tmaemu::check {
namespace {

constexpr ThreadId ada{0, 0};
constexpr ThreadId ben{0, 1};   // of the same warp
constexpr ThreadId cleo{1, 0};  // of the other CTA
constexpr MemoryPlace global{true, 0};
constexpr MemoryPlace shared_of_ada{false, 0};
constexpr MemoryPlace shared_of_cleo{false, 1};

class CheckAccessOrder : public testing::Test, protected CheckedCluster {
 protected:
  CheckAccessOrder() : CheckedCluster(2) { groups.start(); }

  // What Ada does now, in the first lane of her warp.
  PastAccess by_ada(AccessKind kind) {
    PastAccess access;
    access.kind = kind;
    access.rank = ada.rank;
    access.cta = state.order.cta(ada.rank);
    access.cluster = state.number;
    access.first = ada.index;
    access.time = state.order.now(ada);
    return access;
  }
  PastAccess operation(AccessKind kind, Completion completion) {
    PastAccess access = by_ada(kind);
    access.how = EngineAccess{.completion = completion};
    return access;
  }
  PastAccess copy() {
    PastAccess access = by_ada(AccessKind::copy);
    const Actor copies = state.order.actor(ada, Actor::Track::copies);
    access.how = DeferredAccess{{copies, groups.issue_copy(ada)}};
    return access;
  }
  void tell(ThreadId thread) { state.order.acquire(thread, state.order.snapshot(ada)); }
  bool are_all_done(const PastAccess& access, ThreadId thread, bool needs_fence) {
    return order.are_all_done(access, *state.order.known(thread), needs_fence, global);
  }

  GroupLedgers groups{state};
  AccessOrder order{state, groups};
  static constexpr unsigned first_lane = 0;
};

TEST_F(CheckAccessOrder, AThreadsOwnAccessIsDoneForItAtOnce) {
  EXPECT_TRUE(order.is_done(by_ada(AccessKind::plain), first_lane, ada));
}

TEST_F(CheckAccessOrder, AThreadsAccessIsDoneForWhoLearnsOfIt) {
  const PastAccess access = by_ada(AccessKind::plain);
  EXPECT_FALSE(order.is_done(access, first_lane, ben));
  tell(ben);
  EXPECT_TRUE(order.is_done(access, first_lane, ben));
}

TEST_F(CheckAccessOrder, ALoadIsNotDoneForItsThreadButForWhoKnowsThePhase) {
  const Completion phase{{state.order.cta(0), 8, Actor::Track::phases}, 1};
  const PastAccess load = operation(AccessKind::load, phase);
  EXPECT_FALSE(order.is_done(load, first_lane, ada));
  state.order.acquire(ben, phase.actor, phase.time);
  EXPECT_TRUE(order.is_done(load, first_lane, ben));
}

TEST_F(CheckAccessOrder, ALoadsMapIsReadForWhoWaitedForTheGroupsOfItsThread) {
  const Completion phase{{state.order.cta(0), 8, Actor::Track::phases}, 1};
  PastAccess map = operation(AccessKind::load, phase);
  map.how = MapRead{.completion = phase, .groups = groups.issue_bulk(ada)};
  groups.commit_bulk({.thread = ada});
  EXPECT_FALSE(order.is_done(map, first_lane, ada));
  groups.await_bulk({.thread = ada, .only_read = true});
  EXPECT_TRUE(order.is_done(map, first_lane, ada));
}

TEST_F(CheckAccessOrder, ACopyIsDoneForItsThreadBehindItsWait) {
  const PastAccess access = copy();
  groups.commit_copies({.thread = ada});
  EXPECT_FALSE(order.is_done(access, first_lane, ada));
  groups.await_copies({.thread = ada});
  EXPECT_TRUE(order.is_done(access, first_lane, ada));
}

TEST_F(CheckAccessOrder, ACopyIsDoneForOthersWhoKnowOfItsThreadBehindItsWait) {
  const PastAccess access = copy();
  groups.commit_copies({.thread = ada});
  tell(ben);  // of the copy's issue
  groups.await_copies({.thread = ada});
  EXPECT_FALSE(order.is_done(access, first_lane, ben));
  tell(ben);
  EXPECT_TRUE(order.is_done(access, first_lane, ben));
}

TEST_F(CheckAccessOrder, TheOtherLaneOfACopyHasCopiesOfItsOwn) {
  const PastAccess access = copy();
  groups.commit_copies({.thread = ada});
  groups.await_copies({.thread = ada});
  const unsigned lane_of_ben = 1;
  EXPECT_FALSE(order.is_done(access, lane_of_ben, ben));
}

TEST_F(CheckAccessOrder, WhatTheGenericProxyBringsIsNotSettledWithoutAFence) {
  const Completion phase{{state.order.cta(0), 8, Actor::Track::phases}, 1};
  PastAccess sent = by_ada(AccessKind::async_store);
  sent.how = DeferredAccess{phase};
  state.order.acquire(ben, phase.actor, phase.time);
  EXPECT_TRUE(are_all_done(sent, ben, false));
  EXPECT_FALSE(are_all_done(sent, ben, true));
}

TEST_F(CheckAccessOrder, AFenceOfTheOwnCtasSharedMemoryCoversNoOther) {
  const PastAccess access = by_ada(AccessKind::plain);
  state.order.begin_moment(ada);
  state.order.fence({{ada}}, {View::fenced_own});
  EXPECT_TRUE(order.is_fenced(access, first_lane, ada, shared_of_ada));
  EXPECT_FALSE(order.is_fenced(access, first_lane, ada, shared_of_cleo));
  EXPECT_FALSE(order.is_fenced(access, first_lane, ada, global));
}

TEST_F(CheckAccessOrder, WhoReceivesFencesWhatAnotherCtaSentThere) {
  const PastAccess access = by_ada(AccessKind::plain);
  tell(cleo);
  EXPECT_FALSE(order.is_fenced(access, first_lane, cleo, shared_of_cleo));
  state.order.fence({{cleo}}, {View::fenced_received});
  EXPECT_TRUE(order.is_fenced(access, first_lane, cleo, shared_of_cleo));
  EXPECT_FALSE(order.is_fenced(access, first_lane, cleo, shared_of_ada));
}

}  // namespace
}  // namespace tmaemu::check
