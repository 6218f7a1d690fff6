// PTX's special registers that keep one value from a CTA's start to its end.
#pragma once

#include <optional>
#include <string_view>

#include "emulator/decode/program.h"

namespace tmaemu {

// "%tid.x" to Special::tid_x. Registers that change while a CTA runs (%clock, %globaltimer) are not
// among them: the instruction that reads those asks the clock.
std::optional<Special> special_from_name(std::string_view name);

// Writes the program's special slots for a warp whose CTA is about to start.
void fill_special_registers(Warp& warp, const Program& program);

}  // namespace tmaemu
