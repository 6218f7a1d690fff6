// Who accessed memory, how and where: what the checker remembers of an access.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <variant>

#include "emulator/check/access_kinds.h"
#include "emulator/check/clock.h"
#include "emulator/model/ids.h"
#include "emulator/model/memory_order.h"

namespace tmaemu::check {

// An access, by its number in the history, and which of its lanes.
struct Accessor {
  std::uint32_t access = 0;  // 0: nobody
  unsigned lane = 0;
};

// Who wrote some bytes, from which address on.
struct PastWrite {
  std::uint64_t address = 0;
  std::uint32_t access = 0;  // its number in the history; 0: none
  std::uint32_t lane : 5 = 0;
  std::uint32_t bytes : 27 = 1;

  Accessor by() const { return {access, lane}; }
};

// A moment of an actor: who knows of it knows that what goes on beside its thread is done.
struct Completion {
  Actor actor;
  Time time = 0;
  bool operator==(const Completion&) const = default;
};

// What lanes of a warp did themselves, before their threads went on.
struct ThreadAccess {
  MemoryOrder order = {};
  std::uint32_t element_bytes = 0;  // of strong accesses
  bool writes = false;
  bool is_read_only = false;  // a read through the read-only cache
  bool is_of_warp = false;    // done by all lanes together, though only one is named
};

// cp.async, st.async and red.async.
struct DeferredAccess {
  Completion completion;
  // Of cp.async: how far its source in global memory is from its target, if that is the same for
  // all lanes.
  std::optional<std::int64_t> distance = {};
};

// An operation of the TMA engine, at its source or at its target.
struct EngineAccess {
  Completion completion;
  std::uint32_t operation = 0;  // its number in the cluster
  std::uint64_t source = 0;     // the first address that it reads,
  std::uint64_t target = 0;     // and writes
  std::uint32_t bytes = 0;      // in shared memory
  std::uint16_t turn = 0;       // MbarrierChecker::turn, when it was issued
  std::uint8_t reduction = 0;   // what it does, see events::Bulk
  bool is_contiguous = false;   // it writes `bytes` from `target` on
};

// The engine reads the tensor map of an operation.
struct MapRead {
  Completion completion;
  std::uint32_t operation = 0;  // its number in the cluster
  Time groups = 0;              // the moment of its thread's bulk async-groups
};

struct PastAccess {
  AccessKind kind = AccessKind::plain;
  bool reduces = false;       // adds to what is there, one access after another
  std::uint16_t rank = 0;     // of the CTA in its cluster,
  std::uint32_t cta = 0;      // and its number in the grid
  std::uint32_t cluster = 0;  // the number of the cluster's first CTA
  std::uint16_t first = 0;    // the thread of lane 0
  std::uint32_t site = 0;     // the instruction, as Program::sites numbers them
  Time time = 0;              // when it was issued
  // Of a write to shared memory: the access that wrote last what it writes over.
  std::uint32_t replaces = 0;
  // Of a reduction: a write that it came upon, and that memory remembers no more; an earlier one
  // follows from that.
  PastWrite follows = {};
  std::variant<ThreadAccess, DeferredAccess, EngineAccess, MapRead> how = ThreadAccess{};

  const AccessKindEntry& entry() const { return entry_of(kind); }
  bool is_asynchronous() const { return entry().is_asynchronous(); }
  bool is_async_proxy() const { return entry().proxy == Proxy::async; }
  bool reads_map() const { return std::holds_alternative<MapRead>(how); }
  bool is_read_only() const { return of_thread() != nullptr && of_thread()->is_read_only; }
  // Whether it is a thread's own, and writes.
  bool is_plain_write() const {
    return kind == AccessKind::plain && of_thread() != nullptr && of_thread()->writes;
  }
  // That of weak accesses, for what is no thread's own.
  MemoryOrder order() const { return of_thread() != nullptr ? of_thread()->order : MemoryOrder{}; }

  const ThreadAccess* of_thread() const { return std::get_if<ThreadAccess>(&how); }
  const EngineAccess* of_engine() const { return std::get_if<EngineAccess>(&how); }
  // Of what is asynchronous. Of cp.async, each lane has copies of its own.
  Completion completion(unsigned lane = 0) const;
  // Of the engine's, or 0: the operation's number in its cluster.
  std::uint32_t operation() const;
  // Of two of the engine's: whether they are the same operation, issued twice.
  bool is_the_same_as(const PastAccess& other) const;
  // Of two of the engine's loads: whether they fill the same bytes in two laps of a ring.
  bool is_next_lap_of(const PastAccess& other) const;
  // Of two cp.async that meet at a byte: whether both bring the same one there.
  bool brings_the_same_as(const PastAccess& other) const;
  // Of two of the engine's: whether they are one, which comes upon what it has written itself.
  bool is_one_with(const PastAccess& other) const {
    return operation() != 0 && operation() == other.operation() && cluster == other.cluster;
  }
  // Whether both add to what is there, in a way that leaves the order open.
  bool commutes_with(const PastAccess& other) const;

  ThreadId thread(unsigned lane) const { return {rank, static_cast<std::uint16_t>(first + lane)}; }
  Actor issuer(unsigned lane) const {
    return {cta, static_cast<std::uint16_t>(first + lane), Actor::Track::thread};
  }
};
// As many as a kernel has accesses are remembered.
static_assert(sizeof(PastAccess) <= 96);

// The accesses of a cluster, or of a launch, by their numbers from 1. Several host threads may add.
class AccessHistory {
 public:
  static constexpr std::uint32_t most = 1u << 27;  // number and lane are packed into 32 bits

  // 0 where there is no room for more: then what comes is not remembered.
  std::uint32_t add(const PastAccess& access);
  const PastAccess& operator[](std::uint32_t number) const { return at(number); }
  // These two are to be called by who added the access, before others see its number.
  void set_replaced(std::uint32_t number, std::uint32_t replaced) {
    at(number).replaces = replaced;
  }
  void set_followed(std::uint32_t number, const PastWrite& write) { at(number).follows = write; }
  std::uint32_t size() const { return next_.load(std::memory_order_relaxed) - 1; }
  // Forgets all, and keeps the memory.
  void clear() { next_ = 1; }
  ~AccessHistory();

 private:
  static constexpr std::uint32_t chunk_size = 4096;

  PastAccess& at(std::uint32_t number) const {
    return chunks_[number / chunk_size].load(std::memory_order_acquire)[number % chunk_size];
  }

  std::atomic<std::uint32_t> next_{1};
  std::mutex growing_;
  std::unique_ptr<std::atomic<PastAccess*>[]> chunks_ =
      std::make_unique<std::atomic<PastAccess*>[]>(most / chunk_size);
};

}  // namespace tmaemu::check
