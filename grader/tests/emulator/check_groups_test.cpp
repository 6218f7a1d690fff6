// The groups of a thread's asynchronous operations: PTX ISA, "Async-groups".
#include <gtest/gtest.h>

#include "emulator/check/groups.h"

namespace tmaemu::check {
namespace {

TEST(CheckGroups, AWaitCoversWhatWasCommitted) {
  GroupLedger groups;
  const Time first = groups.issue();
  const Time second = groups.issue();
  groups.commit();
  EXPECT_GE(groups.done_after(0), second);
  EXPECT_GE(groups.done_after(0), first);
}

TEST(CheckGroups, AWaitDoesNotCoverWhatWasNotCommitted) {
  GroupLedger groups;
  groups.issue();
  groups.commit();
  const Time uncommitted = groups.issue();
  EXPECT_LT(groups.done_after(0), uncommitted);
}

TEST(CheckGroups, AWaitWithoutAnyCommitCoversNothing) {
  GroupLedger groups;
  groups.issue();
  EXPECT_EQ(groups.done_after(0), 0u);
}

TEST(CheckGroups, TheNewestGroupsMayBePending) {
  GroupLedger groups;
  const Time first = groups.issue();
  groups.commit();
  const Time second = groups.issue();
  groups.commit();
  EXPECT_GE(groups.done_after(1), first);
  EXPECT_LT(groups.done_after(1), second);
  EXPECT_EQ(groups.done_after(2), 0u);
}

TEST(CheckGroups, AnEmptyGroupCounts) {
  GroupLedger groups;
  const Time first = groups.issue();
  groups.commit();
  groups.commit();
  EXPECT_GE(groups.done_after(1), first);
}

TEST(CheckGroups, AWaitInFrontOfTheCommitIsInVain) {
  GroupLedger groups;
  const Time operation = groups.issue();
  EXPECT_FALSE(groups.vain_wait(operation));
  EXPECT_FALSE(groups.has_waited_since(operation));
  groups.note_wait(17, 0, 0);
  EXPECT_EQ(groups.vain_wait(operation), 17u);
  EXPECT_TRUE(groups.has_waited_since(operation));
}

TEST(CheckGroups, AWaitBehindTheCommitIsNotInVain) {
  GroupLedger groups;
  groups.note_wait(16, 0, 0);  // for what was before
  const Time operation = groups.issue();
  groups.commit();
  groups.note_wait(17, 0, 0);
  EXPECT_FALSE(groups.vain_wait(operation));
  EXPECT_FALSE(groups.vain_wait(groups.issue()));
}

TEST(CheckGroups, TheLastWaitLeavesTheGroupsPendingThatItDoesNotCover) {
  GroupLedger groups;
  const Time first = groups.issue();
  groups.commit();
  const Time second = groups.issue();
  groups.commit();
  groups.note_wait(17, groups.done_after(1), 0);
  EXPECT_FALSE(groups.last_wait_without(groups.group_of(first)));
  EXPECT_EQ(groups.last_wait_without(groups.group_of(second)), 17u);
  groups.note_wait(18, groups.done_after(0), 0);
  EXPECT_FALSE(groups.last_wait_without(groups.group_of(second)));
}

TEST(CheckGroups, AWaitLeavesNoGroupPendingThatWasCommittedBehindIt) {
  GroupLedger groups;
  groups.issue();
  groups.commit();
  groups.note_wait(17, groups.done_after(0), 0);
  const Time later = groups.issue();
  groups.commit();
  EXPECT_FALSE(groups.last_wait_without(groups.group_of(later)));
}

// Who has not seen the second wait has gone on behind the first one.
TEST(CheckGroups, AWaitStaysInVainWhenItsThreadCommitsAndWaitsOnceMore) {
  GroupLedger groups;
  const Time operation = groups.issue();
  groups.note_wait(17, 0, 0);
  groups.commit();
  EXPECT_FALSE(groups.vain_wait(operation)) << "it is the wait behind the commit that is missing";
  groups.note_wait(18, 0, 0);
  EXPECT_EQ(groups.vain_wait(operation), 17u);
}

}  // namespace
}  // namespace tmaemu::check
