#include "emulator/sched/observation.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstring>
#include <map>

#include "emulator/memory/address_space.h"
#include "emulator/sched/addresses.h"
#include "emulator/sched/cluster.h"

namespace tmaemu {
namespace {

using Kind = events::Access::Kind;
using Space = events::Access::Space;

// The addresses of one space that an instruction accesses.
class LaneAddresses {
 public:
  void add(unsigned lane, std::uint64_t address) { addresses_[count_++] = {lane, address}; }
  std::span<const events::LaneAddress> all() const { return {addresses_.data(), count_}; }

 private:
  std::array<events::LaneAddress, warp_size> addresses_;
  std::size_t count_ = 0;
};

// The addresses of one access, sorted by the memory that they lie in.
class SortedAddresses {
 public:
  SortedAddresses(Warp& warp, const MemoryAccess& access, LaneMask lanes) {
    for (; lanes != 0; lanes &= lanes - 1) {
      const auto lane = static_cast<unsigned>(std::countr_zero(lanes));
      add(access.space, lane, address_of(warp, access, lane));
    }
  }
  SortedAddresses(Warp& warp, const FragmentAccess& fragment, const FragmentAccess::Step& step,
                  LaneMask lanes) {
    for (; lanes != 0; lanes &= lanes - 1) {
      const auto lane = static_cast<unsigned>(std::countr_zero(lanes));
      add(fragment.memory.space, lane, address_of(warp, fragment, step, lane));
    }
  }
  const LaneAddresses& global() const { return global_; }
  const LaneAddresses& shared() const { return shared_; }

 private:
  void add(AddressSpace space, unsigned lane, std::uint64_t address) {
    switch (space) {
      case AddressSpace::global:
        return global_.add(lane, address);
      case AddressSpace::shared:
      case AddressSpace::shared_cluster:
        return shared_.add(lane, address);
      case AddressSpace::local:
      case AddressSpace::parameter:
        return;  // where these lie is the compiler's business
      case AddressSpace::generic:
        break;
    }
    if (in_window(address, shared_window)) {
      shared_.add(lane, address - shared_window);
    } else if (!in_window(address, local_window) && !in_window(address, param_window)) {
      global_.add(lane, address);
    }
  }

  LaneAddresses global_;
  LaneAddresses shared_;
};

// What a plain store writes, read from the registers when somebody asks.
class RegisterValues final : public events::StoredValues {
 public:
  RegisterValues(Warp& warp, const MemoryAccess& access, std::span<const events::LaneAddress> lanes,
                 Space space)
      : warp_(warp), access_(access), lanes_(lanes), space_(space) {}

  bool leaves_memory(std::size_t index) const override {
    const std::byte* const memory = memory_at(lanes_[index].address);
    if (memory == nullptr) return false;
    const Bytes value = value_of(lanes_[index].lane);
    return std::memcmp(memory, value.data(), access_.bytes) == 0;
  }
  bool are_equal(std::size_t index, std::size_t other) const override {
    return value_of(lanes_[index].lane) == value_of(lanes_[other].lane);
  }

 private:
  static constexpr std::size_t widest = 32;
  using Bytes = std::array<std::byte, widest>;

  Bytes value_of(unsigned lane) const {
    Bytes bytes{};
    for (unsigned i = 0; i < access_.count; ++i) {
      std::memcpy(bytes.data() + i * access_.element_bytes,
                  warp_.lanes<std::byte>(access_.registers[i]) + lane * access_.register_bytes,
                  access_.element_bytes);
    }
    return bytes;
  }
  const std::byte* memory_at(std::uint64_t address) const {
    if (space_ == Space::global) return warp_.global(address, access_.bytes);
    Cluster& cluster = warp_.cta().cluster;
    const auto shared = static_cast<std::uint32_t>(address);
    if (!cluster.has(shared, access_.bytes)) return nullptr;
    return cluster.cta(shared).shared.generic() + shared_offset(shared);
  }

  Warp& warp_;
  const MemoryAccess& access_;
  std::span<const events::LaneAddress> lanes_;
  Space space_;
};

// The lanes of a cp.async that read something, by how many bytes that is.
std::map<unsigned, LaneMask> copying_lanes(Warp& warp, const Access& access, LaneMask lanes) {
  if (access.copied.by == CopiedBytes::By::all) return {{access.bytes, lanes}};
  std::map<unsigned, LaneMask> copying;
  for (; lanes != 0; lanes &= lanes - 1) {
    const auto lane = static_cast<unsigned>(std::countr_zero(lanes));
    const unsigned bytes = copied_bytes(warp, access.copied, access.bytes, lane);
    if (bytes != 0) copying[std::min(bytes, access.bytes)] |= LaneMask{1} << lane;
  }
  return copying;
}

// PTX ISA, the .aligned modifier of ldmatrix, stmatrix, wmma and tensormap.cp_fenceproxy.
bool is_of_whole_warp(Access::Kind kind) {
  return kind == Access::Kind::matrix_load || kind == Access::Kind::matrix_store ||
         kind == Access::Kind::fragment_load || kind == Access::Kind::fragment_store ||
         kind == Access::Kind::map_copy;
}

// The lanes whose addresses a matrix instruction uses: eight rows a matrix.
LaneMask row_lanes(const Access& access) {
  constexpr unsigned rows = 8;
  const unsigned lanes = access.matrices * rows;
  return lanes == warp_size ? all_lanes : (LaneMask{1} << lanes) - 1;
}

}  // namespace

void tell_accesses(Observer& observer, Warp& warp, const Operation& op, LaneMask lanes) {
  const Program& program = warp.program();
  const auto index = static_cast<std::size_t>(&op - program.code.data());
  if (index < program.register_uses.size() && program.register_uses[index] != nullptr) {
    const RegisterUse& use = *program.register_uses[index];
    observer.uses_registers(
        {warp.id(), op.site, &warp.frame(), use.read, use.written, use.only_copies});
  }
  if (index >= program.accesses.size()) return;
  const Access* access = program.accesses[index];
  if (access == nullptr) return;
  // It waits for the lanes that are still on their way, and then it is told.
  if (is_of_whole_warp(access->kind) && lanes != all_lanes) return;
  const auto tell_in = [&](Space space, const MemoryAccess& memory, Kind kind, unsigned bytes,
                           std::span<const events::LaneAddress> addresses) {
    if (addresses.empty()) return;
    const RegisterValues values(warp, memory, addresses, space);
    const bool is_plain_store =
        access->kind == Access::Kind::store && !access->is_async_store && memory.count != 0;
    observer.accesses({kind, space, warp.id(), op.site, bytes, addresses, memory.order,
                       access->kind == Access::Kind::copy, access->is_async_store,
                       is_plain_store ? &values : nullptr, memory.element_bytes});
  };
  const auto tell_sorted = [&](const MemoryAccess& memory, const SortedAddresses& addresses,
                               Kind kind, unsigned bytes) {
    tell_in(Space::global, memory, kind, bytes, addresses.global().all());
    tell_in(Space::shared, memory, kind, bytes, addresses.shared().all());
  };
  const auto tell_bytes = [&](const MemoryAccess& memory, LaneMask taking_part, Kind kind,
                              unsigned bytes) {
    tell_sorted(memory, SortedAddresses(warp, memory, taking_part), kind, bytes);
  };
  const auto tell_steps = [&](const FragmentAccess& fragment, Kind kind) {
    for (const FragmentAccess::Step& step : fragment.steps) {
      tell_sorted(fragment.memory, SortedAddresses(warp, fragment, step, lanes), kind,
                  fragment.bytes);
    }
  };
  const auto tell = [&](const MemoryAccess& memory, LaneMask taking_part, Kind kind) {
    tell_bytes(memory, taking_part, kind, access->bytes);
  };
  switch (access->kind) {
    case Access::Kind::load:
      return tell(access->address, lanes, Kind::load);
    case Access::Kind::store:
      return tell(access->address, lanes, Kind::store);
    case Access::Kind::atomic:
      return tell(access->address, lanes, Kind::atomic);
    case Access::Kind::matrix_load:
      return tell(access->address, row_lanes(*access), Kind::matrix_load);
    case Access::Kind::matrix_store:
      return tell(access->address, row_lanes(*access), Kind::matrix_store);
    case Access::Kind::fragment_load:
      return tell_steps(*access->fragment, Kind::load);
    case Access::Kind::fragment_store:
      return tell_steps(*access->fragment, Kind::store);
    case Access::Kind::copy:
      for (const auto& [bytes, reading] : copying_lanes(warp, *access, lanes)) {
        tell_bytes(access->address, reading, Kind::load, bytes);
      }
      return tell(access->target, lanes, Kind::store);
    case Access::Kind::map_change:
      return tell(access->address, lanes, Kind::map_change);
    case Access::Kind::map_copy:
      tell(access->address, lanes & -lanes, Kind::map_read);
      return tell(access->target, lanes & -lanes, Kind::map_copy);
  }
}

}  // namespace tmaemu
