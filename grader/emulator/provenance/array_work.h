// Which way the bytes of one of a judge's arrays were moved.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>

#include "contract/protocol/measures.h"
#include "emulator/memory/coverage.h"
#include "emulator/memory/global_memory.h"
#include "emulator/provenance/origins.h"

namespace tmaemu::provenance {

// The measures as which an operation counts: a bit for each.
using MeasureSet = std::uint64_t;
static_assert(measure_count < 64);
constexpr MeasureSet set_of(Measure measure) {
  return MeasureSet{1} << index_of(measure);
}
// Of a multicast that several CTAs have not read: it counts as none, and stands in the way of none,
// since a CTA may have nothing to do with what its neighbors need.
inline constexpr MeasureSet unshared_multicast = MeasureSet{1} << 63;

// Bytes are moved for show if the result does not come from them. So what counts for a measure is
//   loads    of what the judge has put there, which nobody has overwritten yet, if no operation
//            that does not count for the measure reads the same bytes, too: whoever needs them may
//            have them from there;
//   stores   unless a plain store has put there before what they put there again, and unless
//            something that does not count for the measure writes there afterward: what is there at
//            the end has not come by them, whoever has read it in between;
//   reductions that no store has to do with, be it a plain one or the engine's. (What reduces also
//            moves bytes through the engine, and does so wherever it is.)
// And kernels write what no copy of the host's puts there before or afterward. A swizzle counts as
// far as it is more on one side than on the other: who stores a tile with the one that it was
// loaded with need not know it.
//
// Several host threads may add at once.
class ArrayWork {
 public:
  explicit ArrayWork(const Region& region);

  bool has(std::uint64_t address) const { return address - address_ < size_; }
  std::uint64_t address() const { return address_; }

  // What the operations have done that count as the same measures.
  class Way;
  // Valid as long as this.
  Way& way(MeasureSet measures);

  // Bytes of an input that no kernel has asked for yet.
  std::uint64_t news(std::uint64_t address, std::size_t bytes) const;
  // As many are asked for now.
  std::uint64_t asks(std::uint64_t address, std::size_t bytes);
  void loads(Way& way, std::uint64_t address, std::size_t bytes);
  void stores(Way& way, std::uint64_t address, std::size_t bytes);
  void reduces(Way& way, std::uint64_t address, std::size_t bytes);
  // By threads' own loads, stores and atomics.
  void reads_plainly(std::uint64_t address, std::size_t bytes);
  void writes_plainly(std::uint64_t address, std::size_t bytes);
  // These, which have just been written, by accesses that are as wide as a vector: where a copy has
  // been before, they may put back what it brought.
  void is_stored_wide(std::uint64_t address, std::size_t bytes);
  void updates_plainly(std::uint64_t address, std::size_t bytes);
  // Where the values come from that one of these has just written.
  void came_from(const Origins::Written& origin, std::uint64_t address, std::size_t bytes);
  // By a kernel whose CTAs are on the GPU all at once.
  void is_of_resident_ctas(std::uint64_t address, std::size_t bytes);
  // By copies that no kernel makes.
  void is_copied_from(std::uint64_t address, std::size_t bytes);
  void is_copied_to(std::uint64_t address, std::size_t bytes);

  // What is neither loaded nor written counts as either.
  struct Moved {
    std::uint64_t loaded = 0;
    std::uint64_t written = 0;
    std::uint64_t either = 0;
    Moved& operator+=(const Moved& other);
  };
  Moved measured(Measure measure) const;

 private:
  struct Piece {
    std::size_t offset = 0;
    std::size_t bytes = 0;
  };
  // The part that is of the array, as offsets from the base.
  Piece piece(std::uint64_t address, std::size_t bytes) const;
  Moved moved(Measure measure) const;
  std::uint64_t bytes_read() const;
  // All ways but this one lose it.
  void overwrite(const Piece& piece, const Way* way);
  // What stores have put there is not there any more.
  void overwrite_stores(const Piece& piece);
  void is_written(const Piece& piece);

  std::uint64_t address_;
  std::size_t size_;
  // Where the 16 bytes begin in which the array does: a coverage counts them from there.
  std::uint64_t base_ = address_ / Coverage::granule * Coverage::granule;
  bool holds_input_;
  std::size_t covered_ = address_ + size_ - base_;
  Coverage read_plainly_;
  Coverage written_plainly_;
  Coverage written_;      // anyhow,
  Coverage unread_;       // and by no thread read since
  Coverage left_;         // by threads, and neither read nor stored over by the engine since
  Coverage stored_;       // by the engine, at any time
  Coverage holds_store_;  // and that is what is there
  Coverage stores_read_;
  std::atomic<std::uint64_t> read_back_ = 0;
  Coverage written_by_kernels_;
  Coverage stored_wide_;
  Coverage copied_to_;         // by the host
  Coverage loaded_;            // by asynchronous loads
  Coverage remote_;            // what is there now has crossed from CTA to CTA,
  Coverage handed_;            // or from warp to warp,
  Coverage handed_to_stores_;  // and at last to the warp that stored it,
  Coverage multiplied_;        // or has come out of a product,
  Coverage chained_;           // or of one whose factor had come out of another
  Coverage resident_;          // or is of a kernel whose CTAs are on the GPU all at once
  std::atomic<bool> has_origins_ = false;
  mutable std::mutex mutex_;  // of the map alone: its elements stay where they are
  std::map<MeasureSet, Way> ways_;
  std::atomic<bool> has_ways_ = false;
};

class ArrayWork::Way {
 public:
  explicit Way(std::size_t size) : loads_(size), stores_(size), reductions_(size) {}

 private:
  friend ArrayWork;
  Coverage loads_;
  Coverage stores_;
  Coverage reductions_;
};

}  // namespace tmaemu::provenance
