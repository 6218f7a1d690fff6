// The addresses that lanes form.
#pragma once

#include <cstdint>

#include "emulator/program/access.h"
#include "emulator/sched/warp.h"

namespace tmaemu {

// The lane's address as the instruction forms it.
inline std::uint64_t address_of(Warp& warp, const MemoryAccess& access, unsigned lane) {
  const MemoryOperand& memory = access.address;
  std::uint64_t base = 0;
  if (memory.base_bytes == 8) {
    base = warp.lanes<std::uint64_t>(memory.slot)[lane];
  } else if (memory.base_bytes == 4) {
    // 32-bit addresses do not carry into the upper half.
    return warp.lanes<std::uint32_t>(memory.slot)[lane] + static_cast<std::uint32_t>(memory.offset);
  }
  return base + static_cast<std::uint64_t>(memory.offset);
}

}  // namespace tmaemu
