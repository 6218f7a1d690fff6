// The memory that an operation accesses, as far as that is known when it is decoded.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

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
  bool is_signed = false;  // loads: extend the sign into a wider register
  MemoryOrder order = {};  // what is not weak synchronizes threads
  bool synchronizes() const { return order.is_strong(); }
};

// How wmma.load and wmma.store access a matrix in memory: in steps, in each of which every lane
// has to do with some bytes of one of its lines.
struct FragmentAccess {
  struct Place {
    std::uint16_t line = 0;
    std::uint16_t byte = 0;  // of the line
  };
  struct Step {
    unsigned register_number = 0;  // of the fragment, and where in it the bytes are
    unsigned byte = 0;
    std::array<Place, warp_size> places;  // by lane
  };
  MemoryAccess memory;  // where the matrix begins
  Slot stride = 0;      // elements from one line to the next
  unsigned element_bits = 0;
  unsigned bytes = 0;  // of a lane in a step
  std::vector<Step> steps;
};

// How much a thread's cp.async reads of what it writes: all, so many bytes, or nothing where a
// predicate is true. The rest is zeros.
struct CopiedBytes {
  enum class By : std::uint8_t { all, count, predicate };
  By by = By::all;
  Slot slot = 0;            // of the count, or of the predicate,
  bool is_negated = false;  // or of its negation
};

// What an operation accesses, noted once, where it is decoded: the handlers that execute it know
// nothing of observers.
struct Access {
  enum class Kind : std::uint8_t {
    load,
    store,
    atomic,
    matrix_load,     // ldmatrix: the first lanes hold the addresses of rows of 16 bytes
    matrix_store,    // stmatrix
    fragment_load,   // wmma.load
    fragment_store,  // wmma.store
    copy,            // cp.async: a load from global memory, and a store to shared memory
    map_change,      // tensormap.replace
    map_copy,        // tensormap.cp_fenceproxy: the warp's first lane, for all of them
  };
  Kind kind = Kind::load;
  MemoryAccess address;   // of copies: the source
  MemoryAccess target;    // of copies
  unsigned bytes = 0;     // of one lane
  unsigned matrices = 0;  // of matrix_load and matrix_store
  bool is_async_store = false;
  CopiedBytes copied = {};                   // of copies
  const FragmentAccess* fragment = nullptr;  // of fragment_load and fragment_store
};

}  // namespace tmaemu
