// The shared memory of one CTA, as the two proxies see it.
//
// Ordinary loads and stores use the generic view. The TMA engine reads the async view, which
// learns of a generic write only when a proxy fence covers it (PTX ISA, "Proxies", "Async proxy",
// fence.proxy.async). So a missing fence gives the engine stale bytes, every time. What the engine
// writes is in both views at once, and what cp.async copies: see AsyncCopies::perform.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

#include "emulator/memory/last_writes.h"
#include "emulator/model/ids.h"
#include "emulator/order/vector_clock.h"

namespace tmaemu {

class SharedMemory {
 public:
  // `size`: bytes from offset 0, the reserved first kilobyte included. `two_views` is false for
  // kernels that never use the async proxy: then there is one view and nothing to track.
  SharedMemory(std::size_t size, bool two_views);

  // As at the start of a CTA: the contents are undefined, nothing is stale.
  void reset();

  std::size_t size() const { return size_; }
  bool contains(std::uint32_t offset, std::size_t bytes) const {
    return offset <= size() && bytes <= size() - offset;
  }
  // Whether accesses that leave it find memory there: an SM gives it out in units.
  bool maps(std::uint32_t offset, std::size_t bytes) const {
    return offset <= generic_.size() && bytes <= generic_.size() - offset;
  }
  bool two_views() const { return two_views_; }

  // Generic view. After writing through it, call note_write.
  std::byte* generic() { return generic_.data(); }
  const std::byte* generic() const { return generic_.data(); }

  // A generic write of `bytes` at `offset` by `writer` was made: the async view is stale there.
  void note_write(std::uint32_t offset, std::uint32_t bytes, ThreadId writer, Epoch epoch) {
    if (two_views_) mark_stale(offset, bytes, writer, epoch);
  }

  // Other bytes in the place of those that are there, in both views where these are not stale.
  void replace(std::uint32_t offset, std::span<const std::byte> bytes);

  // fence.proxy.async: the stale bytes for whose write `is_known` holds become visible to the
  // async view.
  template <class Predicate>
  void make_visible(Predicate is_known);

  // Async view.
  void read_async(std::uint32_t offset, std::span<std::byte> destination) const {
    const auto& view = two_views_ ? async_ : generic_;
    std::memcpy(destination.data(), view.data() + offset, destination.size());
  }
  const std::byte* async() const { return two_views_ ? async_.data() : generic_.data(); }
  // A write by the engine: both views have it.
  void write_async(std::uint32_t offset, std::span<const std::byte> source);

 private:
  static constexpr std::size_t word_bits = 64;

  void mark_stale(std::uint32_t offset, std::uint32_t bytes, ThreadId writer, Epoch epoch);
  void clear_stale(std::uint32_t offset, std::size_t bytes);

  std::size_t size_;  // of what the program has; the views have all that is mapped
  bool two_views_;
  std::vector<std::byte> generic_;
  std::vector<std::byte> async_;
  // Where the views may differ: one bit a byte, and the hull of the bits that are set.
  std::vector<std::uint64_t> stale_;
  std::size_t stale_begin_ = 0;
  std::size_t stale_end_ = 0;
  // Meaningful only where the bit is set. Most CTAs with bulk copies never write.
  LastWrites writes_;
};

template <class Predicate>
void SharedMemory::make_visible(Predicate is_known) {
  // Bytes written by one thread at one time are asked for once.
  LastWrites::Write last;
  bool last_answer = false;
  std::size_t remaining_begin = stale_end_;
  std::size_t remaining_end = stale_begin_;
  for (std::size_t word = stale_begin_ / word_bits; word * word_bits < stale_end_; ++word) {
    for (std::uint64_t bits = stale_[word]; bits != 0;) {
      const auto first = static_cast<std::size_t>(std::countr_zero(bits));
      const std::size_t begin = word * word_bits + first;
      const LastWrites::Write write = writes_.at(begin);
      if (write != last || last.epoch == 0) {
        last = write;
        last_answer = is_known(write.writer, write.epoch);
      }
      // What the same write has left of the bytes that follow.
      const std::size_t run_end = begin + static_cast<std::size_t>(std::countr_one(bits >> first));
      const std::size_t end = writes_.end_of_run(begin, run_end);
      const std::uint64_t run = (~std::uint64_t{0} >> (word_bits - (end - begin))) << first;
      bits &= ~run;
      if (last_answer) {
        std::memcpy(&async_[begin], &generic_[begin], end - begin);
        stale_[word] &= ~run;
      } else {
        remaining_begin = std::min(remaining_begin, begin);
        remaining_end = end;
      }
    }
  }
  if (remaining_begin >= remaining_end) remaining_begin = remaining_end = 0;
  stale_begin_ = remaining_begin;
  stale_end_ = remaining_end;
}

}  // namespace tmaemu
