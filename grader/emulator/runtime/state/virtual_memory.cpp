#include "emulator/runtime/state/virtual_memory.h"

#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <iterator>
#include <string>

#include "emulator/device/device.h"
#include "emulator/runtime/state/allocation.h"
#include "emulator/runtime/state/call_log.h"

namespace tmaemu::runtime {
namespace {

bool is_whole(std::size_t value) {
  return value % VirtualMemory::granularity == 0;
}

}  // namespace

VirtualMemory& VirtualMemory::instance() {
  static auto* all = new VirtualMemory;
  return *all;
}

VirtualMemory::Memory* VirtualMemory::find(std::uint64_t handle) {
  const auto found = memories_.find(handle);
  return found == memories_.end() || found->second.references == 0 ? nullptr : &found->second;
}

Error VirtualMemory::add(Memory made, std::uint64_t& handle) {
  if (!device_memory().take(made.size)) {
    close(made.file);
    return Error::out_of_memory;
  }
  CallLog::instance().unsupported("cuMemCreate");
  made.references = 1;
  handle = next_handle_++;
  memories_.emplace(handle, made);
  return Error::success;
}

Error VirtualMemory::create(std::size_t size, bool is_shareable, std::uint64_t& handle) {
  if (size == 0 || !is_whole(size)) return Error::invalid_value;
  if (size > device_memory().capacity()) return Error::out_of_memory;
  const int file = memfd_create("tmaemu", MFD_CLOEXEC);
  if (file < 0 || ftruncate(file, static_cast<off_t>(size)) != 0) {
    if (file >= 0) close(file);
    return Error::out_of_memory;
  }
  return add({file, size, is_shareable}, handle);
}

void VirtualMemory::drop_if_unused(std::uint64_t handle) {
  const auto found = memories_.find(handle);
  if (found->second.references != 0 || found->second.mappings != 0) return;
  close(found->second.file);
  device_memory().give_back(found->second.size);
  memories_.erase(found);
}

Error VirtualMemory::release(std::uint64_t handle) {
  Memory* released = find(handle);
  if (released == nullptr) return Error::invalid_value;
  --released->references;
  drop_if_unused(handle);
  return Error::success;
}

Error VirtualMemory::retain(std::uint64_t address, std::uint64_t& handle) {
  const Mapping* mapping = mapping_at(address);
  if (mapping == nullptr) return Error::invalid_value;
  handle = mapping->handle;
  ++memories_[handle].references;
  return Error::success;
}

Error VirtualMemory::share(std::uint64_t handle, int& file) {
  const Memory* shared = find(handle);
  if (shared == nullptr || !shared->is_shareable) return Error::invalid_value;
  file = dup(shared->file);
  return file < 0 ? Error::out_of_memory : Error::success;
}

Error VirtualMemory::import(int file, std::uint64_t& handle) {
  struct stat status;
  if (fstat(file, &status) != 0 || status.st_size <= 0 ||
      !is_whole(static_cast<std::size_t>(status.st_size))) {
    return Error::invalid_value;
  }
  const int own = dup(file);
  if (own < 0) return Error::out_of_memory;
  return add({own, static_cast<std::size_t>(status.st_size), true}, handle);
}

Error VirtualMemory::is_shareable(std::uint64_t handle, bool& shareable) const {
  const auto found = memories_.find(handle);
  if (found == memories_.end()) return Error::invalid_value;
  shareable = found->second.is_shareable;
  return Error::success;
}

Error VirtualMemory::reserve(std::size_t size, std::size_t alignment, std::uint64_t& address) {
  if (size == 0 || !is_whole(size)) return Error::invalid_value;
  CallLog::instance().unsupported("cuMemAddressReserve");
  if (alignment != 0 && !std::has_single_bit(alignment)) return Error::invalid_value;
  const auto range = device_memory().reserve_range(size, std::max(alignment, granularity));
  if (!range) {
    explain("cuMemAddressReserve: " + range.error().message);
    return Error::out_of_memory;
  }
  address = *range;
  ranges_.emplace(address, size);
  return Error::success;
}

const std::pair<const std::uint64_t, std::size_t>* VirtualMemory::range_at(
    std::uint64_t address) const {
  const auto after = ranges_.upper_bound(address);
  if (after == ranges_.begin()) return nullptr;
  const auto& range = *std::prev(after);
  return address - range.first < range.second ? &range : nullptr;
}

Error VirtualMemory::release_range(std::uint64_t address, std::size_t size) {
  const auto range = ranges_.find(address);
  if (range == ranges_.end() || range->second != size) return Error::invalid_value;
  const auto mapping = mappings_.lower_bound(address);
  if (mapping != mappings_.end() && mapping->first < address + size) return Error::invalid_value;
  device_memory().release_range(address, size);
  ranges_.erase(range);
  return Error::success;
}

Error VirtualMemory::map(std::uint64_t address, std::size_t size, std::size_t offset,
                         std::uint64_t handle) {
  Memory* mapped = find(handle);
  const auto* range = range_at(address);
  if (mapped == nullptr || range == nullptr || size == 0 || !is_whole(size) || !is_whole(offset) ||
      !is_whole(address - range->first)) {
    return Error::invalid_value;
  }
  // Linux maps memory whole or not at all: measured on an H200.
  if (offset != 0 || size != mapped->size) return Error::not_supported;
  if (size > range->second - (address - range->first)) return Error::invalid_value;
  // Nothing else may be mapped there.
  const auto next = mappings_.lower_bound(address);
  if (next != mappings_.end() && next->first < address + size) return Error::invalid_value;
  if (mapping_at(address) != nullptr) return Error::invalid_value;
  if (const auto done = device_memory().map_file(address, size, mapped->file, offset); !done) {
    explain("cuMemMap: " + done.error().message);
    return Error::out_of_memory;
  }
  mappings_.emplace(address, Mapping{size, handle});
  ++mapped->mappings;
  return Error::success;
}

const VirtualMemory::Mapping* VirtualMemory::mapping_at(std::uint64_t address) const {
  const auto after = mappings_.upper_bound(address);
  if (after == mappings_.begin()) return nullptr;
  const auto& [start, mapping] = *std::prev(after);
  return address - start < mapping.size ? &mapping : nullptr;
}

bool VirtualMemory::whole_mappings(std::uint64_t address, std::size_t size,
                                   Mappings::iterator& first, Mappings::iterator& last) {
  first = last = mappings_.find(address);
  std::uint64_t end = address;
  while (end < address + size && last != mappings_.end() && last->first == end) {
    end += last->second.size;
    ++last;
  }
  return size != 0 && end == address + size;
}

Error VirtualMemory::unmap(std::uint64_t address, std::size_t size) {
  Mappings::iterator first, last;
  // Where nothing is mapped, nothing is to be done.
  const auto next = mappings_.lower_bound(address);
  const bool is_free =
      mapping_at(address) == nullptr && (next == mappings_.end() || next->first >= address + size);
  if (is_free && range_at(address) != nullptr && size != 0 && is_whole(size)) return Error::success;
  if (!whole_mappings(address, size, first, last)) return Error::invalid_value;
  while (first != last) {
    const std::uint64_t handle = first->second.handle;
    device_memory().unmap_file(first->first, first->second.size);
    first = mappings_.erase(first);
    --memories_[handle].mappings;
    drop_if_unused(handle);
  }
  publish(address);
  return Error::success;
}

Error VirtualMemory::set_access(std::uint64_t address, std::size_t size, bool accessible) {
  Mappings::iterator first, last;
  if (!whole_mappings(address, size, first, last)) return Error::invalid_value;
  for (; first != last; ++first) first->second.accessible = accessible;
  publish(address);
  return Error::success;
}

Error VirtualMemory::get_access(std::uint64_t address, bool& accessible) const {
  const Mapping* mapping = mapping_at(address);
  if (mapping == nullptr) return Error::invalid_value;
  accessible = mapping->accessible;
  return Error::success;
}

bool VirtualMemory::find_mapping(std::uint64_t address, std::uint64_t& start,
                                 std::size_t& size) const {
  if (mapping_at(address) == nullptr) return false;
  const auto& found = *std::prev(mappings_.upper_bound(address));
  start = found.first;
  size = found.second.size;
  return true;
}

// Tells the device what of the range around the address is accessible now.
void VirtualMemory::publish(std::uint64_t address) const {
  const auto* range = range_at(address);
  std::vector<std::pair<std::uint64_t, std::size_t>> pieces;
  for (auto mapping = mappings_.lower_bound(range->first);
       mapping != mappings_.end() && mapping->first < range->first + range->second; ++mapping) {
    if (mapping->second.accessible) pieces.emplace_back(mapping->first, mapping->second.size);
  }
  device_memory().set_accessible(range->first, range->second, pieces);
}

void VirtualMemory::reset() {
  while (!mappings_.empty()) unmap(mappings_.begin()->first, mappings_.begin()->second.size);
  while (!memories_.empty()) release(memories_.begin()->first);
  while (!ranges_.empty()) release_range(ranges_.begin()->first, ranges_.begin()->second);
}

}  // namespace tmaemu::runtime
