// The report on a kernel in which nothing can run any more.
#pragma once

#include <optional>
#include <span>

#include "emulator/memory/global_memory.h"
#include "emulator/model/finding.h"
#include "emulator/sched/cluster.h"

namespace tmaemu {

// Of a deadlock: a wait of lanes for others of their warp, if those never come whatever the other
// threads do.
std::optional<Finding> missing_lanes_of(const Finding& deadlock,
                                        std::span<const Cluster* const> clusters);

// Tells the clusters' observers of lanes that others wait for, and that wait somewhere else.
void tell_missing_lanes(std::span<const Cluster* const> clusters);

// Who waits where, for what, and what is missing there.
Finding deadlock_of(std::span<const Cluster* const> clusters);

// Where threads poll memory that is the host's, too: what is said instead. The host may mean to set
// the flag while the kernel runs; here it goes on when the kernel is over.
std::optional<Finding> wait_for_host_in(const Finding& deadlock, const GlobalMemory& memory);

}  // namespace tmaemu
