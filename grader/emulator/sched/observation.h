// Tells an observer what an operation is about to do.
#pragma once

#include "emulator/model/events.h"
#include "emulator/sched/warp.h"

namespace tmaemu {

// `active`: the lanes that come to the operation; `lanes`: those of them whose guard holds.
void tell_operation(Observer& observer, Warp& warp, const Operation& op, LaneMask active,
                    LaneMask lanes);

}  // namespace tmaemu
