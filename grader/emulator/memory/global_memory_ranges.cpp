// Reserved ranges of device addresses, and files mapped into them: what cuMemMap is made of.
#include <algorithm>

#include "common/round_up.h"
#include "emulator/memory/address_space.h"
#include "emulator/memory/global_memory.h"

namespace tmaemu {

using common::round_up;

common::Result<std::uint64_t> GlobalMemory::reserve_range(std::size_t size, std::size_t alignment) {
  // Addresses are not used again: there are enough of them, and a stale one is noticed.
  const std::uint64_t address = round_up(device_range + large_.next, alignment);
  const std::uint64_t end = round_up(address - device_range + size, device_page);
  if (size > device_range_size || end > large_.end) {
    return common::Error{"the emulated address space is used up"};
  }
  large_.next = end;
  return address;
}

void GlobalMemory::release_range(std::uint64_t address, std::size_t size) {
  freed_[address] = size;
}

common::Status GlobalMemory::allocate_at(std::uint64_t address, std::size_t size) {
  const auto room = check_room(size);
  return room ? put(address - device_range, size, Contents::undefined) : room;
}

void GlobalMemory::free_at(std::uint64_t address) {
  take_out(regions_.find(address));
}

common::Status GlobalMemory::map_file(std::uint64_t address, std::size_t size, int file,
                                      std::size_t offset) {
  withdraw_slack(address - device_range, size);
  const auto mapped = pages_.map(address - device_range, size, file, offset);
  return mapped ? common::Status() : mapped.error();
}

void GlobalMemory::unmap_file(std::uint64_t address, std::size_t size) {
  pages_.take_away(address - device_range, size);
}

void GlobalMemory::set_accessible(std::uint64_t range, std::size_t size,
                                  std::span<const std::pair<std::uint64_t, std::size_t>> pieces) {
  regions_.erase(regions_.lower_bound(range), regions_.lower_bound(range + size));
  // Pieces that touch are one region: accesses and copies may go across their seam.
  for (std::size_t i = 0; i < pieces.size();) {
    const auto [address, first_size] = pieces[i];
    std::size_t length = first_size;
    for (++i; i < pieces.size() && pieces[i].first == address + length; ++i) {
      length += pieces[i].second;
    }
    std::byte* const host = pages_.at(address - device_range);
    regions_.emplace(address, Region{address, length, host, RegionKind::mapped});
  }
}

bool GlobalMemory::take(std::size_t size) {
  if (size > capacity_ - std::min(used_, capacity_)) return false;
  used_ += size;
  return true;
}

}  // namespace tmaemu
