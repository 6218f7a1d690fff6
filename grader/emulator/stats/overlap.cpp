#include "emulator/stats/overlap.h"

#include <algorithm>

#include "emulator/memory/address_space.h"
#include "emulator/stats/targets.h"

namespace tmaemu::stats {

Overlap::Cta& Overlap::cta(std::uint32_t rank) {
  if (ctas_.size() <= rank) ctas_.resize(rank + 1);
  return ctas_[rank];
}

void Overlap::issues(const events::Bulk& load) {
  for_each_target(
      load, [&](std::uint32_t rank) { cta(rank).mbarriers.insert(shared_offset(load.mbarrier)); });
}

void Overlap::orders_arrival(std::uint32_t mbarrier) {
  cta(shared_rank(mbarrier)).mbarriers.insert(shared_offset(mbarrier));
}

void Overlap::sees_phase(std::uint32_t mbarrier) {
  cta(shared_rank(mbarrier)).mbarriers.erase(shared_offset(mbarrier));
}

void Overlap::commits_copies(ThreadId thread) {
  Cta& of_thread = cta(thread.rank);
  if (of_thread.groups[thread.index]++ == 0) ++of_thread.threads;
}

void Overlap::awaits_copies(const events::Groups& wait) {
  Cta& of_thread = cta(wait.thread.rank);
  std::uint16_t& groups = of_thread.groups[wait.thread.index];
  const std::uint32_t left = std::min<std::uint32_t>(groups, wait.is_for_all ? 0 : wait.pending);
  if (groups != 0 && left == 0) --of_thread.threads;
  groups = static_cast<std::uint16_t>(left);
}

}  // namespace tmaemu::stats
