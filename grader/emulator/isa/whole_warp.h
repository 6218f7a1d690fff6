// Instructions for whole warps: PTX ISA, the .aligned modifier of mma, wmma, ldmatrix and others.
#pragma once

#include "emulator/isa/lanes.h"

namespace tmaemu {

// Whether all lanes of the warp are here. Where some are still on their way, the others sleep:
// `next` is where they go on. Where some never come, a fault.
bool is_whole_warp(Warp& warp, const Operation& op, LaneMask lanes, const Operation*& next);

}  // namespace tmaemu
