#include "emulator/memory/coverage.h"

#include <algorithm>
#include <bit>

#include "common/round_up.h"

namespace tmaemu {
namespace {

constexpr std::size_t word_bits = 64;

}  // namespace

Coverage::Coverage(std::size_t size)
    : covered_(common::round_up(size, granule * word_bits) / (granule * word_bits)) {}

void Coverage::add(std::size_t offset, std::size_t size) {
  const std::size_t end = common::round_up(offset + size, granule) / granule;
  for (std::size_t bit = offset / granule; bit < end;) {
    const std::size_t count = std::min(end - bit, word_bits - bit % word_bits);
    const std::uint64_t mask = ~std::uint64_t{0} >> (word_bits - count) << bit % word_bits;
    std::atomic<std::uint64_t>& word = covered_[bit / word_bits];
    if ((word.load(std::memory_order_relaxed) & mask) != mask) {
      word.fetch_or(mask, std::memory_order_relaxed);
    }
    bit += count;
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
