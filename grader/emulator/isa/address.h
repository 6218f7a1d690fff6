// From address operands to host memory: where each lane's bytes are, with bounds and alignment
// checked. PTX ISA, "State Spaces", "Generic Addressing", "Addresses as Operands".
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "emulator/isa/lanes.h"
#include "emulator/memory/address_space.h"
#include "emulator/program/access.h"
#include "emulator/ptx/module.h"
#include "emulator/sched/warp.h"

namespace tmaemu {

enum class AccessKind : std::uint8_t { load, store, atomic };

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

// A place that a lane may read or write.
struct Place {
  std::byte* bytes = nullptr;
  Cta* shared_of = nullptr;  // the CTA whose shared memory this is; null elsewhere
  std::uint32_t shared_offset = 0;
};

// Resolves an address; faults (illegal address, misaligned address) where the hardware does.
// Outside of what the program has, but not of what a GPU maps, the access goes on with a finding.
// `may_reach_over`: for an atomic of one byte the compiler takes the word around it, which may
// reach over the end of its allocation.
Place resolve(Warp& warp, const Operation& op, unsigned lane, AddressSpace space,
              std::uint64_t address, unsigned bytes, AccessKind kind, bool may_reach_over = false);

// An operand that is an address in shared memory: what is told of it where it is wrong.
struct SharedOperand {
  std::string_view what;                        // "an mbarrier"
  std::optional<Sentence> of_another_cta = {};  // where it is not what is said of any operand
};

// A shared::cluster address from the lane's address in the instruction's space: checks that generic
// addresses point into the shared window, that those of .shared::cta are the own CTA's, and that
// `bytes` at it are shared memory.
std::uint32_t shared_address(Warp& warp, const Operation& op, unsigned lane,
                             const MemoryAccess& access, unsigned bytes,
                             const SharedOperand& operand);

// The state space of a modifier: "shared::cta"; generic where it is empty.
AddressSpace space_of(std::string_view modifier);
// .shared, which is .shared::cta, and .shared::cluster; generic where there is none of them.
AddressSpace take_shared_space(Instruction& instruction);

}  // namespace tmaemu
