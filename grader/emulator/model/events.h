// What happens while a cluster runs, as one stream of events. Observers read it: statistics, and
// whoever else wants to know what a program does. They are told and never asked: nothing that
// executes depends on an observer, and a launch that nobody observes pays nothing for the
// possibility.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "emulator/model/finding.h"
#include "emulator/model/ids.h"
#include "emulator/model/memory_order.h"
#include "emulator/model/warpgroup_events.h"

namespace tmaemu {

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

// As traces and recordings call it.
constexpr std::string_view name_of(BulkKind kind) {
  switch (kind) {
    case BulkKind::global_to_shared:
      return "load";
    case BulkKind::shared_to_global:
      return "store";
    case BulkKind::reduce_to_global:
      return "reduce";
    case BulkKind::shared_to_shared:
      return "copy to a CTA";
    case BulkKind::reduce_to_shared:
      break;
  }
  return "reduce to a CTA";
}

namespace events {

// How a cluster ends.
enum class End : std::uint8_t { finished, deadlock, fault };

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

// What the lanes of a store or of an atomic are about to write.
class StoredValues {
 public:
  // Whether the lane at this index of Access::lanes writes what is in memory already. Lanes of an
  // atomic come one after another, and it is asked of what is there before the first of them.
  virtual bool leaves_memory(std::size_t index) const = 0;
  // Whether two of them store the same; those of an atomic never do.
  virtual bool are_equal(std::size_t index, std::size_t other) const = 0;

 protected:
  ~StoredValues() = default;
};

// Lanes of a warp read or write memory through the generic proxy. What an instruction does to
// global and to shared memory are two events.
struct Access {
  enum class Kind : std::uint8_t {
    load,
    store,
    atomic,
    matrix_load,
    matrix_store,
    map_change,  // tensormap.replace, a write of the whole map
    map_read,    // tensormap.cp_fenceproxy, by the first lane for the whole warp: a map is read
    map_copy,    // and written
  };
  enum class Space : std::uint8_t { global, shared };
  Kind kind = Kind::load;
  Space space = Space::global;
  WarpId warp;
  std::uint32_t site = 0;
  unsigned bytes = 0;                  // of one lane
  std::span<const LaneAddress> lanes;  // in ascending order, none twice
  MemoryOrder order = {};
  // Whether it is done later: cp.async, whose threads wait for their groups of copies.
  bool is_copy = false;
  // st.async and red.async: done later, too, as bytes that an mbarrier counts.
  bool is_async_store = false;
  const StoredValues* values = nullptr;  // of a plain store or an atomic
  unsigned element_bytes = 0;            // of an element of a vector, or of the whole

  bool writes() const {
    return kind == Kind::store || kind == Kind::matrix_store || kind == Kind::map_change ||
           kind == Kind::map_copy || kind == Kind::atomic;
  }
};

// A thread's st.async or red.async.
struct AsyncStore {
  ThreadId thread;
  std::uint32_t site = 0;
  std::uint32_t target = 0;  // shared::cluster address
  std::uint32_t bytes = 0;
  std::uint32_t mbarrier = 0;  // shared::cluster address
  bool reduces = false;
};

// Lanes of a warp wait at a barrier.
struct Wait {
  BarrierId barrier;
  WarpId warp;
  LaneMask lanes = 0;
  std::uint32_t site = 0;
};

// Something arrives at an mbarrier: a thread, or the TMA engine with bytes.
struct Arrival {
  std::uint32_t mbarrier = 0;        // shared::cluster address
  std::int64_t count = 0;            // arrivals
  std::int64_t tx_bytes = 0;         // added to the tx-count
  const ThreadId* thread = nullptr;  // null: the engine
  std::uint32_t site = 0;            // of a thread's
  MemoryOrder order = {};
  bool completes_phase = false;
  // cp.async.mbarrier.arrive: made when the thread's copies up to here are done.
  bool follows_copies = false;
};

// cp.async.mbarrier.arrive: the thread will arrive when its copies so far are done.
struct OrderedArrival {
  ThreadId thread;
  std::uint32_t site = 0;
  std::uint32_t mbarrier = 0;  // shared::cluster address
  bool is_counted = false;     // .noinc: the mbarrier's count includes it
};

// A thread has seen a phase of an mbarrier complete: the last one that did.
struct PhaseSeen {
  std::uint32_t mbarrier = 0;  // shared::cluster address
  ThreadId thread;
  std::uint32_t site = 0;
  MemoryOrder order = {};
};

// Lanes arrive at a barrier of the CTA or of the cluster.
struct BarrierArrival {
  BarrierId barrier;
  WarpId warp;
  LaneMask lanes = 0;
  std::uint32_t site = 0;
  unsigned expected = 0;  // threads; 0: all that live
  bool also_waits = false;
  bool is_aligned = true;  // all lanes of a warp are to execute the same instruction
  MemoryOrder order = {Semantics::acquire_release, Scope::cta};
};

// Threads pass a fence.
struct Fence {
  enum class Kind : std::uint8_t {
    memory,         // orders what comes before it and what comes behind it
    mbarrier_init,  // makes the initialization of mbarriers visible in the cluster
    async_own,      // lets the async proxy see shared memory of the CTA,
    async_shared,   // of the cluster,
    async_global,   // global memory,
    async,          // or both
    map_release,    // lets who acquires it use tensor maps as they are now
  };
  WarpId warp;
  std::uint32_t site = 0;
  LaneMask lanes = 0;
  Kind kind = Kind::memory;
  MemoryOrder order = {};
  bool is_sequential = false;  // fence.sc, membar
};

// Lanes exchange values, or just meet (shfl, vote, match, redux, bar.warp.sync), which orders no
// memory of theirs.
struct Exchange {
  WarpId warp;
  std::uint32_t site = 0;
  LaneMask lanes = 0;    // who met
  LaneMask members = 0;  // whom they named
};

// A thread commits or awaits its asynchronous operations, in groups.
struct Groups {
  ThreadId thread;
  std::uint32_t site = 0;
  std::uint32_t pending = 0;  // of a wait: how many of the newest groups may not be done
  bool only_read = false;     // of a wait for bulk operations: until their sources are read
  bool is_for_all = false;    // of a wait for copies: also those that no group holds yet
};

// A thread issues an operation through a tensor map in global memory, or a fence of it.
struct TensorMapUse {
  ThreadId thread;
  std::uint32_t site = 0;
  std::uint64_t address = 0;
  Scope scope = Scope::gpu;  // of a fence
};

// A register of the function that a warp is in: where it lies, and in which call.
struct Register {
  const void* frame = nullptr;
  std::uint32_t place = 0;
  auto operator<=>(const Register&) const = default;
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
  bool is_paired = false;               // .cta_group::2
  std::span<const GlobalRange> global;  // in the order in which it is walked; only at issue
  bool is_tensor = false;               // it has a tensor map,
  std::uint8_t rank = 0;                // of so many dimensions,
  std::uint16_t swizzle_bytes = 0;      // with this swizzle; 0: none
  std::uint32_t row_bytes = 0;          // of a row of its box; 0: they do not lie row after row
  bool skips_elements = false;          // and with element strides
  // Of a reduction: what it does, as a number. Two of one number come to the same in either order.
  std::uint8_t reduction = 0;
  std::uint64_t tensor_map = 0;  // the address of its tensor map, if that is in global memory
  std::uint64_t tensor = 0;      // the address of the tensor that the map describes
};

}  // namespace events

// The shared memory of a cluster's CTAs as the two proxies see it now.
class SharedViews {
 public:
  // In both views, as far as they agree. Only where a judge wants to be told by a result whether it
  // has come from there: who looks on changes nothing else.
  virtual void replace(std::uint32_t shared, std::span<const std::byte> bytes) = 0;
  virtual std::span<const std::byte> generic_view(unsigned rank) const = 0;
  virtual std::span<const std::byte> async_view(unsigned rank) const = 0;

 protected:
  ~SharedViews() = default;
};

// Reads the events of one cluster at a time, in their order.
class Observer {
 public:
  virtual ~Observer() = default;

  // Whether to call executes() and puts_off(), which come with every operation.
  virtual bool wants_instructions() const { return true; }

#define EVENT(function, parameters, names) \
  virtual void function parameters {       \
    ignore names;                          \
  }
#include "emulator/model/events.def"
#undef EVENT

 private:
  static constexpr void ignore(const auto&...) {}
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
