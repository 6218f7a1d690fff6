// The global memory of the one device there is.
#pragma once

#include "emulator/device/device.h"

namespace tmaemu::runtime {

inline GlobalMemory& device_memory() {
  return Device::instance().memory();
}

}  // namespace tmaemu::runtime
