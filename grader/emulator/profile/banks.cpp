#include "emulator/profile/banks.h"

#include <algorithm>
#include <array>
#include <cassert>

namespace tmaemu::profile {
namespace {

constexpr unsigned warp_lanes = 32;

// Lanes whose elements fit all banks at once: 32 words are 128 bytes.
unsigned lanes_at_once(unsigned bytes) {
  return std::min(warp_lanes, bank_count * bank_bytes / bytes);
}

// Whether lane i and lane i ^ `flip` have the same offset, for every i.
bool share_elements(std::span<const LaneOffset> lanes, unsigned flip) {
  std::array<const LaneOffset*, warp_lanes> by_lane{};
  for (const LaneOffset& lane : lanes) by_lane[lane.lane] = &lane;
  return std::ranges::all_of(lanes, [&](const LaneOffset& lane) {
    const LaneOffset* partner = by_lane[lane.lane ^ flip];
    return partner == nullptr || partner->offset == lane.offset;
  });
}

// The most words that these lanes want of any bank.
unsigned most_words_in_a_bank(std::span<const LaneOffset> lanes, unsigned bytes, bool share) {
  std::array<std::uint32_t, 2 * warp_lanes> words;  // two groups joined
  auto end = words.begin();
  for (const LaneOffset& lane : lanes) {
    const std::uint32_t first = lane.offset / bank_bytes;
    for (std::uint32_t i = 0; i < std::max(bytes / bank_bytes, 1u); ++i) {
      assert(end != words.end());
      *end++ = first + i;
    }
  }
  if (share) {
    if (!std::is_sorted(words.begin(), end)) std::sort(words.begin(), end);
    end = std::unique(words.begin(), end);
  }
  std::array<unsigned, bank_count> wanted{};
  for (auto word = words.begin(); word != end; ++word) ++wanted[*word % bank_count];
  return std::ranges::max(wanted);
}

}  // namespace

Wavefronts count_wavefronts(std::span<const LaneOffset> lanes, unsigned bytes,
                            SharedAccess access) {
  unsigned at_once = lanes_at_once(bytes);
  const bool may_join = access == SharedAccess::load && at_once < warp_lanes;
  if (may_join && (share_elements(lanes, 1) || share_elements(lanes, 2))) at_once *= 2;
  Wavefronts result;
  while (!lanes.empty()) {
    const unsigned group = lanes.front().lane / at_once;
    const auto end = std::ranges::find_if(
        lanes, [&](const LaneOffset& lane) { return lane.lane / at_once != group; });
    const auto count = static_cast<std::size_t>(end - lanes.begin());
    result.actual +=
        most_words_in_a_bank(lanes.first(count), bytes, access != SharedAccess::atomic);
    ++result.ideal;
    lanes = lanes.subspan(count);
  }
  return result;
}

}  // namespace tmaemu::profile
