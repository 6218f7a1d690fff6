// What an instruction accesses. Noted once, where it is decoded, for those who count: the handlers
// that execute it know nothing of statistics.
#pragma once

#include <cstdint>

#include "emulator/isa/address.h"
#include "emulator/stats/counters.h"

namespace tmaemu::stats {

struct Access {
  enum class Kind : std::uint8_t {
    load,
    store,
    atomic,
    matrix_load,   // ldmatrix: the first lanes hold the addresses of rows of 16 bytes
    matrix_store,  // stmatrix
    copy,          // cp.async: a load from global memory, and a store to shared memory
  };
  Kind kind = Kind::load;
  MemoryAccess address;   // of copies: the source
  MemoryAccess target;    // of copies
  unsigned bytes = 0;     // of one lane
  unsigned matrices = 0;  // of matrix_load and matrix_store
};

// Counts an operation that the active lanes are about to execute, `lanes` of them with effect.
void count_operation(Counters& counters, Warp& warp, const Operation& op, LaneMask active,
                     LaneMask lanes);

}  // namespace tmaemu::stats
