#include "emulator/memory/global_memory.h"

#include <algorithm>
#include <cstring>

#include "common/round_up.h"
#include "emulator/memory/address_space.h"

namespace tmaemu {

using common::round_up;

namespace {

// What fresh memory holds: in each half of a word a NaN of the types of two bytes, and so one in
// every wider floating-point type; as an integer a large negative one. It differs from word to
// word, so that memory into which such a word was copied is not taken for fresh.
constexpr std::uint32_t fresh_bits = 0xFFF0FF80;
constexpr std::uint32_t fresh_word(std::uint64_t address) {
  constexpr std::uint64_t golden_ratio = 0x9E3779B97F4A7C15;
  const std::uint64_t hash = (address / sizeof(std::uint32_t)) * golden_ratio >> 32;
  const auto high =
      static_cast<std::uint32_t>(hash % 15);  // 0xFFFF would be that of small integers
  const auto low = static_cast<std::uint32_t>(hash / 15 % 127 + 1);  // 0 would be an infinity
  return fresh_bits | high << 16 | low;
}

void fill_as_fresh(std::byte* host, std::uint64_t address, std::size_t bytes) {
  std::size_t done = 0;
  for (; done < bytes; done += sizeof(std::uint32_t)) {
    const std::uint32_t word = fresh_word(address + done);
    std::memcpy(host + done, &word, sizeof word);  // the last page is whole
  }
}

// Each allocation, and the gap behind it, is a mapping of the host's, of which Linux gives a
// process 65530 (vm.max_map_count). What else it has to map must find some left.
constexpr std::size_t max_allocations = 16384;

// How the range is divided: the program's small allocations first, and kernels' own at the end.
constexpr std::uint64_t large_offset = device_range_size / 8;
constexpr std::uint64_t kernels_offset = device_range_size / 8 * 7;

}  // namespace

GlobalMemory::GlobalMemory(std::uint64_t capacity)
    : capacity_(capacity),
      small_{0, 0, large_offset},
      large_{large_offset, large_offset, kernels_offset},
      kernels_{kernels_offset, kernels_offset, device_range_size} {}

GlobalMemory::~GlobalMemory() = default;

GlobalMemory::Range& GlobalMemory::range_for(std::size_t size, Owner owner) {
  if (owner == Owner::kernel) return kernels_;
  return size <= device_page ? small_ : large_;
}

const GlobalMemory::Range& GlobalMemory::range_at(std::uint64_t offset) const {
  if (offset < small_.end) return small_;
  return offset < large_.end ? large_ : kernels_;
}

GlobalMemory::Range& GlobalMemory::range_at(std::uint64_t offset) {
  return const_cast<Range&>(std::as_const(*this).range_at(offset));
}

// A larger one begins at a page of the device, as on hardware.
std::size_t GlobalMemory::span_of(std::size_t size) {
  const std::size_t span = round_up(size, page_size) + guard_bytes;
  return size <= device_page ? span : round_up(span, device_page);
}

common::Status GlobalMemory::check_room(std::size_t size) const {
  if (size == 0 || size > capacity_ || used_ + size > capacity_) {
    return common::Error{"out of memory: " + std::to_string(size) + " bytes asked for, " +
                         std::to_string(capacity_ - used_) + " of " + std::to_string(capacity_) +
                         " free"};
  }
  if (regions_.size() >= max_allocations) {
    return common::Error{"more than " + std::to_string(max_allocations) +
                         " allocations at a time are not modeled"};
  }
  if (used_ + size > HostPages::most_bytes()) {
    return common::Error{"the limit on this process's memory (ulimit -d) leaves no room for it"};
  }
  return {};
}

common::Result<std::uint64_t> GlobalMemory::allocate(std::size_t size, Contents contents,
                                                     Owner owner) {
  if (const auto room = check_room(size); !room) return room.error();
  const std::size_t span = span_of(size);
  Range& range = range_for(size, owner);
  const auto again = range.free_spans.find(span);
  const bool is_new = again == range.free_spans.end();
  if (is_new && range.next + span > range.end) {
    return common::Error{"the emulated address space is used up"};
  }
  const std::uint64_t offset = is_new ? range.next : again->second;
  if (const auto done = put(offset, size, contents); !done) return done.error();
  if (is_new) {
    range.next += span;
  } else {
    range.free_spans.erase(again);
  }
  return device_range + offset;
}

common::Status GlobalMemory::put(std::uint64_t offset, std::size_t size, Contents contents) {
  // What fails leaves no trace: a repetition of what succeeded has to come to the same addresses.
  withdraw_slack(offset, round_up(size, page_size));
  const auto provided = pages_.provide(offset, round_up(size, page_size));
  if (!provided) return provided.error();
  std::byte* const host = *provided;
  // The host gives its pages as zeros, so the size of a zeroed allocation costs nothing.
  const std::uint64_t address = device_range + offset;
  if (contents == Contents::undefined) {
    // A word more, which is nobody's: see first_fresh().
    const std::size_t filled = std::min(size, fresh_fill_limit) + sizeof(std::uint32_t);
    fill_as_fresh(host, address, std::min(filled, round_up(size, page_size)));
  }
  regions_.emplace(address, Region{address, size, host, RegionKind::device});
  freed_.erase(address);
  used_ += size;
  return {};
}

bool GlobalMemory::free(std::uint64_t address) {
  const auto found = regions_.find(address);
  if (found == regions_.end() || found->second.kind != RegionKind::device) return false;
  const std::uint64_t offset = address - device_range;
  range_at(offset).free_spans.emplace(span_of(found->second.size), offset);
  take_out(found);
  return true;
}

void GlobalMemory::take_out(std::map<std::uint64_t, Region>::iterator region) {
  const auto& [address, taken] = *region;
  pages_.take_away(address - device_range, round_up(taken.size, page_size));
  freed_[address] = taken.size;
  used_ -= taken.size;
  ++frees_;
  shared_.erase(address);
  regions_.erase(region);
}

common::Status GlobalMemory::register_host(void* memory, std::size_t size, RegionKind kind) {
  const auto address = reinterpret_cast<std::uint64_t>(memory);
  const auto next = regions_.lower_bound(address);
  const bool overlaps_next = next != regions_.end() && next->first < address + size;
  const bool overlaps_previous =
      next != regions_.begin() &&
      std::prev(next)->second.address + std::prev(next)->second.size > address;
  if (overlaps_next || overlaps_previous) {
    return common::Error{"the host memory is registered already"};
  }
  regions_.emplace(address, Region{address, size, static_cast<std::byte*>(memory), kind});
  return {};
}

bool GlobalMemory::unregister_host(void* memory) {
  const auto found = regions_.find(reinterpret_cast<std::uint64_t>(memory));
  if (found == regions_.end() || found->second.kind == RegionKind::device) return false;
  regions_.erase(found);
  return true;
}

common::Result<void*> GlobalMemory::allocate_host(std::size_t size, RegionKind kind) {
  const std::size_t mapped = round_up(size, page_size);
  if (mapped < size) return common::Error{"no host has so much memory"};
  const auto views = HostPages::provide_twice(mapped);
  if (!views) return views.error();
  const auto address = reinterpret_cast<std::uint64_t>(views->program);
  regions_.emplace(address, Region{address, size, views->emulator, kind});
  return static_cast<void*>(views->program);
}

bool GlobalMemory::free_host(void* memory) {
  const auto found = regions_.find(reinterpret_cast<std::uint64_t>(memory));
  if (found == regions_.end()) return false;
  const Region region = found->second;
  if (!unregister_host(memory)) return false;
  HostPages::give_back({static_cast<std::byte*>(memory), region.host},
                       round_up(region.size, page_size));
  return true;
}

std::vector<Region> GlobalMemory::allocations() const {
  std::vector<Region> device;
  for (const auto& [address, region] : regions_) {
    if (region.kind == RegionKind::device) device.push_back(region);
  }
  return device;
}

std::vector<Region> GlobalMemory::shared_with_host() const {
  std::vector<Region> shared;
  for (const auto& [address, region] : regions_) {
    if (region.is_shared_with_host()) shared.push_back(region);
  }
  return shared;
}

const Region* GlobalMemory::find(std::uint64_t address) const {
  const auto after = regions_.upper_bound(address);
  if (after == regions_.begin()) return nullptr;
  const Region& region = std::prev(after)->second;
  return address - region.address < region.size ? &region : nullptr;
}

std::size_t GlobalMemory::first_fresh(const Region& region, std::uint64_t address,
                                      std::size_t bytes, std::size_t piece) {
  const std::uint64_t offset = address - region.address;
  if (region.kind != RegionKind::device || !region.contains(address, bytes) ||
      offset + bytes > fresh_fill_limit) {
    return bytes;
  }
  const auto word_at = [&](std::uint64_t at) {
    std::uint32_t word = 0;
    std::memcpy(&word, region.host + at, sizeof word);
    return word;
  };
  constexpr std::uint64_t word_bytes = sizeof(std::uint32_t);
  const std::uint64_t mapped = round_up(region.size, page_size);
  const auto is_as_filled = [&](std::uint64_t at) {
    return at < mapped && word_at(at) == fresh_word(region.address + at);
  };
  const std::uint64_t first = offset / word_bytes * word_bytes;
  const std::uint64_t end = offset + bytes;
  unsigned candidates = 0;  // nearly always none, and that is quickly seen
  for (std::uint64_t at = first; at < end; at += word_bytes) {
    candidates += (word_at(at) & fresh_bits) == fresh_bits ? 1 : 0;
  }
  if (candidates == 0) return bytes;
  // One word may be equal by chance; two that follow one another are not. Of a word of which a byte
  // was written, that byte alone is: with every 256th value the word is as it was.
  if (piece < word_bytes) {
    for (std::uint64_t at = round_up(offset, word_bytes); at + 2 * word_bytes <= end;
         at += word_bytes) {
      if (is_as_filled(at) && is_as_filled(at + word_bytes)) return at - offset;
    }
    return bytes;
  }
  const auto is_fresh = [&](std::uint64_t at) {
    return is_as_filled(at) &&
           (is_as_filled(at + word_bytes) || (at != 0 && is_as_filled(at - word_bytes)));
  };
  for (std::size_t begin = 0; begin < bytes; begin += piece) {
    bool is_all = true;
    for (std::uint64_t at = (offset + begin) / word_bytes * word_bytes;
         is_all && at < offset + begin + piece; at += word_bytes) {
      is_all = is_fresh(at);
    }
    if (is_all) return begin;
  }
  return bytes;
}

std::byte* GlobalMemory::translate(std::uint64_t address, std::size_t size) const {
  const Region* region = find(address);
  if (region == nullptr || !region->contains(address, size)) return nullptr;
  return region->host + (address - region->address);
}

std::string GlobalMemory::describe(std::uint64_t address) const {
  if (address < page_size) return "a null pointer";
  if (in_window(address, shared_window)) return "in shared memory";
  if (in_window(address, local_window)) return "in a thread's local memory";
  const auto bytes = [](std::uint64_t count) {
    return std::to_string(count) + (count == 1 ? " byte" : " bytes");
  };
  const auto of = [&](const Region& region) {
    const std::string what = "an allocation of " + bytes(region.size);
    return region.name.empty() ? what : "`" + region.name + "`, " + what;
  };
  if (const Region* inside = find(address)) {
    return bytes(inside->address + inside->size - address) + " before the end of " + of(*inside);
  }
  const auto freed = freed_.upper_bound(address);
  if (freed != freed_.begin()) {
    const auto& [start, size] = *std::prev(freed);
    if (address - start < size) return "in an allocation of " + bytes(size) + " that was freed";
  }
  const auto after = regions_.upper_bound(address);
  if (after != regions_.begin()) {
    const Region& before = std::prev(after)->second;
    if (address < before.address) {
      return bytes(before.address - address) + " before " + of(before);
    }
    const std::uint64_t distance = address - (before.address + before.size);
    if (distance < (std::uint64_t{1} << 30)) {
      return (distance == 0 ? "just" : bytes(distance)) + " after the end of " + of(before);
    }
  }
  if (after != regions_.end() && after->first - address < (std::uint64_t{1} << 30)) {
    return bytes(after->first - address) + " before " + of(after->second);
  }
  if (address - device_range < device_range_size) return "device memory that was never allocated";
  return "no device memory (is it a host pointer?)";
}

void GlobalMemory::describe_shared(std::uint64_t address, const Array& array) {
  const auto found = regions_.find(address);
  if (found == regions_.end() || found->second.kind != RegionKind::imported) return;
  Region& region = found->second;
  const std::size_t all = region.before + region.size + region.behind;
  if (array.offset > all || array.size > all - array.offset) return;
  std::byte* const start = region.host - region.before;
  region = {.address = address + array.offset,
            .size = array.size,
            .host = start + array.offset,
            .kind = RegionKind::imported,
            .before = array.offset,
            .behind = all - array.offset - array.size,
            .holds_input = array.holds_input,
            .name = array.name};
}

std::uint64_t GlobalMemory::layout() const {
  std::uint64_t hash = 0xCBF2'9CE4'8422'2325;  // FNV-1a, a word at a time
  const auto first = regions_.lower_bound(device_range);
  const auto last = regions_.lower_bound(device_range + kernels_offset);
  for (auto entry = first; entry != last; ++entry) {
    const Region& region = entry->second;
    const std::size_t size = region.before + region.size + region.behind;
    for (const std::uint64_t word : {entry->first - device_range, std::uint64_t{size}}) {
      hash = (hash ^ word) * 0x0000'0100'0000'01B3;
    }
  }
  return hash;
}

}  // namespace tmaemu
