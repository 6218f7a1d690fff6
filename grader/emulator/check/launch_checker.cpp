#include "emulator/check/launch_checker.h"

#include <algorithm>
#include <variant>

#include "contract/findings/sentences.h"
#include "emulator/check/flag_setters.h"
#include "emulator/memory/address_space.h"

namespace tmaemu::check {

void LaunchChecker::explain(Finding& deadlock) const {
  std::vector<Waiters> waiters = deadlock.waiters;
  std::ranges::sort(waiters, {}, &Waiters::number);
  for (const Waiters& each : waiters) {
    if (std::holds_alternative<PollWait>(each.waited_for)) explain_poll(each, deadlock.notes);
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

DependentStart LaunchChecker::dependent_start() const {
  DependentStart all;
  for (const ClusterChecker& cluster : clusters_) all.join(cluster.dependent_start());
  return all;
}

// Who could set the flag that is polled there.
void LaunchChecker::explain_poll(const Waiters& waiters, std::vector<Note>& notes) const {
  constexpr std::size_t most = 4;
  if (state_.program.effects[waiters.site].asks_phase) return;  // of an mbarrier, and it is over
  const FlagSetters setters = setters_of(state_.program, waiters.site);
  std::vector<std::uint32_t> told{waiters.site};  // the same line twice says no more
  for (const std::uint32_t site : setters.sites) {
    const bool is_told = std::ranges::any_of(
        told, [&](std::uint32_t other) { return state_.facts->are_of_one_line(site, other); });
    if (is_told || told.size() > most) continue;
    notes.push_back({NoteSentence::would_set_flag, site, waiters.cta, waiters.first});
    told.push_back(site);
  }
  if (ran_before_ && setters.keeps_value) {
    notes.push_back({NoteSentence::flag_kept_value, waiters.site, waiters.cta, waiters.first});
  }
  if (told.size() == 1 && setters.is_all) {
    notes.push_back({NoteSentence::nobody_sets_flag, waiters.site, waiters.cta, waiters.first});
  }
}

}  // namespace tmaemu::check
