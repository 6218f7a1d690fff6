// PTX's special registers that keep one value from a CTA's start to its end.
#pragma once

#include <optional>
#include <string_view>

#include "emulator/sched/frame.h"

namespace tmaemu {

// "%tid.x" to Special::tid_x. Registers that change while a CTA runs (%clock, %globaltimer) are not
// among them: the instruction that reads those asks the clock.
std::optional<Special> special_from_name(std::string_view name);

// Writes the special slots of a frame of the warp. Addresses of local variables are those of the
// kernel, whose local memory starts at 0; a call writes its own. `is_new`: nothing was ever
// written; otherwise what another CTA of the launch shares with the last one is there already.
void fill_special_registers(const Warp& warp, Frame& frame, bool is_new);

}  // namespace tmaemu
