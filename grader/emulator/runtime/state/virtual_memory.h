// Virtual memory management: memory without an address, ranges of addresses without memory, and
// mappings that bring them together. CUDA Driver API, "Virtual Memory Management".
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <utility>
#include <vector>

#include "emulator/runtime/state/error.h"

namespace tmaemu::runtime {

class VirtualMemory {
 public:
  static VirtualMemory& instance();

  // The least that is mapped, as on an H200; sizes and offsets are multiples of it.
  static constexpr std::size_t granularity = std::size_t{2} << 20;

  // Handles count references: creating, retaining and importing add one, releasing takes one away.
  // A mapping keeps its memory alive without one.
  Error create(std::size_t size, bool is_shareable, std::uint64_t& handle);
  Error release(std::uint64_t handle);
  // The handle of the memory that is mapped at the address.
  Error retain(std::uint64_t address, std::uint64_t& handle);
  // A file descriptor of the caller's own.
  Error share(std::uint64_t handle, int& file);
  Error import(int file, std::uint64_t& handle);
  Error is_shareable(std::uint64_t handle, bool& shareable) const;

  Error reserve(std::size_t size, std::size_t alignment, std::uint64_t& address);
  Error release_range(std::uint64_t address, std::size_t size);

  Error map(std::uint64_t address, std::size_t size, std::size_t offset, std::uint64_t handle);
  Error unmap(std::uint64_t address, std::size_t size);
  // [address, address + size) are whole mappings.
  Error set_access(std::uint64_t address, std::size_t size, bool accessible);
  Error get_access(std::uint64_t address, bool& accessible) const;
  // The mapping around the address; false where there is none.
  bool find_mapping(std::uint64_t address, std::uint64_t& start, std::size_t& size) const;

  // Gives everything back, as the end of the context does.
  void reset();

 private:
  struct Memory {
    int file = -1;
    std::size_t size = 0;
    bool is_shareable = false;
    int references = 0;
    int mappings = 0;
  };
  struct Mapping {
    std::size_t size = 0;
    std::uint64_t handle = 0;
    bool accessible = false;
  };
  using Mappings = std::map<std::uint64_t, Mapping>;

  Memory* find(std::uint64_t handle);
  Error add(Memory memory, std::uint64_t& handle);
  void drop_if_unused(std::uint64_t handle);
  const Mapping* mapping_at(std::uint64_t address) const;
  // The mappings that [address, address + size) consists of; null iterators where it is none.
  bool whole_mappings(std::uint64_t address, std::size_t size, Mappings::iterator& first,
                      Mappings::iterator& last);
  // The reserved range around the address; null where there is none.
  const std::pair<const std::uint64_t, std::size_t>* range_at(std::uint64_t address) const;
  void publish(std::uint64_t address) const;

  std::uint64_t next_handle_ = 1;
  std::map<std::uint64_t, Memory> memories_;
  std::map<std::uint64_t, std::size_t> ranges_;
  Mappings mappings_;
};

}  // namespace tmaemu::runtime
