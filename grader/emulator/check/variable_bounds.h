// Accesses to shared memory through an address that comes from one variable.
#pragma once

#include <cstdint>

#include "emulator/check/cluster_state.h"
#include "emulator/check/mbarrier_ledger.h"
#include "emulator/memory/address_space.h"

namespace tmaemu::check {

// How far behind the variable's first byte the address lies.
inline std::int64_t offset_in(const SharedVariable& variable, std::uint64_t address) {
  return std::int64_t{shared_offset(static_cast<std::uint32_t>(address))} - variable.offset;
}

// Whether bytes lie beyond the variable: they are its neighbor's.
inline bool leaves(const SharedVariable& variable, std::uint64_t address, std::uint64_t bytes) {
  const std::int64_t first = offset_in(variable, address);
  return first < 0 || first + static_cast<std::int64_t>(bytes) > variable.bytes;
}

inline void report_outside(ClusterState& state, const SharedVariable& variable,
                           const Action& action, std::uint64_t address, std::uint64_t bytes,
                           Sentence sentence) {
  state.report(state.finding(sentence, action.site, action.thread,
                             {bytes, variable.name, variable.bytes, offset_in(variable, address)}));
}

}  // namespace tmaemu::check
