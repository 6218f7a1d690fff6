#include "emulator/stats/access.h"

#include <algorithm>
#include <array>
#include <bit>

#include "emulator/sched/cta.h"
#include "emulator/stats/sectors.h"

namespace tmaemu::stats {
namespace {

// The addresses of one access, sorted by the memory that they lie in.
class Addresses {
 public:
  Addresses(Warp& warp, const MemoryAccess& access, LaneMask lanes) {
    for (; lanes != 0; lanes &= lanes - 1) {
      const auto lane = static_cast<unsigned>(std::countr_zero(lanes));
      add(warp, access.space, lane, address_of(warp, access, lane));
    }
  }
  std::span<const std::uint64_t> global() const { return {global_.data(), global_count_}; }
  std::span<const LaneOffset> shared() const { return {shared_.data(), shared_count_}; }
  Count remote_lanes() const { return remote_count_; }

 private:
  void add(Warp& warp, AddressSpace space, unsigned lane, std::uint64_t address) {
    switch (space) {
      case AddressSpace::global:
        global_[global_count_++] = address;
        return;
      case AddressSpace::shared:
      case AddressSpace::shared_cluster:
        return add_shared(warp, lane, static_cast<std::uint32_t>(address));
      case AddressSpace::local:
      case AddressSpace::parameter:
        return;  // where these lie is the compiler's business
      case AddressSpace::generic:
        break;
    }
    if (in_window(address, shared_window)) {
      add_shared(warp, lane, static_cast<std::uint32_t>(address - shared_window));
    } else if (!in_window(address, local_window) && !in_window(address, param_window)) {
      global_[global_count_++] = address;
    }
  }

  void add_shared(Warp& warp, unsigned lane, std::uint32_t address) {
    if (shared_rank(address) != warp.cta().rank) {
      ++remote_count_;
    } else {
      shared_[shared_count_++] = {lane, shared_offset(address)};
    }
  }

  std::array<std::uint64_t, warp_size> global_;
  std::size_t global_count_ = 0;
  std::array<LaneOffset, warp_size> shared_;
  std::size_t shared_count_ = 0;
  Count remote_count_ = 0;
};

struct Direction {
  GlobalTraffic ByDirection<GlobalTraffic>::*global;
  SharedTraffic ByDirection<SharedTraffic>::*shared;
  SharedAccess kind;
};
using Global = ByDirection<GlobalTraffic>;
using Shared = ByDirection<SharedTraffic>;
constexpr Direction loads{&Global::load, &Shared::load, SharedAccess::load};
constexpr Direction stores{&Global::store, &Shared::store, SharedAccess::store};
constexpr Direction atomics{&Global::atomic, &Shared::atomic, SharedAccess::atomic};
constexpr Direction matrix_loads{&Global::load, &Shared::load, SharedAccess::store};

// Counts for one operation.
class OperationCounter {
 public:
  OperationCounter(Counters& counters, Warp& warp, const Operation& op)
      : counters_(counters), warp_(warp), op_(op) {}

  void count(const MemoryAccess& access, LaneMask lanes, unsigned bytes, Direction direction) {
    const Addresses addresses(warp_, access, lanes);
    if (const auto global = addresses.global(); !global.empty()) {
      const Asked asked{global.size() * bytes, count_blocks(global, bytes) * bytes};
      const Count sectors = count_blocks(global, sector_bytes);
      (counters_.global.*direction.global).add(asked, sectors);
      const Count enough = (asked.distinct + sector_bytes - 1) / sector_bytes;
      if (sectors > enough) counters_.excess[op_.site].sectors += sectors - enough;
    }
    if (const auto shared = addresses.shared(); !shared.empty()) {
      const Wavefronts needed = count_wavefronts(shared, bytes, direction.kind);
      (counters_.shared.*direction.shared).add(asked_of(shared, bytes), needed);
      if (needed.conflicts() != 0) counters_.excess[op_.site].conflicts += needed.conflicts();
    }
    if (const Count remote = addresses.remote_lanes(); remote != 0) {
      (counters_.remote_shared.*direction.global).add({remote * bytes, remote * bytes}, 0);
    }
  }

 private:
  static Asked asked_of(std::span<const LaneOffset> lanes, unsigned bytes) {
    std::array<std::uint64_t, warp_size> offsets;
    std::ranges::transform(lanes, offsets.begin(), &LaneOffset::offset);
    return {lanes.size() * bytes, count_blocks({offsets.data(), lanes.size()}, bytes) * bytes};
  }

  Counters& counters_;
  Warp& warp_;
  const Operation& op_;
};

// The lanes whose addresses a matrix instruction uses: eight rows a matrix.
LaneMask row_lanes(const Access& access) {
  constexpr unsigned rows = 8;
  const unsigned lanes = access.matrices * rows;
  return lanes == warp_size ? all_lanes : (LaneMask{1} << lanes) - 1;
}

}  // namespace

void count_operation(Counters& counters, Warp& warp, const Operation& op, LaneMask active,
                     LaneMask lanes) {
  ++counters.warp_instructions;
  counters.thread_instructions += static_cast<unsigned>(std::popcount(active));
  const Program& program = warp.program();
  const auto index = static_cast<std::size_t>(&op - program.code.data());
  if (lanes == 0 || index >= program.accesses.size()) return;
  const Access* access = program.accesses[index];
  if (access == nullptr) return;
  OperationCounter counter(counters, warp, op);
  switch (access->kind) {
    case Access::Kind::load:
      return counter.count(access->address, lanes, access->bytes, loads);
    case Access::Kind::store:
      return counter.count(access->address, lanes, access->bytes, stores);
    case Access::Kind::atomic:
      return counter.count(access->address, lanes, access->bytes, atomics);
    case Access::Kind::matrix_load:
      return counter.count(access->address, row_lanes(*access), access->bytes, matrix_loads);
    case Access::Kind::matrix_store:
      return counter.count(access->address, row_lanes(*access), access->bytes, stores);
    case Access::Kind::copy:
      counter.count(access->address, lanes, access->bytes, loads);
      return counter.count(access->target, lanes, access->bytes, stores);
  }
}

}  // namespace tmaemu::stats
