#include "emulator/memory/coverage.h"

#include <algorithm>
#include <bit>

#include "common/round_up.h"

namespace tmaemu {
namespace {

constexpr std::size_t word_bits = 64;
constexpr std::size_t block_words = std::tuple_size_v<Coverage::Block>;
constexpr std::size_t block_bytes = block_words * word_bits * Coverage::granule;

std::uint64_t bits_of(std::uint64_t& word) {
  return std::atomic_ref(word).load(std::memory_order_relaxed);
}

}  // namespace

Coverage::Coverage(std::size_t size)
    : count_(common::round_up(size, block_bytes) / block_bytes),
      blocks_(std::make_unique<std::atomic<Block*>[]>(count_)) {}

Coverage::~Coverage() {
  for (std::size_t index = 0; index < count_; ++index) delete blocks_[index].load();
}

std::uint64_t* Coverage::find(std::size_t word) const {
  Block* const block = blocks_[word / block_words].load(std::memory_order_acquire);
  return block == nullptr ? nullptr : &(*block)[word % block_words];
}

std::uint64_t Coverage::load(std::size_t word) const {
  std::uint64_t* const found = find(word);
  return found == nullptr ? 0 : bits_of(*found);
}

void Coverage::set(std::size_t word, std::uint64_t bits) {
  if (bits == 0) return;
  std::uint64_t* found = find(word);
  if (found == nullptr) {
    auto made = std::make_unique<Block>();
    Block* before = nullptr;
    if (blocks_[word / block_words].compare_exchange_strong(before, made.get())) made.release();
    found = find(word);
  }
  if ((bits_of(*found) & bits) != bits) {
    std::atomic_ref(*found).fetch_or(bits, std::memory_order_relaxed);
  }
}

std::uint64_t Coverage::clear(std::size_t word, std::uint64_t bits) {
  std::uint64_t* const found = find(word);
  if (found == nullptr || (bits_of(*found) & bits) == 0) return 0;
  return std::atomic_ref(*found).fetch_and(~bits, std::memory_order_relaxed) & bits;
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

void Coverage::add(std::size_t offset, std::size_t size) {
  for_words(offset, size, [&](std::size_t word, std::uint64_t bits) { set(word, bits); });
}

void Coverage::add_outside(const Coverage& other, std::size_t offset, std::size_t size) {
  for_words(offset, size,
            [&](std::size_t word, std::uint64_t bits) { set(word, bits & ~other.load(word)); });
}

void Coverage::add_inside(const Coverage& other, std::size_t offset, std::size_t size) {
  for_words(offset, size,
            [&](std::size_t word, std::uint64_t bits) { set(word, bits & other.load(word)); });
}

void Coverage::remove(std::size_t offset, std::size_t size) {
  for_words(offset, size, [&](std::size_t word, std::uint64_t bits) { clear(word, bits); });
}

std::uint64_t Coverage::take(std::size_t offset, std::size_t size) {
  std::uint64_t taken = 0;
  for_words(offset, size, [&](std::size_t word, std::uint64_t bits) {
    taken += static_cast<unsigned>(std::popcount(clear(word, bits)));
  });
  return taken * granule;
}

std::uint64_t Coverage::bytes_outside(std::size_t offset, std::size_t size) const {
  std::uint64_t outside = 0;
  for_words(offset, size, [&](std::size_t word, std::uint64_t bits) {
    outside += static_cast<unsigned>(std::popcount(bits & ~load(word)));
  });
  return outside * granule;
}

bool Coverage::has_any(std::size_t offset, std::size_t size) const {
  bool any = false;
  for_words(offset, size,
            [&](std::size_t word, std::uint64_t bits) { any = any || (bits & load(word)) != 0; });
  return any;
}

std::uint64_t Coverage::bytes() const {
  std::uint64_t granules = 0;
  for (std::size_t index = 0; index < count_; ++index) {
    Block* const block = blocks_[index].load(std::memory_order_acquire);
    if (block == nullptr) continue;
    for (std::uint64_t& word : *block)
      granules += static_cast<unsigned>(std::popcount(bits_of(word)));
  }
  return granules * granule;
}

bool Coverage::add_to(Block& block, std::size_t index) const {
  Block* const own = blocks_[index].load(std::memory_order_acquire);
  if (own == nullptr) return false;
  for (std::size_t word = 0; word < block_words; ++word) block[word] |= bits_of((*own)[word]);
  return true;
}

}  // namespace tmaemu
