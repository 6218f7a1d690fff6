// Runs all clusters of a grid, in order, some of them at the same time.
//
// A cluster runs until it ends or can go no further; only then is another one started beside it, up
// to what the device could hold: flags in global memory and grid-wide barriers work, and ordinary
// kernels stay in the host's caches. Kernels whose CTAs cannot see each other's effects are spread
// over the host's cores.
#pragma once

#include <cstdint>
#include <optional>

#include "emulator/model/finding.h"
#include "emulator/sched/launch.h"

namespace tmaemu {

// A thread that was running when the time was over.
struct StillRunning {
  std::uint32_t site = 0;
  Dimensions cta;
  ThreadId thread;
  std::uint64_t instructions = 0;  // that it has executed
};

struct GridResult {
  std::optional<KernelFault> fault;  // of the first cluster in order that had one
  std::uint64_t thread_instructions = 0;
  std::optional<StillRunning> still_running = {};  // where the launch's time limit has ended it
};

// `resident_clusters`: how many clusters the device holds at once. `host_threads` at least 1.
GridResult run_grid(const Launch& launch, std::uint64_t resident_clusters, unsigned host_threads);

}  // namespace tmaemu
