// Who accessed memory, how and where: what the checker remembers of an access.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "emulator/check/clock.h"
#include "emulator/model/ids.h"
#include "emulator/model/memory_order.h"

namespace tmaemu::check {

// A record, and which of its lanes.
struct Entry {
  std::uint32_t record = 0;  // 0: nobody
  unsigned lane = 0;
};

// Who wrote some bytes, from which address on.
struct Writer {
  Entry entry;
  std::uint64_t address = 0;
  std::uint32_t bytes = 1;
};

struct Record {
  enum class Kind : std::uint8_t {
    plain,        // lanes of a warp, through the generic proxy
    copy,         // cp.async
    load,         // the TMA engine: from global memory, or from shared memory of the cluster
    store,        // the TMA engine: to global memory
    async_store,  // st.async, red.async
    mbarrier,     // the object that mbarrier.init made
  };
  Kind kind = Kind::plain;
  bool reduces = false;         // adds to what is there, one access after another
  std::uint8_t reduction = 0;   // of the engine's: what it does, see events::Bulk
  bool writes = false;          // of plain ones
  bool reads_map = false;       // of the engine: it reads its tensor map
  bool is_contiguous = false;   // of the engine: it writes `bytes` from `target` on
  bool is_read_only = false;    // a read through the read-only cache
  bool is_of_warp = false;      // done by all lanes together, though only one is named
  MemoryOrder order = {};       // of plain ones
  std::uint16_t rank = 0;       // of the CTA in its cluster,
  std::uint32_t cta = 0;        // and its number in the grid
  std::uint32_t cluster = 0;    // the number of the cluster's first CTA
  std::uint16_t first = 0;      // the thread of lane 0
  std::uint32_t site = 0;       // the instruction, as Program::sites numbers them
  Time time = 0;                // when it was issued
  Actor completion = {};        // of what is done later: whose moment says that it is,
  Time completed = 0;           // and which
  std::uint32_t operation = 0;  // of the engine: its number in the cluster
  std::uint64_t source = 0;     // where it reads,
  std::uint64_t target = 0;     // and writes: the first address (where a load reads its map: the
                                // moment of its thread's groups),
  std::uint32_t bytes = 0;      // and how many; of strong accesses by lanes: of each element
  std::uint32_t replaces = 0;   // of a load: the record of what was there before
  Writer follows = {};          // of a reduction: a write that it came upon, and that memory
                                // remembers no more; an earlier one follows from that

  bool is_done_later() const { return kind != Kind::plain && kind != Kind::mbarrier; }
  // Of two of the engine's: whether they are the same operation, issued twice.
  bool is_the_same_as(const Record& other) const {
    return kind == other.kind && cluster == other.cluster && source != 0 &&
           source == other.source && target == other.target && bytes == other.bytes &&
           reduction == other.reduction;
  }
  // Of two of the engine's: whether they are one, which comes upon what it has written itself.
  bool is_one_with(const Record& other) const {
    return operation != 0 && operation == other.operation && cluster == other.cluster;
  }
  // Whether both add to what is there, in a way that leaves the order open.
  bool commutes_with(const Record& other) const {
    if (!reduces || !other.reduces) return false;
    return reduction == 0 || other.reduction == 0 || reduction == other.reduction;
  }
  bool is_async_proxy() const { return kind == Kind::load || kind == Kind::store; }
  // Of cp.async, each lane has copies of its own.
  Actor completion_of(unsigned lane) const {
    Actor actor = completion;
    if (kind == Kind::copy) actor.index = static_cast<std::uint16_t>(first + lane);
    return actor;
  }
  ThreadId thread(unsigned lane) const { return {rank, static_cast<std::uint16_t>(first + lane)}; }
  Actor issuer(unsigned lane) const {
    return {cta, static_cast<std::uint16_t>(first + lane), Actor::Track::thread};
  }
};

// The CTA of a number in the grid.
inline Dimensions cta_of_number(const Dimensions& grid, std::uint32_t number) {
  return {number % grid.x, number / grid.x % grid.y, number / grid.x / grid.y};
}

// The records of a cluster, or of a launch, by their numbers from 1. Several host threads may add.
class Records {
 public:
  static constexpr std::uint32_t most = 1u << 27;  // an entry is packed into 32 bits

  // 0 where there is no room for more: then what comes is not remembered.
  std::uint32_t add(const Record& record);
  const Record& operator[](std::uint32_t number) const { return at(number); }
  // These two are to be called by who added the record, before others see its number.
  void set_replaced(std::uint32_t number, std::uint32_t replaced) {
    at(number).replaces = replaced;
  }
  void set_followed(std::uint32_t number, const Writer& writer) { at(number).follows = writer; }
  std::uint32_t size() const { return next_.load(std::memory_order_relaxed) - 1; }
  // Forgets all, and keeps the memory.
  void clear() { next_ = 1; }
  ~Records();

 private:
  static constexpr std::uint32_t chunk_size = 4096;

  Record& at(std::uint32_t number) const {
    return chunks_[number / chunk_size].load(std::memory_order_acquire)[number % chunk_size];
  }

  std::atomic<std::uint32_t> next_{1};
  std::mutex growing_;
  std::unique_ptr<std::atomic<Record*>[]> chunks_ =
      std::make_unique<std::atomic<Record*>[]>(most / chunk_size);
};

}  // namespace tmaemu::check
