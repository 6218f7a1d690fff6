#include "emulator/sched/observation.h"

#include <array>
#include <bit>
#include <cstddef>

#include "emulator/memory/address_space.h"
#include "emulator/sched/addresses.h"

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

// The lanes whose addresses a matrix instruction uses: eight rows a matrix.
LaneMask row_lanes(const Access& access) {
  constexpr unsigned rows = 8;
  const unsigned lanes = access.matrices * rows;
  return lanes == warp_size ? all_lanes : (LaneMask{1} << lanes) - 1;
}

}  // namespace

void tell_operation(Observer& observer, Warp& warp, const Operation& op, LaneMask active,
                    LaneMask lanes) {
  observer.executes({warp.id(), op.site, active, lanes});
  const Program& program = warp.program();
  const auto index = static_cast<std::size_t>(&op - program.code.data());
  if (lanes == 0 || index >= program.accesses.size()) return;
  const Access* access = program.accesses[index];
  if (access == nullptr) return;
  const auto tell = [&](const MemoryAccess& memory, LaneMask taking_part, Kind kind) {
    const SortedAddresses addresses(warp, memory, taking_part);
    if (const auto global = addresses.global().all(); !global.empty()) {
      observer.accesses({kind, Space::global, warp.id(), op.site, access->bytes, global});
    }
    if (const auto shared = addresses.shared().all(); !shared.empty()) {
      observer.accesses({kind, Space::shared, warp.id(), op.site, access->bytes, shared});
    }
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
    case Access::Kind::copy:
      tell(access->address, lanes, Kind::load);
      return tell(access->target, lanes, Kind::store);
  }
}

}  // namespace tmaemu
