// The report on a kernel in which nothing can run any more.
#pragma once

#include <span>

#include "emulator/model/finding.h"
#include "emulator/sched/cluster.h"

namespace tmaemu {

// Who waits where, for what, and what is missing there.
Finding deadlock_of(std::span<const Cluster* const> clusters);

}  // namespace tmaemu
