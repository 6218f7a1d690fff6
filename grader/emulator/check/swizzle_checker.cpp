#include "emulator/check/swizzle_checker.h"

#include <algorithm>

#include "contract/findings/sentences.h"
#include "emulator/check/lanes.h"
#include "emulator/memory/address_space.h"

namespace tmaemu::check {
namespace {

constexpr std::uint32_t unit = 16;  // bytes that stay together
constexpr std::size_t most_tiles = 64;
constexpr std::size_t fewest_lanes = 8;

}  // namespace

// Bits 4 and up of the address are exchanged with bits 7 and up: 3 of them for a swizzle of 128
// bytes, 2 for 64, 1 for 32.
std::uint32_t SwizzleChecker::Tile::unswizzled(std::uint32_t address, std::uint32_t origin) const {
  constexpr std::uint32_t row_bits = 7;
  constexpr std::uint32_t unit_bits = 4;
  const std::uint32_t at = address - origin;
  return at ^ ((at >> row_bits & (swizzle / unit - 1)) << unit_bits);
}

void SwizzleChecker::issue(const events::Bulk& bulk) {
  if (bulk.kind != BulkKind::global_to_shared || bulk.swizzle_bytes == 0) return;
  const Tile tile{bulk.shared, bulk.shared + bulk.bytes, bulk.swizzle_bytes, bulk.site,
                  bulk.thread};
  std::erase_if(tiles_,
                [&](const Tile& old) { return old.begin < tile.end && tile.begin < old.end; });
  if (shared_offset(tile.begin) % tile.repeat() == 0 || tiles_.size() == most_tiles) return;
  tiles_.push_back(tile);
}

// A warp reads neighbors of a row in most kernels. If what it reads is a row for who lets the
// pattern begin with the tile, and is none as the engine has laid it out, it reads by rows.
void SwizzleChecker::look(const events::Access& access) {
  if (access.kind != events::Access::Kind::load || access.space != events::Access::Space::shared ||
      access.lanes.size() < fewest_lanes || access.bytes > unit) {
    return;
  }
  const auto in = [&](const Tile& tile) {
    return std::ranges::all_of(access.lanes, [&](const events::LaneAddress& lane) {
      return tile.begin <= lane.address && lane.address + access.bytes <= tile.end;
    });
  };
  const auto tile = std::ranges::find_if(tiles_, in);
  if (tile == tiles_.end()) return;
  const auto is_row = [&](std::uint32_t origin) {
    const auto place = [&](std::size_t i) {
      return tile->unswizzled(static_cast<std::uint32_t>(access.lanes[i].address), origin);
    };
    for (std::size_t i = 1; i < access.lanes.size(); ++i) {
      if (place(i) != place(i - 1) + access.bytes) return false;
    }
    return true;
  };
  const bool is_raw = access.lanes.back().address - access.lanes.front().address ==
                      (access.lanes.size() - 1) * access.bytes;
  if (!is_raw && is_row(tile->begin) && !is_row(0)) report(*tile, access);
}

void SwizzleChecker::report(const Tile& tile, const events::Access& access) {
  const ThreadId reader = thread_of(access.warp, access.lanes.front().lane);
  state_.report(
      state_.finding(Sentence::swizzle_read_from_tile, access.site, reader,
                     {tile.swizzle, shared_offset(tile.begin) % tile.repeat(), tile.repeat()}),
      state_.note(NoteSentence::load_issued_here, tile.site, tile.thread));
}

}  // namespace tmaemu::check
