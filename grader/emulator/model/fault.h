// What ends a kernel.
#pragma once

#include <cstdint>
#include <string>

#include "emulator/model/ids.h"
#include "emulator/model/outcome.h"

namespace tmaemu {

// The kernel cannot go on. Thrown where that is noticed, caught by the launch.
struct KernelFault {
  LaunchOutcome outcome;
  std::string message;
  std::uint32_t site;
  ThreadId thread;
  Dimensions cta;
};

}  // namespace tmaemu
