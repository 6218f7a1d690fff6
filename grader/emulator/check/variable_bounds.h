// Accesses to shared memory through an address that comes from one variable.
#pragma once

#include <cstdint>

#include "emulator/check/cluster_state.h"
#include "emulator/check/mbarrier_ledger.h"
#include "emulator/memory/address_space.h"

namespace tmaemu::check {

// Reports bytes that lie beyond the variable: they are its neighbor's.
inline void check_bounds(ClusterState& state, const SharedVariable& variable, const Action& action,
                         std::uint64_t address, std::uint64_t bytes, Sentence sentence) {
  const auto offset = std::int64_t{shared_offset(static_cast<std::uint32_t>(address))};
  const std::int64_t first = offset - variable.offset;
  if (first >= 0 && first + static_cast<std::int64_t>(bytes) <= variable.bytes) return;
  state.report(state.finding(sentence, action.site, action.thread,
                             {bytes, variable.name, variable.bytes, first}));
}

}  // namespace tmaemu::check
