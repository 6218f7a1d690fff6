// What the runner's process gives up before it loads a submission. It holds with and without a
// sandbox around the process; the sandbox hides files, and this keeps the process to computing.
#pragma once

#include "common/result.h"

namespace runner {

// Limits this process for good and refuses it the system calls that no launcher needs, in all of
// its threads. To be called when the CUDA context is there: creating it needs more.
common::Status confine();

}  // namespace runner
