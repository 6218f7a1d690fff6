// CUDA_MEMCPY3D, which calls and graph nodes take.
#pragma once

#include <cuda.h>

#include "emulator/runtime/state/copy.h"
#include "emulator/runtime/state/error.h"

namespace tmaemu::runtime {

Error volume_copy(const char* call, const CUDA_MEMCPY3D& from, CopyRequest& request);

}  // namespace tmaemu::runtime
