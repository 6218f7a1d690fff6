// What a launch did to global memory, for itself and for launches beside it.
#pragma once

#include "emulator/check/flags.h"
#include "emulator/check/global_shadow.h"
#include "emulator/check/past_access.h"

namespace tmaemu::check {

struct GlobalHistory {
  GlobalShadow shadow;
  AccessHistory accesses;
  Flags flags;  // through which its threads, and those of launches beside it, tell each other
};

}  // namespace tmaemu::check
