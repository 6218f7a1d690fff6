// The end of the device's context: cudaDeviceReset, cuDevicePrimaryCtxReset.
#pragma once

#include "emulator/runtime/state/error.h"

namespace tmaemu::runtime {

// Ends what the program has on the device: its memory, streams, events and graphs are gone, its
// variables have their initial values again, and a kernel's fault is forgotten. What kernels
// printed comes out first.
Error reset_device(const char* call);

}  // namespace tmaemu::runtime
