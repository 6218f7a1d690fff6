// What happens while a cluster runs, as one stream of events. Observers read it: statistics, and
// whoever else wants to know what a program does. Nothing that executes depends on an observer, and
// a launch that nobody observes pays nothing for the possibility.
#pragma once

#include <compare>
#include <cstdint>
#include <span>

#include "emulator/model/ids.h"

namespace tmaemu {

// A warp of a cluster.
struct WarpId {
  std::uint16_t rank = 0;   // of its CTA
  std::uint16_t index = 0;  // in its CTA
  bool operator==(const WarpId&) const = default;
};

// Something that threads wait at.
struct BarrierId {
  enum class Kind : std::uint8_t { mbarrier, cta, cluster };
  Kind kind = Kind::mbarrier;
  // Of an mbarrier its shared::cluster address, of a CTA's barrier 0 to 15.
  std::uint32_t number = 0;
  auto operator<=>(const BarrierId&) const = default;
};

enum class BulkKind : std::uint8_t {
  global_to_shared,
  shared_to_global,
  shared_to_shared,  // to shared memory of a CTA of the cluster
  reduce_to_global,
  reduce_to_shared,
};

namespace events {

// A warp executes an operation.
struct Instruction {
  WarpId warp;
  std::uint32_t site = 0;  // as Program::sites numbers them
  LaneMask active = 0;     // the lanes that come to it together
  LaneMask effective = 0;  // those of them whose guard holds
};

struct LaneAddress {
  unsigned lane = 0;
  std::uint64_t address = 0;  // global, or shared::cluster
};

// Lanes of a warp read or write memory through the generic proxy. What an instruction does to
// global and to shared memory are two events.
struct Access {
  enum class Kind : std::uint8_t { load, store, atomic, matrix_load, matrix_store };
  enum class Space : std::uint8_t { global, shared };
  Kind kind = Kind::load;
  Space space = Space::global;
  WarpId warp;
  std::uint32_t site = 0;
  unsigned bytes = 0;                  // of one lane
  std::span<const LaneAddress> lanes;  // in ascending order, none twice
};

// Lanes of a warp wait at a barrier.
struct Wait {
  BarrierId barrier;
  WarpId warp;
  LaneMask lanes = 0;
};

// Something arrives at an mbarrier: a thread, or the TMA engine with bytes.
struct Arrival {
  std::uint32_t mbarrier = 0;        // shared::cluster address
  std::int64_t count = 0;            // arrivals
  std::int64_t tx_bytes = 0;         // added to the tx-count
  const ThreadId* thread = nullptr;  // null: the engine
  bool completes_phase = false;
};

// Threads pass a fence between proxies.
struct ProxyFence {
  WarpId warp;
  std::uint32_t site = 0;
  LaneMask lanes = 0;
};

struct GlobalRange {
  std::uint64_t address = 0;
  std::uint64_t bytes = 0;
};

// An operation of the TMA engine.
struct Bulk {
  std::uint64_t id = 0;  // in its cluster, by the order of issue
  BulkKind kind = BulkKind::global_to_shared;
  ThreadId thread;
  std::uint32_t site = 0;
  std::uint32_t shared = 0;             // shared::cluster address of the tile on the issuing side
  std::uint32_t target = 0;             // from shared to shared memory: where to
  std::uint32_t bytes = 0;              // that the tile takes in shared memory
  std::uint64_t moved_bytes = 0;        // that the tx-count speaks of
  std::uint32_t mbarrier = 0;           // shared::cluster address, where it signals one
  std::uint16_t multicast = 0;          // CTA mask; 0: no multicast
  std::span<const GlobalRange> global;  // in the order in which it is walked; only at issue
};

}  // namespace events

// Reads the events of one cluster at a time, in their order.
class Observer {
 public:
  virtual ~Observer() = default;

  // A cluster begins with the CTA `first` (a ctaid) as the one of rank 0.
  virtual void cluster_starts(const Dimensions& /*first*/) {}
  virtual void cta_ends(std::uint16_t /*rank*/) {}

  // Before the operation has any effect.
  virtual void executes(const events::Instruction&) {}
  // The operation put the `effective` lanes to sleep before it had any effect: they will come to it
  // again.
  virtual void puts_off(const events::Instruction&) {}
  virtual void accesses(const events::Access&) {}

  virtual void initializes(std::uint32_t /*mbarrier*/, std::int64_t /*count*/, ThreadId) {}
  virtual void arrives(const events::Arrival&) {}
  // Lanes wait at a barrier, whether they have to sleep or not.
  virtual void waits(const events::Wait&) {}
  // They have to.
  virtual void sleeps(const events::Wait&) {}
  // The thread has seen a phase of the mbarrier complete.
  virtual void sees_phase(std::uint32_t /*mbarrier*/, ThreadId) {}
  // All threads that a CTA's or the cluster's barrier waits for have arrived. `rank`: of the CTA.
  virtual void completes_barrier(BarrierId, std::uint16_t /*rank*/) {}
  virtual void fences(const events::ProxyFence&) {}

  virtual void issues(const events::Bulk&) {}
  // The engine has read the source from shared memory, or never will since the result is lost.
  virtual void releases_source(const events::Bulk&) {}
  // The engine has written the result, or never will since the CTA's shared memory is gone.
  virtual void finishes(const events::Bulk&) {}
};

// Observes one launch, whose clusters may run on several host threads.
class LaunchObserver {
 public:
  virtual ~LaunchObserver() = default;
  // The observer of one of the clusters that are resident together; used for others when it ends.
  // May be called by several host threads at once.
  virtual Observer& observe_cluster() = 0;
};

}  // namespace tmaemu
