// Where the host program is, in its own terms.
#pragma once

#include <cstdint>
#include <span>

#include "emulator/model/host_touch.h"

namespace tmaemu::runtime {

// Of the frames of a thread, the instruction first and then who called, the innermost that is in
// the program itself and not in a library: what it calls memcpy() with is its own doing. Function
// and line are as addr2line of the compiler's tools says, where the machine has it.
HostPlace host_place(std::span<const std::uint64_t> frames);

}  // namespace tmaemu::runtime
