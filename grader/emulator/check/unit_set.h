// Bytes of a CTA's shared memory, as units of 16 bytes: a bit each.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace tmaemu::check {

class UnitSet {
 public:
  static constexpr std::uint32_t unit_bytes = 16;

  // The unit at an offset in shared memory.
  void add(std::uint32_t offset) {
    const std::uint32_t unit = offset / unit_bytes;
    if (unit / word_bits >= words_.size()) words_.resize(unit / word_bits + 1);
    words_[unit / word_bits] |= std::uint64_t{1} << unit % word_bits;
  }
  void add(const UnitSet& others) {
    words_.resize(std::max(words_.size(), others.words_.size()));
    for (std::size_t i = 0; i < others.words_.size(); ++i) words_[i] |= others.words_[i];
  }
  // Keeps the memory.
  void clear() { std::ranges::fill(words_, 0); }

  // Calls visit(offset, bytes) for each run of them, in ascending order.
  template <class Visit>
  void for_each_run(Visit visit) const {
    const std::size_t end = words_.size() * word_bits;
    for (std::size_t i = 0; i < end;) {
      const std::uint64_t rest = words_[i / word_bits] >> i % word_bits;
      if ((rest & 1) == 0) {
        i = rest == 0 ? (i / word_bits + 1) * word_bits : i + std::countr_zero(rest);
        continue;
      }
      const std::size_t begin = i;
      for (bool goes_on = true; goes_on;) {
        const unsigned here = std::countr_one(words_[i / word_bits] >> i % word_bits);
        i += here;
        goes_on = i % word_bits == 0 && i < end && (words_[i / word_bits] & 1) != 0;
      }
      visit(static_cast<std::uint32_t>(begin * unit_bytes),
            static_cast<std::uint32_t>((i - begin) * unit_bytes));
    }
  }

 private:
  static constexpr std::uint32_t word_bits = 64;

  std::vector<std::uint64_t> words_;
};

}  // namespace tmaemu::check
