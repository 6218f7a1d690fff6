#include "emulator/stats/summary.h"

#include <algorithm>

namespace tmaemu::stats {
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

std::vector<Summary> summarize(std::span<const Record> records) {
  std::vector<Summary> summaries;
  for (const Record& record : records) {
    auto found = std::ranges::find(summaries, record.kernel, &Summary::kernel);
    if (found == summaries.end()) {
      found = summaries.emplace(found);
      found->kernel = record.kernel;
      found->threads = record.block.count();
    }
    ++found->launches;
    found->ctas += record.grid.count();
    if (found->threads != record.block.count()) found->threads = 0;
    found->counters.merge(record.counters);
    for (const NamedWaits& named : record.waits) add_waits(found->waits, named);
    for (const NamedExcess& named : record.excess) found->excess[named.place].merge(named.excess);
  }
  return summaries;
}

}  // namespace tmaemu::stats
