// What the checker of a launch shares among its clusters: global memory, which all of them see.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <unordered_map>

#include "emulator/check/flags.h"
#include "emulator/check/record.h"
#include "emulator/check/shadow.h"
#include "emulator/check/site_facts.h"
#include "emulator/diagnostics/places.h"
#include "emulator/model/finding_sink.h"
#include "emulator/model/launch.h"
#include "emulator/program/program.h"

namespace tmaemu::check {

// The blocks of global memory, made when they are first touched. Several host threads may use it.
class GlobalShadow {
 public:
  // Calls visit(block, begin, end) for each block that the bytes lie in, one after another; `begin`
  // and `end` are of the block's bytes.
  template <class Visit>
  void for_each_block(std::uint64_t address, std::uint64_t bytes, Visit visit) {
    for (const std::uint64_t last = address + bytes; address < last;) {
      const std::uint64_t page = address / page_bytes;
      const std::uint64_t page_end = std::min(last, (page + 1) * page_bytes);
      Shard& shard = shards_[page % shards_.size()];
      const std::lock_guard lock(shard.mutex);
      Page& blocks = shard.page(page);
      while (address < page_end) {
        const std::uint64_t in_page = address % page_bytes;
        const auto begin = static_cast<unsigned>(in_page % block_bytes);
        const auto end =
            static_cast<unsigned>(std::min<std::uint64_t>(block_bytes, begin + page_end - address));
        visit(blocks[in_page / block_bytes], begin, end);
        address += end - begin;
      }
    }
  }
  // What was done with the bytes so far is nobody's concern any more.
  void forget(std::uint64_t address, std::uint64_t bytes) {
    for_each_block(address, bytes, [](Block& block, unsigned begin, unsigned end) {
      if (begin == 0 && end == block_bytes) {
        block = {};
        return;
      }
      if (block.cells == nullptr || block.granule != 1) block.divide(1);
      std::fill(&block.cells[begin], &block.cells[0] + end, Cell{});
    });
  }

 private:
  static constexpr std::uint64_t page_bytes = std::uint64_t{64} << 10;
  using Page = std::array<Block, page_bytes / block_bytes>;
  struct Shard {
    std::mutex mutex;
    std::unordered_map<std::uint64_t, std::unique_ptr<Page>> pages;
    std::uint64_t last_number = ~std::uint64_t{0};
    Page* last = nullptr;

    Page& page(std::uint64_t number) {
      if (number == last_number) return *last;
      std::unique_ptr<Page>& found = pages[number];
      if (found == nullptr) found = std::make_unique<Page>();
      last_number = number;
      last = found.get();
      return *last;
    }
  };
  std::array<Shard, 64> shards_;
};

struct LaunchState {
  LaunchState(const Program& program_of, const LaunchRequest& request_of, FindingSink& sink_of,
              bool strict)
      : program(program_of),
        request(request_of),
        sink(sink_of),
        is_strict(strict),
        places(program_of, request_of),
        facts(SiteFacts::of(program_of)) {}

  const Program& program;
  const LaunchRequest& request;
  FindingSink& sink;
  bool is_strict;
  Places places;
  std::shared_ptr<const SiteFacts> facts;
  GlobalShadow shadow;
  Records records;
  Flags flags;

  std::uint32_t shared_bytes() const {
    return static_cast<std::uint32_t>(program.shared_bytes + request.dynamic_shared_bytes);
  }
  // The number of a CTA in the grid, and the CTA of a number.
  std::uint32_t number_of(const Dimensions& cta) const {
    return static_cast<std::uint32_t>(cta.x + std::uint64_t{request.grid.x} *
                                                  (cta.y + std::uint64_t{request.grid.y} * cta.z));
  }
  Dimensions cta(std::uint32_t number) const {
    const Dimensions& grid = request.grid;
    return {number % grid.x, number / grid.x % grid.y, number / grid.x / grid.y};
  }
};

}  // namespace tmaemu::check
