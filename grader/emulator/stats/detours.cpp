#include "emulator/stats/detours.h"

#include <algorithm>
#include <bit>

namespace tmaemu::stats {

Detours::Page* Detours::page(std::uint64_t number, bool makes) {
  const std::lock_guard lock(mutex_);
  const auto found = pages_.find(number);
  if (found != pages_.end()) return found->second.get();
  if (!makes) return nullptr;
  return pages_.emplace(number, std::make_unique<Page>()).first->second.get();
}

template <class Visit>
void Detours::for_words(std::uint64_t address, std::uint64_t bytes, bool makes, Visit visit) {
  if (bytes == 0) return;
  constexpr std::uint64_t page_granules = page_bytes / granule;
  const std::uint64_t end = (address + bytes - 1) / granule + 1;
  for (std::uint64_t bit = address / granule; bit < end;) {
    const std::uint64_t page_end = std::min(end, (bit / page_granules + 1) * page_granules);
    Page* const found = page(bit / page_granules, makes);
    if (found == nullptr) {
      bit = page_end;
      continue;
    }
    while (bit < page_end) {
      const std::uint64_t count = std::min(page_end - bit, word_bits - bit % word_bits);
      const std::uint64_t bits = ~std::uint64_t{0} >> (word_bits - count) << bit % word_bits;
      visit((*found)[bit % page_granules / word_bits], bits);
      bit += count;
    }
  }
}

void Detours::writes(std::uint64_t address, std::uint64_t bytes) {
  for_words(address, bytes, true, [](std::atomic<std::uint64_t>& word, std::uint64_t bits) {
    word.fetch_or(bits, std::memory_order_relaxed);
  });
}

void Detours::reads(std::uint64_t address, std::uint64_t bytes) {
  std::uint64_t granules = 0;
  for_words(address, bytes, false, [&](std::atomic<std::uint64_t>& word, std::uint64_t bits) {
    if ((word.load(std::memory_order_relaxed) & bits) == 0) return;
    const std::uint64_t before = word.fetch_and(~bits, std::memory_order_relaxed);
    granules += static_cast<unsigned>(std::popcount(before & bits));
  });
  if (granules != 0) bytes_.fetch_add(granules * granule, std::memory_order_relaxed);
}

}  // namespace tmaemu::stats
