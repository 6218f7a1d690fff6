// What a GPU maps beside its allocations: accesses that leave one go on there, as on hardware.
#include <algorithm>
#include <iterator>

#include "common/round_up.h"
#include "emulator/memory/address_space.h"
#include "emulator/memory/global_memory.h"

namespace tmaemu {

using common::round_up;

namespace {

// Small allocations come from memory that is mapped from the first of them on, and stays mapped
// when they are freed: on an H100 74 MiB, or 76.
constexpr std::uint64_t mapped_for_small = std::uint64_t{74} << 20;

constexpr std::uint64_t round_down(std::uint64_t value, std::uint64_t unit) {
  return value / unit * unit;
}

// What is mapped by itself and not in pages that allocations share (cuMemMap).
bool is_apart(const Region& region) {
  return region.kind == RegionKind::mapped;
}

bool is_in_device_range(std::uint64_t address, std::size_t size) {
  return address - device_range < device_range_size &&
         size <= device_range_size - (address - device_range);
}

}  // namespace

// Of all that was mapped with it.
std::uint64_t GlobalMemory::end_of(const std::pair<const std::uint64_t, Region>& entry) {
  const auto& [start, region] = entry;
  return round_up(start + region.before + region.size + region.behind, page_size);
}

bool GlobalMemory::has_allocation_in(std::uint64_t begin, std::uint64_t end) const {
  for (auto entry = regions_.lower_bound(end); entry != regions_.begin();) {
    --entry;
    if (end_of(*entry) <= begin) return false;
    if (!is_apart(entry->second)) return true;
  }
  return false;
}

// An H100 lays larger allocations one behind the other, without the gap that is between them here:
// to the gap belongs what the next one has.
bool GlobalMemory::is_mapped(std::uint64_t offset) const {
  const Range& range = range_at(offset);
  if (&range != &large_) {
    const std::uint64_t end =
        std::max(round_up(range.next, device_page), range.begin + mapped_for_small);
    return range.next != range.begin && offset < end;
  }
  const std::uint64_t page = device_range + offset;
  return has_allocation_in(page, page + 2 * device_page);
}

std::byte* GlobalMemory::reach(std::uint64_t address, std::size_t size) const {
  if (std::byte* const inside = translate(address, size); inside != nullptr) return inside;
  if (!is_in_device_range(address, size)) return reach_host(address, size);
  for (std::uint64_t page = round_down(address, device_page); page < address + size;
       page += device_page) {
    if (!is_mapped(page - device_range)) return nullptr;
  }
  const std::lock_guard lock(slack_mutex_);
  const std::uint64_t end = round_up(address + size, page_size);
  for (std::uint64_t at = round_down(address, page_size); at < end;) {
    const auto after = regions_.upper_bound(at);
    const std::uint64_t before = after == regions_.begin() ? 0 : end_of(*std::prev(after));
    if (at < before) {
      at = before;
      continue;
    }
    // A gap: from an allocation, or the start of its page, to the next one, or the end of its page.
    const std::uint64_t begin = std::max(before, round_down(at, device_page));
    const std::uint64_t page_end = round_down(at, device_page) + device_page;
    at = after == regions_.end() ? page_end : std::min(after->first, page_end);
    if (!provide_slack(begin - device_range, at - begin)) return nullptr;
  }
  // In a page of the book, allocations do not lie in one piece: there, no access goes on.
  std::byte* const first = pages_.at(address - device_range);
  const std::byte* const last = pages_.at(address - device_range + size - 1);
  return first != nullptr && last == first + (size - 1) ? first : nullptr;
}

// Pinned and managed memory is the host's, in pages of the host's.
std::byte* GlobalMemory::reach_host(std::uint64_t address, std::size_t size) const {
  const auto after = regions_.upper_bound(round_down(address, page_size) + page_size - 1);
  if (after == regions_.begin()) return nullptr;
  const auto& nearest = *std::prev(after);
  const std::uint64_t begin = round_down(nearest.first, page_size);
  const std::uint64_t end = end_of(nearest);
  if (address < begin || address >= end || size > end - address) return nullptr;
  return nearest.second.host + (address - nearest.second.address);
}

bool GlobalMemory::provide_slack(std::uint64_t offset, std::size_t size) const {
  const auto after = slack_.upper_bound(offset);
  if (after != slack_.begin()) {
    const auto& [start, length] = *std::prev(after);
    if (offset + size <= start + length) return true;
  }
  if (!pages_.provide(offset, size)) return false;
  slack_.erase(slack_.lower_bound(offset), slack_.lower_bound(offset + size));
  slack_[offset] = size;
  return true;
}

void GlobalMemory::withdraw_slack(std::uint64_t offset, std::size_t size) {
  const std::lock_guard lock(slack_mutex_);
  auto entry = slack_.lower_bound(offset + size);
  while (entry != slack_.begin()) {
    --entry;
    const auto [start, length] = *entry;
    if (start + length <= offset) return;
    pages_.take_away(start, length);
    entry = slack_.erase(entry);
  }
}

}  // namespace tmaemu
