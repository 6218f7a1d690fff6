// Which way the bytes of one of a judge's arrays were moved.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <mutex>

#include "emulator/memory/coverage.h"
#include "emulator/memory/global_memory.h"
#include "emulator/model/measures.h"

namespace tmaemu::stats {

// Bytes are moved for show if the result does not come from them. So a load counts for a measure
// if it is of what the judge has put there, which nobody has overwritten yet, and if no plain load
// reads the same bytes: whoever needs them has them from there. A store counts unless a plain store
// has put there before what it puts there again, and unless one overwrites what nobody has read.
//
// Several host threads may add at once.
class ArrayWork {
 public:
  explicit ArrayWork(const Region& region);

  bool has(std::uint64_t address) const { return address - address_ < size_; }
  std::uint64_t address() const { return address_; }

  void loads(Measure measure, std::uint64_t address, std::size_t bytes);
  void stores(Measure measure, std::uint64_t address, std::size_t bytes);
  void reduces(Measure measure, std::uint64_t address, std::size_t bytes);
  // By threads' own loads, stores and atomics.
  void reads_plainly(std::uint64_t address, std::size_t bytes);
  void writes_plainly(std::uint64_t address, std::size_t bytes);
  void updates_plainly(std::uint64_t address, std::size_t bytes);
  // By copies that no kernel makes.
  void is_copied_from(std::uint64_t address, std::size_t bytes);
  void is_copied_to(std::uint64_t address, std::size_t bytes);

  std::uint64_t measured(Measure measure) const;

 private:
  struct Piece {
    std::size_t offset = 0;
    std::size_t bytes = 0;
  };
  // The part that is of the array.
  Piece piece(std::uint64_t address, std::size_t bytes) const;
  // What a measure has seen, of loads and of stores.
  struct Seen {
    explicit Seen(std::size_t size) : loads(size), stores(size) {}
    Coverage loads;
    Coverage stores;
  };
  Seen& seen(Measure measure);
  const Seen* seen_so_far(Measure measure) const {
    return seen_[index_of(measure)].load(std::memory_order_acquire);
  }
  void overwrite(const Piece& piece);

  std::uint64_t address_;  // of the region
  std::size_t size_;
  Region::Array array_;
  Coverage read_plainly_;
  Coverage written_plainly_;
  Coverage written_;  // anyhow
  Coverage reread_;   // after that
  std::mutex mutex_;
  std::deque<Seen> all_seen_;
  std::array<std::atomic<Seen*>, measure_count> seen_{};
};

}  // namespace tmaemu::stats
