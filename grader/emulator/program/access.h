// How an operation forms the addresses that it accesses, as far as that is known when it is
// decoded.
#pragma once

#include <array>
#include <cstdint>

#include "emulator/model/ids.h"
#include "emulator/model/memory_order.h"

namespace tmaemu {

// A register's place: bytes from the start of the frame's registers. A register of n bytes is an
// array of 32 values of n bytes, one a lane; a predicate is one LaneMask.
using Slot = std::uint32_t;

// An address operand: the value of `base` (none where base_bytes is 0) plus `offset`.
struct MemoryOperand {
  enum class Base : std::uint8_t { slot, kernel_parameter };
  Base base = Base::slot;
  Slot slot = 0;
  unsigned base_bytes = 0;  // 4 or 8; 0: absolute
  std::int64_t offset = 0;
};

enum class AddressSpace : std::uint8_t {
  generic,
  global,
  shared,
  shared_cluster,
  local,
  parameter
};

// How an operation forms its addresses; Operation::detail of loads and stores points to one.
struct MemoryAccess {
  MemoryOperand address;
  AddressSpace space = AddressSpace::generic;
  unsigned bytes = 0;               // of one lane's whole access
  unsigned element_bytes = 0;       // of one vector element
  unsigned count = 1;               // vector elements
  std::array<Slot, 8> registers{};  // of the elements
  unsigned register_bytes = 0;
  bool is_signed = false;    // loads: extend the sign into a wider register
  bool is_constant = false;  // constants have a cache of their own: no observer asks
  MemoryOrder order = {};    // what is not weak synchronizes threads
  bool synchronizes() const { return order.is_strong(); }
};

}  // namespace tmaemu
