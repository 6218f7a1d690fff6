// The asynchronous operations of a cluster's threads, in the groups that they make of them: what
// each wait says is done.
#pragma once

#include <vector>

#include "emulator/check/cluster_state.h"
#include "emulator/check/groups.h"
#include "emulator/check/mbarrier_ledger.h"
#include "emulator/model/events.h"

namespace tmaemu::check {

class GroupLedgers {
 public:
  explicit GroupLedgers(ClusterState& state)
      : state_(state), bulk_(state.thread_count()), copies_(state.thread_count()) {}

  void start();
  // The moment of one more operation of the thread.
  Time issue_bulk(ThreadId thread) { return changed(bulk_, thread).issue(); }
  Time issue_copy(ThreadId thread) { return changed(copies_, thread).issue(); }
  void commit_bulk(const events::Groups& groups) { changed(bulk_, groups.thread).commit(); }
  void await_bulk(const events::Groups& groups);
  void commit_copies(const events::Groups& groups) { changed(copies_, groups.thread).commit(); }
  void await_copies(const events::Groups& groups);
  // The thread will arrive at the mbarrier when its copies so far are done, and it arrives: the
  // copies that were meant.
  void order_arrival(ThreadId thread, std::uint32_t mbarrier) {
    changed(copies_, thread).order_arrival(mbarrier);
  }
  Time take_ordered_arrival(ThreadId thread, std::uint32_t mbarrier) {
    return changed(copies_, thread).take_ordered_arrival(mbarrier);
  }

  // cp.async.bulk, and cp.async.
  const GroupLedger& bulk(ThreadId thread) const { return bulk_[state_.slot(thread)]; }
  const GroupLedger& copies(ThreadId thread) const { return copies_[state_.slot(thread)]; }
  // Waits for bulk groups by threads that had issued nothing.
  const std::vector<Action>& foreign_waits() const { return foreign_waits_; }

 private:
  GroupLedger& changed(std::vector<GroupLedger>& ledgers, ThreadId thread) {
    is_empty_ = false;
    return ledgers[state_.slot(thread)];
  }

  ClusterState& state_;
  std::vector<GroupLedger> bulk_, copies_;  // by thread
  std::vector<Action> foreign_waits_;
  bool is_empty_ = true;  // nothing was issued, committed or waited for
};

}  // namespace tmaemu::check
