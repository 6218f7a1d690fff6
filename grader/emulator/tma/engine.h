// The TMA engine of a cluster: bulk operations from issue to completion.
// PTX ISA, "Asynchronous Data Movement: bulk copies" and "Completion Mechanisms".
//
// The engine may act at any moment between the earliest and the latest legal one. `late` (the
// grader's choice) delivers a load only when somebody can go no further without it, and reads a
// store's source only when its group is waited for; `early` acts at once; `random` in between. A
// program that is right is right under all of them.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "common/result.h"
#include "emulator/model/finding.h"
#include "emulator/sched/causality.h"
#include "emulator/stats/tma.h"
#include "emulator/tma/reduce.h"
#include "emulator/tma/tensor_map.h"
#include "emulator/tma/tile.h"

namespace tmaemu {

struct Cluster;
class SharedMemory;

struct AsyncPolicy {
  enum class Kind : std::uint8_t { late, early, random };
  Kind kind = Kind::late;
  std::uint64_t seed = 0;
  // "late", "early" or "random:SEED", as TMAEMU_ASYNC holds it.
  static common::Result<AsyncPolicy> parse(const std::string& text);
};

struct BulkOperation {
  enum class Kind : std::uint8_t {
    global_to_shared,
    shared_to_global,
    shared_to_shared,  // to shared memory of a CTA of the cluster
    reduce_to_global,
    reduce_to_shared,
  };
  Kind kind = Kind::global_to_shared;
  bool is_tensor = false;
  std::shared_ptr<const tma::TensorMap> map;  // tensor operations
  std::array<std::int32_t, tma::max_coordinates> coordinates{};
  std::uint8_t coordinate_count = 0;
  std::uint64_t global = 0;     // bulk operations: the global address,
  std::byte* host = nullptr;    // and the host's view of the bytes there
  std::uint32_t shared = 0;     // shared::cluster address of the tile on the issuing side
  std::uint32_t target = 0;     // shared_to_shared: destination
  std::uint32_t bytes = 0;      // in shared memory
  std::uint32_t mbarrier = 0;   // shared::cluster address; loads and shared_to_shared
  std::uint16_t multicast = 0;  // CTA mask; 0: no multicast
  bool is_paired = false;       // .cta_group::2: the mbarrier may be that of a destination's peer
  tma::ReduceOperation operation = tma::ReduceOperation::add;
  tma::ReduceType type = tma::ReduceType::u32;
  ThreadId thread;
  std::uint32_t site = 0;

  // The rank of the CTA whose mbarrier counts the bytes that a multicast brings to `destination`:
  // its own, or of a pair of CTAs (ranks that differ in the last bit) the one that has the last bit
  // of `mbarrier`'s CTA.
  std::uint32_t signaled_by(std::uint32_t destination) const;

  // Whether shared memory of the CTA of this rank is written.
  bool writes_to(std::uint32_t rank) const;
  // Whether it is read.
  bool reads_from(std::uint32_t rank) const;

  tma::Coordinates place() const { return {coordinates.data(), coordinate_count}; }

  bool signals_mbarrier() const {
    return kind == Kind::global_to_shared || kind == Kind::shared_to_shared ||
           kind == Kind::reduce_to_shared;
  }

  // Progress, kept by the engine.
  std::uint64_t id = 0;
  Stamp issued = 0;         // the moment of issue in causality order
  std::uint64_t frees = 0;  // GlobalMemory::frees() at issue
  bool reported = false;    // that its source is not what the program meant
  bool source_read = false;
  std::vector<std::byte> buffer;  // what was read from shared memory, not yet written
};

// What an operation's issuer has to do with a finding.
Finding finding_of(const Cluster& cluster, const BulkOperation& operation, Sentence sentence,
                   Values values = {});

class AsyncEngine {
 public:
  AsyncEngine(Cluster& cluster, const AsyncPolicy& policy, stats::Counters* counters);
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

  // The CTA of rank `rank` has ended: what still needs its shared memory has lost it.
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
  void check_source_is_visible(BulkOperation& operation);
  void check_source_is_settled(BulkOperation& operation);
  void check_target_is_free(const BulkOperation& load);
  void check_other_ctas(const BulkOperation& operation);
  void check_remote_barrier(const BulkOperation& operation, std::uint32_t mbarrier);
  ThreadGroups& groups(ThreadId thread);
  std::uint64_t random();

  void count_done(const BulkOperation& operation) {
    if (counter_) counter_->done(operation);
  }

  Cluster& cluster_;
  AsyncPolicy policy_;
  std::optional<stats::TmaCounter> counter_;  // with --stats
  std::uint64_t random_state_ = 0;
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
