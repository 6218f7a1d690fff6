// What a program leaves in global memory of its own and reads from there again. A result that has
// come this way was not kept in shared memory from the load of an input to its own store: the
// kernels of such a program need no fence and no wait between what the engine, and what threads do.
//
// Followed is how much goes that way, not what: each 16 bytes count when something reads them that
// was written since they counted last, by somebody who may know something of an input: a cluster
// that has read from an array, or from here what another one has written that had. What the host
// brings, or a kernel makes of nothing, is a table and no tile. A flag is nothing beside a tile;
// and as much as a result has must be written and read again if the result comes from there. Of a
// counter, from which many a CTA draws by an atomic, the first one alone counts as a write: what
// the others find there is a number and no tile. Sums of products are no tiles either: several CTAs
// may have shares of one, as in split-K, and what they leave here is a product still.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <unordered_map>

#include "emulator/memory/coverage.h"

namespace tmaemu::provenance {

// Several host threads may be here at once.
class Detours {
 public:
  // By kernels, or by copies that no kernel makes; bytes [address, address + bytes). Whoever writes
  // `knows` something of an input, or does not.
  void writes(std::uint64_t address, std::uint64_t bytes, bool knows);
  void reads(std::uint64_t address, std::uint64_t bytes);
  // By an atomic, which has read them before.
  void updates(std::uint64_t address, std::uint64_t bytes, bool knows);
  // Whether who reads these may learn something of an input.
  bool tell(std::uint64_t address, std::uint64_t bytes);
  // Written, in whatever way, with what has come out of a warpgroup's product: sums may meet here.
  void keeps_products(std::uint64_t address, std::uint64_t bytes);

  bool has_products() const { return has_products_.load(std::memory_order_relaxed); }
  // Whether what is there is one.
  bool are_products(std::uint64_t address);

  // That were read after they had been written.
  std::uint64_t bytes() const { return bytes_.load(std::memory_order_relaxed); }

 private:
  // Of memory where nothing was written there is none. As large as a coverage's block.
  static constexpr std::uint64_t page_bytes = std::uint64_t{1} << 19;
  struct Page {
    Coverage tells{page_bytes};    // was written by somebody who knew something of an input
    Coverage unread{page_bytes};   // likewise, and has not been read since
    Coverage updated{page_bytes};  // by an atomic, at any time
    Coverage products{page_bytes};
  };

  // Calls visit(page, offset, size) for the pages that these bytes lie in, which are made where
  // there are none if `makes`.
  template <class Visit>
  void for_pages(std::uint64_t address, std::uint64_t bytes, bool makes, Visit visit);
  Page* page(std::uint64_t number, bool makes);

  std::mutex mutex_;  // of the map alone: pages stay where they are
  std::unordered_map<std::uint64_t, std::unique_ptr<Page>> pages_;
  std::atomic<std::uint64_t> bytes_ = 0;
  std::atomic<bool> has_products_ = false;
};

}  // namespace tmaemu::provenance
