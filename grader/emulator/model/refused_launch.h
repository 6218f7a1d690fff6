// A launch that CUDA has refused, and of which the program has not heard.
#pragma once

#include <functional>
#include <string>

#include "emulator/model/host_touch.h"

namespace tmaemu {

struct RefusedLaunch {
  std::string reason;                // "launch of k(int*) refused: ..."
  std::function<HostPlace()> place;  // looked up when somebody asks
};

}  // namespace tmaemu
