// The mbarriers of a cluster, where they lie in its shared memory, and what their phases order.
#pragma once

#include <cstdint>
#include <cstring>
#include <optional>
#include <unordered_map>
#include <vector>

#include "emulator/mbarrier/mbarrier.h"
#include "emulator/memory/address_space.h"
#include "emulator/memory/shared_memory.h"
#include "emulator/model/events.h"
#include "emulator/order/causality.h"

namespace tmaemu {

// All addresses are shared::cluster addresses of 8 bytes that are shared memory of the cluster.
class Mbarriers {
 public:
  // `shared`: of the cluster's CTAs, by rank. `is_tracked`: whether it matters who knows of whose
  // writes. `observer` may be null.
  Mbarriers(const std::vector<SharedMemory*>& shared, Causality& causality, bool is_tracked,
            Observer* observer)
      : shared_(shared), causality_(causality), is_tracked_(is_tracked), observer_(observer) {}

  // As at the start of a cluster.
  void reset();

  Mbarrier load(std::uint32_t address) const {
    std::uint64_t bits = 0;
    std::memcpy(&bits, place(address), sizeof bits);
    return Mbarrier::unpack(bits);
  }
  void store(std::uint32_t address, const Mbarrier& barrier) {
    const std::uint64_t bits = barrier.pack();
    std::memcpy(place(address), &bits, sizeof bits);
  }

  void initialize(std::uint32_t address, std::int64_t count, ThreadId by, std::uint32_t site = 0);
  // The bytes are no mbarrier from here on, until they are initialized again.
  void invalidate(std::uint32_t address, ThreadId by = {}, std::uint32_t site = 0);
  // Who arrives, where, and what that orders.
  struct Arriver {
    const ThreadId* thread = nullptr;  // null: the engine, whose complete_tx it is
    std::uint32_t site = 0;
    MemoryOrder order = {Semantics::release, Scope::cluster};
    bool follows_copies = false;  // cp.async.mbarrier.arrive
  };
  // Adds `tx_bytes` to the tx-count, then arrives `count` times; either may be 0. Returns what was
  // illegal about it, where anything was.
  std::optional<MbarrierMisuse> arrive(std::uint32_t address, std::int64_t count,
                                       std::int64_t tx_bytes, const Arriver& by);
  // Threads of a warp, the lanes of the mask counted from seen.thread, have seen a phase of the
  // mbarrier complete.
  void observe(events::PhaseSeen seen, LaneMask lanes);

 private:
  struct PhaseClocks {
    ReleasedClock arriving;   // by the arrivals of the current phase
    ReleasedClock completed;  // of the phases that are over
  };

  using ClocksByAddress = std::unordered_map<std::uint32_t, PhaseClocks>;

  // Null where nobody has arrived since the mbarrier was initialized.
  PhaseClocks* find_clocks(std::uint32_t address) {
    if (recent_clocks_ != nullptr && recent_clocks_->first == address) {
      return &recent_clocks_->second;
    }
    const auto found = clocks_.find(address);
    if (found == clocks_.end()) return nullptr;
    recent_clocks_ = &*found;
    return &found->second;
  }
  PhaseClocks& clocks_of(std::uint32_t address) {
    PhaseClocks* const found = find_clocks(address);
    return found != nullptr ? *found : clocks_[address];
  }
  void forget_clocks(std::uint32_t address) {
    clocks_.erase(address);
    recent_clocks_ = nullptr;
  }

  std::byte* place(std::uint32_t address) const {
    return shared_[shared_rank(address)]->generic() + shared_offset(address);
  }

  const std::vector<SharedMemory*>& shared_;
  Causality& causality_;
  bool is_tracked_;
  Observer* observer_;
  ClocksByAddress clocks_;
  // A phase is asked for several times in a row: threads arrive, bytes arrive, threads wait.
  ClocksByAddress::value_type* recent_clocks_ = nullptr;
};

}  // namespace tmaemu
