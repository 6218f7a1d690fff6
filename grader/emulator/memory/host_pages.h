// Where the bytes of device memory are on this host: pages of a reserved range, by their offsets
// from the start of the device's addresses.
#pragma once

#include <cstddef>
#include <cstdint>

#include "common/result.h"

namespace tmaemu {

class HostPages {
 public:
  // Every address, offset and size that maps something is a multiple of this.
  static constexpr std::size_t page_size = 4096;

  // Reserves the device's addresses (device_range), which nobody may read or write, and the range
  // of their bytes. Where the host has no such ranges, the process ends and says so.
  HostPages();
  ~HostPages();
  HostPages(const HostPages&) = delete;
  HostPages& operator=(const HostPages&) = delete;

  // The byte with this offset, if there is one.
  std::byte* at(std::uint64_t offset) const;

  // Zeros that may be read and written.
  common::Result<std::byte*> provide(std::uint64_t offset, std::size_t size);
  // Gives them back to the host. Any later access through a stale translation faults.
  void take_away(std::uint64_t offset, std::size_t size);

  // A file's bytes from `from` on.
  common::Result<std::byte*> map(std::uint64_t offset, std::size_t size, int file,
                                 std::size_t from);

  // Zeros at any address of the host's, which are not the device's alone, and the same bytes a
  // second time: what becomes of the pages in one view is nothing to the other.
  struct TwoViews {
    std::byte* program = nullptr;
    std::byte* emulator = nullptr;
  };
  static common::Result<TwoViews> provide_twice(std::size_t size);
  static void give_back(const TwoViews& views, std::size_t size);

  // How many bytes this process may have the host give it for all allocations together.
  static std::uint64_t most_bytes();

 private:
  std::byte* base_ = nullptr;
};

}  // namespace tmaemu
