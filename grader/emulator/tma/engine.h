// The TMA engine of a cluster: bulk operations from issue to completion.
// PTX ISA, "Asynchronous Data Movement: bulk copies" and "Completion Mechanisms".
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <vector>

#include "common/split_mix.h"
#include "emulator/model/finding.h"
#include "emulator/tma/bulk_operation.h"
#include "emulator/tma/cluster_port.h"
#include "emulator/tma/timing_policy.h"

namespace tmaemu {

class AsyncEngine {
 public:
  AsyncEngine(ClusterPort& cluster, const TimingPolicy& policy);
  void reset(std::uint64_t cluster_index);

  // Takes an operation whose operands have been checked.
  void issue(BulkOperation&& operation);

  // cp.async.bulk.commit_group and wait_group by one thread. After wait, at most `pending` of the
  // thread's groups may not be done (`read_only`: may not have read their sources).
  void commit_group(ThreadId thread);
  void wait_group(ThreadId thread, std::uint32_t pending, bool read_only);

  // Delivers operations that signal the mbarrier at `address` until `is_released` holds. True
  // where any was delivered.
  template <class Predicate>
  bool deliver_for(std::uint32_t address, Predicate is_released) {
    bool delivered = false;
    for (std::size_t i = 0; i < pending_.size() && !is_released();) {
      if (pending_[i]->signals_mbarrier() && signals(*pending_[i], address)) {
        complete_at(pending_, i);
        delivered = true;
      } else {
        ++i;
      }
    }
    return delivered;
  }
  // Delivers the oldest operation that signals an mbarrier. False where there is none.
  bool deliver_oldest();
  // The engine's own moves, between turns (random only).
  void tick();

  // The CTA of rank `rank` has ended: its stores are read, and what else needs its shared memory
  // has lost it.
  void on_cta_exit(std::uint16_t rank);

 private:
  using Pending = std::unique_ptr<BulkOperation>;
  using Queue = std::deque<Pending>;
  // The bulk async-groups of one thread, numbered as they are committed.
  struct ThreadGroups {
    struct Member {
      std::uint64_t operation;  // its id
      std::uint64_t group;
    };
    std::deque<Member> members;  // of groups that may not be done, oldest first
    std::uint64_t open = 0;      // the group that is not committed yet
    std::uint64_t read = 0;      // a wait_group.read has waited for the groups before this one
  };

  bool signals(const BulkOperation& operation, std::uint32_t address) const;
  Pending make_pending(BulkOperation&& operation);
  void complete_at(Queue& queue, std::size_t index);
  void complete(BulkOperation& operation);
  void check_memory_is_there(const BulkOperation& operation) const;
  void load(const BulkOperation& operation);
  void load_tile(const BulkOperation& operation, SharedMemory& destination, std::uint32_t offset);
  void read_source(BulkOperation& operation);
  void write_global(const BulkOperation& operation);
  void write_shared(const BulkOperation& operation);
  void signal(const BulkOperation& operation, std::uint32_t mbarrier);
  // Reads the source of the pending operation at `index` and moves it to written-later ones.
  void read_early(std::size_t index);
  // Makes the operation's source read, and unless `read_only` its result written.
  void finish(std::uint64_t id, bool read_only);
  void limit_buffered();
  // The operation at `index` of pending_ uses shared memory of the CTA of this rank, which has
  // ended. True where the operation is gone.
  bool lose_memory(std::size_t index, std::uint16_t rank);
  bool is_done(std::uint64_t id) const;
  ThreadGroups& groups(ThreadId thread);

  void tell_source_released(const BulkOperation& operation) {
    if (observer_ != nullptr) observer_->releases_source(operation.event());
  }
  void tell_finished(const BulkOperation& operation) {
    if (observer_ != nullptr) observer_->finishes(operation.event());
  }

  ClusterPort& cluster_;
  // What the port gives, at hand: millions of small tiles ask for it.
  const GlobalMemory& memory_;
  Mbarriers& mbarriers_;
  Observer* observer_;  // null: nobody observes
  const unsigned cta_count_;
  const unsigned threads_per_cta_;
  TimingPolicy policy_;
  common::SplitMix64 random_;
  std::uint64_t next_id_ = 0;
  // In flight, by the order of issue. Few: programs wait for what they issue.
  Queue pending_;
  // Stores whose source has been read and whose result nobody has waited for, by the order of
  // issue. Many: a pipeline waits for them only at its end.
  Queue buffered_;
  std::size_t buffered_bytes_ = 0;
  std::vector<Pending> spare_;  // to be used again, with the memory of their buffers
  // By the thread's number in the cluster; empty until the first group, null for threads without.
  std::vector<std::unique_ptr<ThreadGroups>> groups_;
};

}  // namespace tmaemu
