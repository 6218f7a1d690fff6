// The report on a kernel in which nothing can run any more.
#pragma once

#include <span>
#include <vector>

#include "emulator/model/finding.h"
#include "emulator/sched/cluster.h"

namespace tmaemu {

// Of a deadlock: waits of lanes for others that their member mask names.
std::vector<Finding> missing_lanes_of(const Finding& deadlock);

// Tells the clusters' observers of lanes that others wait for, and that wait somewhere else.
void tell_missing_lanes(std::span<const Cluster* const> clusters);

// Who waits where, for what, and what is missing there.
Finding deadlock_of(std::span<const Cluster* const> clusters);

}  // namespace tmaemu
