// Compiled once for each submission of lab12-matmul, together with the student's file.

#include "runner/part_calls.h"

namespace tmagrade_entry {

// The tiles of one warpgroup: M, N, K.
using Tiles16 = Instances<Values<64, 8, 16>>;
using Tiles32 = Instances<Values<64, 8, 32>>;
using Tiles64 = Instances<Values<64, 8, 64>>;

}  // namespace tmagrade_entry

#define ENTRY_PARTS "checks/lab12-matmul/parts.def"
#include "runner/bind_parts.h"
