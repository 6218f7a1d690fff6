// What a launch's checker remembers of global memory.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <mutex>
#include <unordered_map>

#include "emulator/check/past_access.h"
#include "emulator/check/shadow.h"

namespace tmaemu::check {

// The blocks of global memory, made when they are first touched. Several host threads may use it.
class GlobalShadow {
  static constexpr std::uint64_t page_bytes = std::uint64_t{64} << 10;
  static constexpr std::uint64_t nowhere = ~std::uint64_t{0};
  using Page = std::array<Block, page_bytes / block_bytes>;

 public:
  // The page that was visited last, which nobody else visits meanwhile: the lanes of a warp nearly
  // always access one.
  class Visited {
   public:
    Visited() = default;
    ~Visited() { leave(); }
    Visited(const Visited&) = delete;
    Visited& operator=(const Visited&) = delete;

    void leave() {
      if (mutex_ != nullptr) mutex_->unlock();
      mutex_ = nullptr;
      number_ = nowhere;
    }

   private:
    friend class GlobalShadow;
    std::mutex* mutex_ = nullptr;  // held
    std::uint64_t number_ = nowhere;
    Page* page_ = nullptr;
  };

  // Calls visit(block, address, begin, end) for each block that the bytes lie in, one after
  // another: `begin` and `end` are of the block's bytes, and `address` that of the first of them.
  template <class Visit>
  void for_each_block(std::uint64_t address, std::uint64_t bytes, Visited& visited, Visit visit) {
    for (const std::uint64_t last = address + bytes; address < last;) {
      const std::uint64_t page = address / page_bytes;
      const std::uint64_t page_end = std::min(last, (page + 1) * page_bytes);
      if (page != visited.number_) {
        visited.leave();
        Shard& shard = shards_[page % shards_.size()];
        shard.mutex.lock();
        visited.mutex_ = &shard.mutex;
        visited.number_ = page;
        visited.page_ = &shard.page(page);
      }
      visit_page(*visited.page_, address, page_end, visit);
      address = page_end;
    }
  }
  template <class Visit>
  void for_each_block(std::uint64_t address, std::uint64_t bytes, Visit visit) {
    Visited visited;
    for_each_block(address, bytes, visited, visit);
  }
  // The same, without the pages that nobody has touched.
  template <class Visit>
  void for_each_touched_block(std::uint64_t address, std::uint64_t bytes, Visit visit) {
    for (const std::uint64_t last = address + bytes; address < last;) {
      const std::uint64_t page = address / page_bytes;
      const std::uint64_t page_end = std::min(last, (page + 1) * page_bytes);
      Shard& shard = shards_[page % shards_.size()];
      const std::lock_guard lock(shard.mutex);
      if (Page* const blocks = shard.find(page)) visit_page(*blocks, address, page_end, visit);
      address = page_end;
    }
  }
  // What was done with the bytes so far is nobody's concern any more.
  void forget(std::uint64_t address, std::uint64_t bytes) {
    for_each_touched_block(
        address, bytes, [](Block& block, std::uint64_t /*address*/, unsigned begin, unsigned end) {
          if (begin == 0 && end == block_bytes) {
            block = {};
            return;
          }
          if (block.cells == nullptr || block.granule != 1) block.divide(1);
          block.tell_cells();
          std::fill(&block.cells[begin], &block.cells[0] + end, Cell{});
        });
  }
  std::uint64_t pages() const {
    std::uint64_t count = 0;
    for (const Shard& shard : shards_) count += shard.pages.size();
    return count;
  }

 private:
  struct Shard {
    std::mutex mutex;
    std::unordered_map<std::uint64_t, std::unique_ptr<Page>> pages;
    std::uint64_t last_number = nowhere;
    Page* last = nullptr;

    Page& page(std::uint64_t number) {
      if (number == last_number) return *last;
      std::unique_ptr<Page>& found = pages[number];
      if (found == nullptr) found = std::make_unique<Page>();
      last_number = number;
      last = found.get();
      return *last;
    }
    // Null where there is none.
    Page* find(std::uint64_t number) {
      const auto found = pages.find(number);
      return found == pages.end() ? nullptr : found->second.get();
    }
  };

  template <class Visit>
  static void visit_page(Page& blocks, std::uint64_t address, std::uint64_t last, Visit& visit) {
    while (address < last) {
      const std::uint64_t in_page = address % page_bytes;
      const auto begin = static_cast<unsigned>(in_page % block_bytes);
      const auto end =
          static_cast<unsigned>(std::min<std::uint64_t>(block_bytes, begin + last - address));
      visit(blocks[in_page / block_bytes], address, begin, end);
      address += end - begin;
    }
  }

  std::array<Shard, 64> shards_;
};

}  // namespace tmaemu::check
