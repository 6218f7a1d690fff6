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

TEST(CheckGroups, TheLastWaitRemembersWhatWasIssuedByThen) {
  GroupLedger groups;
  EXPECT_FALSE(groups.last_wait());
  const Time before = groups.issue();
  groups.note_wait(17);
  groups.issue();
  ASSERT_TRUE(groups.last_wait());
  EXPECT_EQ(groups.last_wait()->site, 17u);
  EXPECT_EQ(groups.last_wait()->issued, before);
}

}  // namespace
}  // namespace tmaemu::check
