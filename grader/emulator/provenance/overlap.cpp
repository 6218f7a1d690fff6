#include "emulator/provenance/overlap.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "emulator/memory/address_space.h"
#include "emulator/observe/targets.h"

namespace tmaemu::provenance {

void Overlap::Cta::start(std::uint64_t bytes) {
  in_flight += bytes;
  left += bytes;
}

void Overlap::Cta::end(std::uint64_t bytes) {
  in_flight -= bytes;
  left = std::min(left, in_flight);
}

Overlap::Cta& Overlap::cta(std::uint32_t rank) {
  if (ctas_.size() <= rank) ctas_.resize(rank + 1);
  return ctas_[rank];
}

void Overlap::issues(const events::Bulk& load, std::uint64_t news) {
  for_each_target(load, [&](std::uint32_t rank) {
    cta(rank).mbarriers[shared_offset(load.mbarrier)] += news;
    cta(rank).start(news);
  });
}

void Overlap::copies(ThreadId thread, std::uint64_t news) {
  cta(thread.rank).copies[thread.index].open += news;
}

void Overlap::orders_arrival(ThreadId thread, std::uint32_t mbarrier) {
  Cta& of_thread = cta(thread.rank);
  Copies& copies = of_thread.copies[thread.index];
  const std::uint64_t committed =
      std::accumulate(copies.groups.begin(), copies.groups.end(), std::uint64_t{0});
  const std::uint64_t open = std::exchange(copies.open, 0);
  copies.groups.assign(copies.groups.size(), 0);
  of_thread.start(open);
  of_thread.mbarriers[shared_offset(mbarrier)] += open + committed;
}

void Overlap::sees_phase(std::uint32_t mbarrier) {
  Cta& of_mbarrier = cta(shared_rank(mbarrier));
  const auto found = of_mbarrier.mbarriers.find(shared_offset(mbarrier));
  if (found == of_mbarrier.mbarriers.end()) return;
  of_mbarrier.end(found->second);
  of_mbarrier.mbarriers.erase(found);
}

void Overlap::commits_copies(ThreadId thread) {
  Cta& of_thread = cta(thread.rank);
  Copies& copies = of_thread.copies[thread.index];
  of_thread.start(copies.open);
  copies.groups.push_back(std::exchange(copies.open, 0));
}

void Overlap::awaits_copies(const events::Groups& wait) {
  Cta& of_thread = cta(wait.thread.rank);
  Copies& copies = of_thread.copies[wait.thread.index];
  if (wait.is_for_all) copies.open = 0;
  const std::size_t left = wait.is_for_all ? 0 : wait.pending;
  while (copies.groups.size() > left) {
    of_thread.end(copies.groups.front());
    copies.groups.pop_front();
  }
}

std::uint64_t Overlap::reads(std::uint32_t rank, std::uint64_t bytes) {
  if (rank >= ctas_.size()) return 0;
  const std::uint64_t overlapping = std::min(bytes, ctas_[rank].left);
  ctas_[rank].left -= overlapping;
  return overlapping;
}

}  // namespace tmaemu::provenance
