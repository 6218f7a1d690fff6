// Compiled once for each submission of lab4-single-tile, together with the student's file.

#include "runner/part_calls.h"

namespace tmagrade_entry {

// All that checks.cpp tries. A row is a multiple of 16 bytes of bfloat16, as a tensor map demands.
using TileShapes = Instances<Values<64, 128>, Values<128, 64>, Values<32, 8>, Values<1, 8>,
                             Values<8, 256>, Values<3, 24>, Values<256, 16>>;

}  // namespace tmagrade_entry

#if __has_include("checks/lab4-single-tile/grader_entry.h")
#include "checks/lab4-single-tile/grader_entry.h"
#endif

#define ENTRY_PARTS "checks/lab4-single-tile/parts.def"
#include "runner/bind_parts.h"
