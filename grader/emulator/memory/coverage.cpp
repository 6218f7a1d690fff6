#include "emulator/memory/coverage.h"

#include <algorithm>
#include <bit>

#include "common/round_up.h"

namespace tmaemu {
namespace {

constexpr std::size_t word_bits = 64;

void set(std::atomic<std::uint64_t>& word, std::uint64_t bits) {
  if ((word.load(std::memory_order_relaxed) & bits) != bits) {
    word.fetch_or(bits, std::memory_order_relaxed);
  }
}

void clear(std::atomic<std::uint64_t>& word, std::uint64_t bits) {
  if ((word.load(std::memory_order_relaxed) & bits) != 0) {
    word.fetch_and(~bits, std::memory_order_relaxed);
  }
}

}  // namespace

Coverage::Coverage(std::size_t size)
    : covered_(common::round_up(size, granule * word_bits) / (granule * word_bits)) {}

template <class Change>
void Coverage::for_words(std::size_t offset, std::size_t size, const Change& change) {
  const std::size_t end = common::round_up(offset + size, granule) / granule;
  for (std::size_t bit = offset / granule; bit < end;) {
    const std::size_t count = std::min(end - bit, word_bits - bit % word_bits);
    change(bit / word_bits, ~std::uint64_t{0} >> (word_bits - count) << bit % word_bits);
    bit += count;
  }
}

std::uint64_t Coverage::bytes_outside(std::size_t offset, std::size_t size) const {
  std::uint64_t outside = 0;
  for_words(offset, size, [&](std::size_t word, std::uint64_t bits) {
    const std::uint64_t covered = covered_[word].load(std::memory_order_relaxed);
    outside += static_cast<unsigned>(std::popcount(bits & ~covered));
  });
  return outside * granule;
}

void Coverage::add(std::size_t offset, std::size_t size) {
  for_words(offset, size, [&](std::size_t word, std::uint64_t bits) { set(covered_[word], bits); });
}

void Coverage::add_outside(const Coverage& other, std::size_t offset, std::size_t size) {
  for_words(offset, size, [&](std::size_t word, std::uint64_t bits) {
    set(covered_[word], bits & ~other.covered_[word].load(std::memory_order_relaxed));
  });
}

void Coverage::add_inside(const Coverage& other, std::size_t offset, std::size_t size) {
  for_words(offset, size, [&](std::size_t word, std::uint64_t bits) {
    set(covered_[word], bits & other.covered_[word].load(std::memory_order_relaxed));
  });
}

std::uint64_t Coverage::take(std::size_t offset, std::size_t size) {
  std::uint64_t taken = 0;
  for_words(offset, size, [&](std::size_t word, std::uint64_t bits) {
    if ((covered_[word].load(std::memory_order_relaxed) & bits) == 0) return;
    const std::uint64_t before = covered_[word].fetch_and(~bits, std::memory_order_relaxed);
    taken += static_cast<unsigned>(std::popcount(before & bits));
  });
  return taken * granule;
}

void Coverage::remove(std::size_t offset, std::size_t size) {
  for_words(offset, size,
            [&](std::size_t word, std::uint64_t bits) { clear(covered_[word], bits); });
}

void Coverage::remove_outside(const Coverage& other, std::size_t offset, std::size_t size) {
  for_words(offset, size, [&](std::size_t word, std::uint64_t bits) {
    clear(covered_[word], bits & ~other.covered_[word].load(std::memory_order_relaxed));
  });
}

void Coverage::add_all(const Coverage& other) {
  for (std::size_t word = 0; word < covered_.size(); ++word) {
    set(covered_[word], other.covered_[word].load(std::memory_order_relaxed));
  }
}

void Coverage::remove_all(const Coverage& other) {
  for (std::size_t word = 0; word < covered_.size(); ++word) {
    clear(covered_[word], other.covered_[word].load(std::memory_order_relaxed));
  }
}

std::uint64_t Coverage::bytes() const {
  std::uint64_t granules = 0;
  for (const auto& word : covered_) {
    granules += static_cast<unsigned>(std::popcount(word.load(std::memory_order_relaxed)));
  }
  return granules * granule;
}

}  // namespace tmaemu
