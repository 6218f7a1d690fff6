// Compiled once for each submission of lab4-single-tile, together with the student's file.

#include "runner/part_calls.h"

namespace tmagrade_entry {

// All that the checks try. A row is a multiple of 16 bytes of bfloat16, as a tensor map demands.
using TileShapes = Instances<Values<64, 128>, Values<128, 64>, Values<32, 8>, Values<1, 8>,
                             Values<8, 256>, Values<3, 24>, Values<256, 16>, Values<2, 16>,
                             Values<17, 40>, Values<256, 64>, Values<96, 200>>;

}  // namespace tmagrade_entry

#define ENTRY_PARTS "checks/lab4-single-tile/parts.def"
#include "runner/bind_parts.h"
