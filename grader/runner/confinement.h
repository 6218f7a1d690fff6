// What the runner's process gives up before it loads a submission. It holds with and without a
// sandbox around the process; the sandbox hides files, and this keeps the process to computing.
#pragma once

#include "common/result.h"

namespace runner {

// Takes the superuser's powers from this process, where it has them: it shall not reach into the
// judge. Of threads only the caller: to be called before there are others.
common::Status give_up_capabilities();

// The judge has limited its own memory; this process has limits of its own, which confine() sets.
void leave_judges_limit();

// CUDA's driver starts threads. On the emulator a runner needs none, and a thousand that compute
// would take the processors from whoever is judged beside it.
enum class MoreThreads { allowed, refused };

// Limits this process for good and refuses it the system calls that no launcher needs, in all of
// its threads. To be called when the CUDA context is there: creating it needs more.
common::Status confine(MoreThreads threads);

}  // namespace runner
