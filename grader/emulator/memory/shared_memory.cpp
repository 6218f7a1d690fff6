#include "emulator/memory/shared_memory.h"

#include <algorithm>

#include "common/round_up.h"
#include "emulator/model/h200.h"

namespace tmaemu {
namespace {

// What shared memory holds before anything is written: undefined for the program, the same in
// every run for us. A NaN in every floating-point type.
constexpr std::byte undefined_byte{0xFF};

// Of the word that holds bit `begin`: the bits from there on that lie before bit `end`.
std::uint64_t bits_of_word(std::size_t begin, std::size_t end) {
  constexpr std::size_t word_bits = 64;
  const std::size_t first = begin % word_bits;
  const std::size_t count = std::min(end - begin, word_bits - first);
  return (~std::uint64_t{0} >> (word_bits - count)) << first;
}

}  // namespace

SharedMemory::SharedMemory(std::size_t size, bool two_views)
    : size_(size),
      two_views_(two_views),
      generic_(common::round_up(size, h200::shared_unit), undefined_byte) {
  if (!two_views_) return;
  async_.assign(generic_.size(), undefined_byte);
  stale_.assign((generic_.size() + word_bits - 1) / word_bits, 0);
}

void SharedMemory::reset() {
  std::ranges::fill(generic_, undefined_byte);
  std::ranges::fill(async_, undefined_byte);
  std::ranges::fill(stale_, 0);
  stale_begin_ = stale_end_ = 0;
}

void SharedMemory::mark_stale(std::uint32_t offset, std::uint32_t bytes, ThreadId writer,
                              Epoch epoch) {
  if (!writes_.has_room()) writes_.make_room(generic_.size());
  const std::size_t end = std::size_t{offset} + bytes;
  for (std::size_t i = offset; i < end; i = (i / word_bits + 1) * word_bits) {
    stale_[i / word_bits] |= bits_of_word(i, end);
  }
  writes_.set(offset, bytes, {writer, epoch});
  if (stale_begin_ == stale_end_) {
    stale_begin_ = offset;
    stale_end_ = end;
  } else {
    stale_begin_ = std::min<std::size_t>(stale_begin_, offset);
    stale_end_ = std::max(stale_end_, end);
  }
}

void SharedMemory::write_async(std::uint32_t offset, std::span<const std::byte> source) {
  if (source.empty()) return;  // a copy of no bytes has them nowhere
  std::memcpy(generic_.data() + offset, source.data(), source.size());
  if (!two_views_) return;
  std::memcpy(async_.data() + offset, source.data(), source.size());
  if (stale_begin_ != stale_end_) clear_stale(offset, source.size());
}

void SharedMemory::replace(std::uint32_t offset, std::span<const std::byte> bytes) {
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    std::byte& generic = generic_[offset + i];
    if (two_views_ && async_[offset + i] == generic) async_[offset + i] = bytes[i];
    generic = bytes[i];
  }
}

void SharedMemory::clear_stale(std::uint32_t offset, std::size_t bytes) {
  const std::size_t begin = std::max<std::size_t>(offset, stale_begin_);
  const std::size_t end = std::min(offset + bytes, stale_end_);
  for (std::size_t i = begin; i < end; i = (i / word_bits + 1) * word_bits) {
    stale_[i / word_bits] &= ~bits_of_word(i, end);
  }
}

}  // namespace tmaemu
