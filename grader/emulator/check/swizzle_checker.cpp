#include "emulator/check/swizzle_checker.h"

#include <algorithm>
#include <utility>

#include "contract/findings/sentences.h"
#include "emulator/check/lanes.h"
#include "emulator/check/operations.h"
#include "emulator/memory/address_space.h"

namespace tmaemu::check {
namespace {

constexpr std::uint32_t unit = 16;  // bytes that stay together
constexpr std::size_t most_tiles = 64;
constexpr std::size_t fewest_lanes = 8;

// Where the element that lies at the address is in the tile, if it has that swizzle, in bytes, and
// the pattern begins at `origin`. Bits 4 and up of the address are exchanged with bits 7 and up: 3
// of them for a swizzle of 128 bytes, 2 for 64, 1 for 32.
std::uint32_t unswizzled(std::uint32_t address, std::uint32_t swizzle, std::uint32_t origin) {
  constexpr std::uint32_t row_bits = 7;
  constexpr std::uint32_t unit_bits = 4;
  const std::uint32_t at = address - origin;
  return swizzle == 0 ? at : at ^ ((at >> row_bits & (swizzle / unit - 1)) << unit_bits);
}

// Whether the lanes read a row, or a column, of a tile that is swizzled so.
bool is_line(const events::Access& access, std::uint32_t swizzle, std::uint32_t origin) {
  const auto place = [&](std::size_t i) {
    return unswizzled(static_cast<std::uint32_t>(access.lanes[i].address), swizzle, origin);
  };
  const std::uint32_t step = place(1) - place(0);
  for (std::size_t i = 2; i < access.lanes.size(); ++i) {
    if (place(i) - place(i - 1) != step) return false;
  }
  return step != 0;
}

}  // namespace

void SwizzleChecker::issue(const events::Bulk& bulk) {
  if (bulk.kind != BulkKind::global_to_shared || bulk.swizzle_bytes == 0) return;
  const Tile tile{bulk.shared,        bulk.shared + bulk.bytes,
                  bulk.swizzle_bytes, number_of(bulk),
                  bulk.site,          bulk.thread};
  std::erase_if(tiles_,
                [&](const Tile& old) { return old.begin < tile.end && tile.begin < old.end; });
  if (tiles_.size() < most_tiles) tiles_.push_back(tile);
}

// A warp reads neighbors of a row or of a column in most kernels. If what it reads is such a line
// for who swizzles in another way, and is none as the engine has laid the tile out, that is how it
// reads.
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
  const std::uint32_t swizzle = tile->swizzle;
  if (is_line(access, 0, 0) || is_line(access, swizzle, 0)) return;
  if (!is_of(*tile, access)) return;
  const std::uint32_t shift = shared_offset(tile->begin) % tile->repeat();
  if (shift != 0 && is_line(access, swizzle, tile->begin)) {
    return report(*tile, access, Sentence::swizzle_read_from_tile,
                  {swizzle, shift, tile->repeat()});
  }
  for (const std::uint32_t other : {32u, 64u, 128u}) {
    if (other != swizzle && is_line(access, other, 0)) {
      return report(*tile, access, Sentence::swizzle_read_as_another, {other, swizzle});
    }
  }
}

bool SwizzleChecker::is_of(const Tile& tile, const events::Access& access) const {
  return std::ranges::all_of(access.lanes, [&](const events::LaneAddress& lane) {
    const PastAccess* const writer = accesses_.writer_of(static_cast<std::uint32_t>(lane.address));
    return writer != nullptr && writer->operation() == tile.operation;
  });
}

void SwizzleChecker::report(const Tile& tile, const events::Access& access, Sentence sentence,
                            Values values) {
  const ThreadId reader = thread_of(access.warp, access.lanes.front().lane);
  state_.report(state_.finding(sentence, access.site, reader, std::move(values)),
                state_.note(NoteSentence::load_issued_here, tile.site, tile.thread));
}

}  // namespace tmaemu::check
