// The values of PTX's special registers.
#pragma once

#include "emulator/sched/frame.h"

namespace tmaemu {

// Writes the special slots of a frame of the warp. Addresses of local variables are those of the
// kernel, whose local memory starts at 0; a call writes its own. `is_new`: nothing was ever
// written; otherwise what another CTA of the launch shares with the last one is there already.
void fill_special_registers(const Warp& warp, Frame& frame, bool is_new);

}  // namespace tmaemu
