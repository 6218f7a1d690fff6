#include "emulator/sched/deadlock.h"

#include <algorithm>
#include <bit>
#include <map>
#include <tuple>
#include <utility>
#include <variant>

#include "common/hexadecimal.h"
#include "contract/findings/sentences.h"

namespace tmaemu {
namespace {

MbarrierWait mbarrier_wait(const Cluster& cluster, const Wait& wait) {
  const Mbarrier barrier = cluster.mbarriers().load(wait.address);
  MbarrierWait waits;
  waits.offset = shared_offset(wait.address);
  waits.rank = static_cast<std::uint16_t>(shared_rank(wait.address));
  waits.parity = wait.value != 0;
  waits.is_initialized = barrier.initialized;
  waits.current_parity = barrier.parity;
  waits.arrivals_missing = barrier.pending;
  waits.arrivals_expected = barrier.expected;
  waits.bytes_missing = barrier.tx_count;
  return waits;
}

// What a group sleeps for, or was last seen to ask for.
const Wait& wait_of(const LaneGroup& group) {
  return group.wait.kind == Wait::Kind::none && group.poll.at != nullptr ? group.poll : group.wait;
}

WaitedFor waited_for(const Cta& cta, const Warp& warp, const LaneGroup& group) {
  const Wait& wait = wait_of(group);
  switch (wait.kind) {
    case Wait::Kind::mbarrier: {
      MbarrierWait waits = mbarrier_wait(cta.cluster, wait);
      waits.is_polled = group.wait.kind == Wait::Kind::none;
      return waits;
    }
    case Wait::Kind::cta_barrier: {
      const CtaBarrier& barrier = cta.barriers[wait.index];
      return CtaBarrierWait{wait.index, barrier.arrived,
                            barrier.expected != 0 ? barrier.expected : cta.live_threads};
    }
    case Wait::Kind::cluster_barrier:
      return ClusterBarrierWait{};
    case Wait::Kind::warp:
      return WarpWait{static_cast<std::uint32_t>(wait.value)};
    case Wait::Kind::whole_warp:
    case Wait::Kind::warp_at_barrier:
      return WholeWarpWait{};
    case Wait::Kind::warpgroup:
      return WarpgroupWait{};
    case Wait::Kind::registers:
      return RegistersWait{static_cast<unsigned>(wait.value), cta.registers.owned_by(warp.index()),
                           cta.registers.in_pool()};
    case Wait::Kind::none:
      break;
  }
  return PollWait{wait.value};
}

// Whether the wait would not end whatever the other threads did, since too few of them live: then
// it is the cause, and who waits elsewhere may wait for these threads.
bool is_hopeless(const Cta& cta, const Wait& wait) {
  const auto live_warps =
      std::ranges::count_if(cta.warps, [](const auto& warp) { return !warp->finished(); });
  return wait.kind == Wait::Kind::cta_barrier &&
         cta.barriers[wait.index].expected > warp_size * static_cast<unsigned>(live_warps);
}

// The instruction that waits. What the lanes execute next may be on another line.
std::uint32_t site_of(const LaneGroup& group) {
  const Wait& wait = wait_of(group);
  return wait.at != nullptr ? wait.at->site : group.next->site;
}

bool is_for_lanes(const Wait& wait) {
  return wait.kind == Wait::Kind::warp || wait.kind == Wait::Kind::whole_warp ||
         wait.kind == Wait::Kind::warp_at_barrier;
}

// The lanes that the group waits for.
LaneMask members_of(const LaneGroup& group) {
  return is_for_lanes(group.wait) ? static_cast<LaneMask>(group.wait.value) : 0;
}

// `waited_for`: lanes of the waiting thread's warp.
Finding lanes_missing(const WaitedFor& waited_for, std::uint32_t site, Dimensions cta,
                      ThreadId thread) {
  const auto* const wait = std::get_if<WarpWait>(&waited_for);
  if (wait == nullptr) return {Sentence::warp_never_comes, {}, site, cta, thread};
  return {Sentence::lanes_never_come, {common::hexadecimal(wait->members)}, site, cta, thread};
}

// Lanes that wait for others of their warp, which wait for them at another instruction: whatever
// the other warps wait for, these never meet.
std::optional<Finding> lanes_in_a_circle(const Cta& cta, const Warp& warp) {
  const LaneGroup* first = nullptr;
  for (const LaneGroup& group : warp.groups()) {
    const auto is_in_circle = [&](const LaneGroup& other) {
      return site_of(other) != site_of(group) && (other.lanes & members_of(group)) != 0 &&
             (group.lanes & members_of(other)) != 0;
    };
    if (!std::ranges::any_of(warp.groups(), is_in_circle)) continue;
    if (first == nullptr || site_of(group) < site_of(*first)) first = &group;
  }
  if (first == nullptr) return std::nullopt;
  const auto lane = static_cast<unsigned>(std::countr_zero(first->lanes));
  return lanes_missing(waited_for(cta, warp, *first), site_of(*first), cta.id, warp.thread(lane));
}

}  // namespace

std::optional<Finding> missing_lanes_of(const Finding& deadlock,
                                        std::span<const Cluster* const> clusters) {
  // Lanes that wait for something else would come if they had it.
  const bool all_wait_for_lanes = std::ranges::all_of(deadlock.waiters, [](const Waiters& waiters) {
    return std::holds_alternative<WarpWait>(waiters.waited_for) ||
           std::holds_alternative<WholeWarpWait>(waiters.waited_for);
  });
  if (all_wait_for_lanes && !deadlock.waiters.empty()) {
    const Waiters& first = deadlock.waiters.front();  // whom these wait for, waits for them
    return lanes_missing(first.waited_for, first.site, first.cta, first.first);
  }
  for (const Cluster* cluster : clusters) {
    for (const auto& cta : cluster->ctas) {
      for (const auto& warp : cta->warps) {
        if (auto circle = lanes_in_a_circle(*cta, *warp)) return circle;
      }
    }
  }
  return std::nullopt;
}

void tell_missing_lanes(std::span<const Cluster* const> clusters) {
  for (const Cluster* cluster : clusters) {
    if (cluster->observer() == nullptr) continue;
    for (const auto& cta : cluster->ctas) {
      for (const auto& warp : cta->warps) {
        for (const LaneGroup& group : warp->groups()) {
          if (group.wait.kind != Wait::Kind::warp) continue;
          const auto members = static_cast<LaneMask>(group.wait.value);
          for (const LaneGroup& other : warp->groups()) {
            if ((other.lanes & members) == 0 || site_of(other) == site_of(group)) continue;
            cluster->observer()->misses_lanes({warp->id(), site_of(group), group.lanes, members},
                                              site_of(other));
          }
        }
      }
    }
  }
}

Finding deadlock_of(std::span<const Cluster* const> clusters) {
  // By instruction and kind of wait: told once, with the first of those that wait. What is hopeless
  // comes first.
  std::map<std::tuple<bool, std::uint32_t, Wait::Kind>, Waiters> places;
  Finding deadlock{Sentence::all_threads_wait};
  for (const Cluster* cluster : clusters) {
    for (const auto& cta : cluster->ctas) {
      for (const auto& warp : cta->warps) {
        for (const LaneGroup& group : warp->groups()) {
          Waiters& waiters =
              places[{!is_hopeless(*cta, group.wait), site_of(group), wait_of(group).kind}];
          if (waiters.threads == 0) {
            const auto lane = static_cast<unsigned>(std::countr_zero(group.lanes));
            waiters = {site_of(group), cta->id, warp->thread(lane), 0,
                       waited_for(*cta, *warp, group)};
            waiters.number = places.size();
            waiters.is_hopeless = is_hopeless(*cta, group.wait);
          }
          waiters.threads += static_cast<unsigned>(std::popcount(group.lanes));
        }
      }
    }
  }
  for (auto& [place, waiters] : places) deadlock.waiters.push_back(std::move(waiters));
  if (!deadlock.waiters.empty()) {
    const Waiters& first = deadlock.waiters.front();
    deadlock.site = first.site;
    deadlock.cta = first.cta;
    deadlock.thread = first.first;
  }
  return deadlock;
}

std::optional<Finding> wait_for_host_in(const Finding& deadlock, const GlobalMemory& memory) {
  for (const Waiters& waiters : deadlock.waiters) {
    const auto* const wait = std::get_if<PollWait>(&waiters.waited_for);
    const Region* const region = wait == nullptr ? nullptr : memory.find(wait->address);
    if (region == nullptr) continue;
    if (!region->is_shared_with_host()) continue;
    return Finding{Sentence::flag_of_the_host, {}, waiters.site, waiters.cta, waiters.first};
  }
  return std::nullopt;
}

}  // namespace tmaemu
