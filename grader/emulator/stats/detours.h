// What a program leaves in global memory of its own and reads from there again. A result that has
// come this way was not kept in shared memory from the load of an input to its own store: the
// kernels of such a program need no fence and no wait between what the engine, and what threads do.
//
// Followed is how much goes that way, not what: each 16 bytes count when something reads them that
// was written since they counted last. A counter or a flag is nothing beside a tile; and as much as
// a result has must be written and read again if the result comes from there.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <unordered_map>

namespace tmaemu::stats {

// Several host threads may be here at once.
class Detours {
 public:
  // By kernels, or by copies that no kernel makes; bytes [address, address + bytes).
  void writes(std::uint64_t address, std::uint64_t bytes);
  void reads(std::uint64_t address, std::uint64_t bytes);

  // That were read after they had been written.
  std::uint64_t bytes() const { return bytes_.load(std::memory_order_relaxed); }

 private:
  static constexpr std::uint64_t granule = 16;
  static constexpr std::uint64_t word_bits = 64;
  static constexpr std::uint64_t page_bytes = std::uint64_t{1} << 16;
  // A bit for each 16 bytes that were written, and have not been read since.
  using Page = std::array<std::atomic<std::uint64_t>, page_bytes / granule / word_bits>;

  // Calls visit(word, bits) for the words of pages that these bytes have bits in. Of memory where
  // nothing was written there are no pages, and none are made unless `makes`.
  template <class Visit>
  void for_words(std::uint64_t address, std::uint64_t bytes, bool makes, Visit visit);
  Page* page(std::uint64_t number, bool makes);

  std::mutex mutex_;  // of the map alone: pages stay where they are
  std::unordered_map<std::uint64_t, std::unique_ptr<Page>> pages_;
  std::atomic<std::uint64_t> bytes_ = 0;
};

}  // namespace tmaemu::stats
