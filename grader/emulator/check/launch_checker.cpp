#include "emulator/check/launch_checker.h"

#include <algorithm>
#include <variant>

#include "emulator/memory/address_space.h"

namespace tmaemu::check {

void LaunchChecker::explain(Finding& deadlock) const {
  std::vector<Waiters> waiters = deadlock.waiters;
  std::ranges::sort(waiters, {}, &Waiters::number);
  for (const Waiters& each : waiters) {
    // Where a phase lacks arrivals, the count that the mbarrier was given may be wrong.
    const auto* const wait = std::get_if<MbarrierWait>(&each.waited_for);
    if (wait == nullptr || wait->arrivals_missing == 0) continue;
    const auto cluster = std::ranges::find_if(clusters_, [&](const ClusterChecker& checker) {
      return checker.has(each.cta, each.first);
    });
    if (cluster == clusters_.end()) continue;
    cluster->explain_wait(std::uint32_t{wait->rank} << cta_rank_shift | wait->offset,
                          deadlock.notes);
  }
}

}  // namespace tmaemu::check
