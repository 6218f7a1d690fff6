// The report on a kernel in which nothing can run any more.
#pragma once

#include <span>

#include "emulator/sched/cluster.h"

namespace tmaemu {

// Says for each place where threads sleep what they wait for, and what is missing. The fault's
// message is the whole report.
KernelFault describe_deadlock(std::span<const Cluster* const> clusters);

}  // namespace tmaemu
