// Tells an observer what an operation is about to do.
#pragma once

#include "emulator/model/events.h"
#include "emulator/sched/warp.h"

namespace tmaemu {

// The memory that `lanes` of the warp, whose guard holds, are about to access.
void tell_accesses(Observer& observer, Warp& warp, const Operation& op, LaneMask lanes);

}  // namespace tmaemu
