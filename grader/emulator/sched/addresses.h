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

// The lane's in a step of wmma.load or wmma.store.
inline std::uint64_t address_of(Warp& warp, const FragmentAccess& fragment,
                                const FragmentAccess::Step& step, unsigned lane) {
  const FragmentAccess::Place place = step.places[lane];
  const std::uint64_t stride = warp.lanes<std::uint32_t>(fragment.stride)[lane];
  return address_of(warp, fragment.memory, lane) +
         place.line * (stride * fragment.element_bits / 8) + place.byte;
}

// How many of the `all` bytes that the lane's cp.async writes it reads. More than all, where a
// register says so, is a mistake.
inline std::uint32_t copied_bytes(Warp& warp, const CopiedBytes& copied, std::uint32_t all,
                                  unsigned lane) {
  switch (copied.by) {
    case CopiedBytes::By::all:
      return all;
    case CopiedBytes::By::count:
      return warp.lanes<std::uint32_t>(copied.slot)[lane];
    case CopiedBytes::By::predicate:
      break;
  }
  const bool ignores = (warp.predicate(copied.slot) >> lane & 1) != copied.is_negated;
  return ignores ? 0 : all;
}

}  // namespace tmaemu
