#include "emulator/profile/summary.h"

#include <algorithm>

namespace tmaemu::profile {
namespace {

void add_waits(std::vector<NamedWaits>& all, const NamedWaits& added) {
  const auto known = std::ranges::find(all, added.barrier, &NamedWaits::barrier);
  if (known == all.end()) {
    all.push_back(added);
  } else {
    known->waits.merge(added.waits);
  }
}

}  // namespace

double Summary::average_lanes() const {
  if (counters.warp_instructions == 0) return 0;
  return static_cast<double>(counters.thread_instructions) /
         static_cast<double>(counters.warp_instructions);
}

double Summary::most_tensor_core_use() const {
  Count clocks = 0;
  for (const auto& [product, counts] : multiplications) clocks += counts.clocks;
  if (clocks == 0) return 0;
  return static_cast<double>(clocks) /
         static_cast<double>(std::max(clocks, counters.warp_instructions));
}

std::vector<Summary> summarize(std::span<const LaunchReport> launches) {
  std::vector<Summary> summaries;
  for (const LaunchReport& launch : launches) {
    auto found = std::ranges::find(summaries, launch.kernel, &Summary::kernel);
    if (found == summaries.end()) {
      found = summaries.emplace(found);
      found->kernel = launch.kernel;
      found->threads = launch.block.count();
    }
    ++found->launches;
    found->ctas += launch.grid.count();
    if (found->threads != launch.block.count()) found->threads = 0;
    found->counters.merge(launch.counters);
    for (const NamedWaits& named : launch.waits) add_waits(found->waits, named);
    for (const NamedExcess& named : launch.excess) found->excess[named.place].merge(named.excess);
    for (const NamedMultiplications& named : launch.multiplications) {
      found->multiplications[named.product].merge(named.counts);
    }
  }
  return summaries;
}

}  // namespace tmaemu::profile
