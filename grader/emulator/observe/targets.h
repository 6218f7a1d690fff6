// The CTAs whose shared memory a load fills.
#pragma once

#include <bit>
#include <cstdint>

#include "emulator/memory/address_space.h"
#include "emulator/model/events.h"

namespace tmaemu {

// Calls visit(rank) for each of them.
template <class Visit>
void for_each_target(const events::Bulk& bulk, Visit visit) {
  if (bulk.multicast == 0) return visit(shared_rank(bulk.shared));
  for (unsigned rest = bulk.multicast; rest != 0; rest &= rest - 1) {
    visit(static_cast<std::uint32_t>(std::countr_zero(rest)));
  }
}

}  // namespace tmaemu
