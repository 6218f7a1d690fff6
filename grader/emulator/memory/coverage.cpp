#include "emulator/memory/coverage.h"

#include <algorithm>
#include <bit>
#include <new>

#include "common/round_up.h"

namespace tmaemu {
namespace {

constexpr std::size_t word_bits = 64;

std::uint64_t load(std::uint64_t& word) {
  return std::atomic_ref(word).load(std::memory_order_relaxed);
}

void set(std::uint64_t& word, std::uint64_t bits) {
  if ((load(word) & bits) != bits) {
    std::atomic_ref(word).fetch_or(bits, std::memory_order_relaxed);
  }
}

void clear(std::uint64_t& word, std::uint64_t bits) {
  if ((load(word) & bits) != 0) {
    std::atomic_ref(word).fetch_and(~bits, std::memory_order_relaxed);
  }
}

}  // namespace

Coverage::Coverage(std::size_t size) {
  const std::size_t count = common::round_up(size, granule * word_bits) / (granule * word_bits);
  words_.reset(static_cast<std::uint64_t*>(std::calloc(count, sizeof(std::uint64_t))));
  if (words_ == nullptr && count > 0) throw std::bad_alloc();
  covered_ = {words_.get(), count};
}

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
    const std::uint64_t covered = load(covered_[word]);
    outside += static_cast<unsigned>(std::popcount(bits & ~covered));
  });
  return outside * granule;
}

void Coverage::add(std::size_t offset, std::size_t size) {
  for_words(offset, size, [&](std::size_t word, std::uint64_t bits) { set(covered_[word], bits); });
}

void Coverage::add_outside(const Coverage& other, std::size_t offset, std::size_t size) {
  for_words(offset, size, [&](std::size_t word, std::uint64_t bits) {
    set(covered_[word], bits & ~load(other.covered_[word]));
  });
}

void Coverage::add_inside(const Coverage& other, std::size_t offset, std::size_t size) {
  for_words(offset, size, [&](std::size_t word, std::uint64_t bits) {
    set(covered_[word], bits & load(other.covered_[word]));
  });
}

std::uint64_t Coverage::take(std::size_t offset, std::size_t size) {
  std::uint64_t taken = 0;
  for_words(offset, size, [&](std::size_t word, std::uint64_t bits) {
    if ((load(covered_[word]) & bits) == 0) return;
    const std::uint64_t before =
        std::atomic_ref(covered_[word]).fetch_and(~bits, std::memory_order_relaxed);
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
    clear(covered_[word], bits & ~load(other.covered_[word]));
  });
}

void Coverage::add_all(const Coverage& other) {
  for (std::size_t word = 0; word < covered_.size(); ++word) {
    set(covered_[word], load(other.covered_[word]));
  }
}

void Coverage::remove_all(const Coverage& other) {
  for (std::size_t word = 0; word < covered_.size(); ++word) {
    clear(covered_[word], load(other.covered_[word]));
  }
}

std::uint64_t Coverage::bytes() const {
  std::uint64_t granules = 0;
  for (std::uint64_t& word : covered_) {
    granules += static_cast<unsigned>(std::popcount(load(word)));
  }
  return granules * granule;
}

}  // namespace tmaemu
