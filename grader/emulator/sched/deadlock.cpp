#include "emulator/sched/deadlock.h"

#include <bit>
#include <map>
#include <string>

#include "common/hexadecimal.h"
#include "emulator/diagnostics/diagnostics.h"

namespace tmaemu {
namespace {

// Waits at one instruction for one thing, told once.
struct Waiters {
  std::string what;
  Dimensions cta;
  ThreadId first;
  std::uint64_t threads = 0;
};

std::string plural(std::int64_t count, const std::string& noun) {
  return std::to_string(count) + " " + noun + (count == 1 ? "" : "s");
}

std::string describe_mbarrier(const Cluster& cluster, const Wait& wait) {
  const Mbarrier barrier = cluster.mbarriers().load(wait.address);
  const std::string name =
      "the mbarrier " + cluster.launch.diagnostics->shared_place(shared_offset(wait.address));
  if (!barrier.initialized) return name + ", which is not initialized";
  std::string text = "the phase of parity " + std::to_string(wait.value) + " of " + name +
                     ": it is in the phase of parity " + std::to_string(barrier.parity ? 1 : 0) +
                     ", " + plural(barrier.pending, "arrival") + " of " +
                     std::to_string(barrier.expected) + " missing";
  if (barrier.tx_count > 0)
    text += ", " + plural(barrier.tx_count, "byte") + " expected and not arrived";
  if (barrier.tx_count < 0)
    text += ", " + plural(-barrier.tx_count, "byte") + " more arrived than expected";
  return text;
}

std::string describe_wait(const Cta& cta, const LaneGroup& group) {
  const Wait& wait = group.wait;
  switch (wait.kind) {
    case Wait::Kind::mbarrier:
      return describe_mbarrier(cta.cluster, wait);
    case Wait::Kind::cta_barrier: {
      const CtaBarrier& barrier = cta.barriers[wait.index];
      const unsigned expected = barrier.expected != 0 ? barrier.expected : cta.live_threads;
      return "barrier " + std::to_string(wait.index) +
             " (__syncthreads() is 0): " + std::to_string(barrier.arrived) + " of " +
             std::to_string(expected) + " threads have arrived";
    }
    case Wait::Kind::cluster_barrier:
      return "the cluster barrier";
    case Wait::Kind::warp:
      return "the other lanes of its warp (member mask " + common::hexadecimal(wait.value) +
             ") to execute the same instruction";
    case Wait::Kind::none:
      return "what it polls for";
  }
  return "";
}

}  // namespace

KernelFault describe_deadlock(std::span<const Cluster* const> clusters) {
  std::map<std::pair<std::uint32_t, Wait::Kind>, Waiters> places;
  const Diagnostics& diagnostics = *clusters.front()->launch.diagnostics;
  for (const Cluster* cluster : clusters) {
    for (const auto& cta : cluster->ctas) {
      for (const auto& warp : cta->warps) {
        for (const LaneGroup& group : warp->groups()) {
          const auto threads = static_cast<unsigned>(std::popcount(group.lanes));
          auto& place = places[{group.next->site, group.wait.kind}];
          if (place.threads == 0) {
            place = {describe_wait(*cta, group), cta->id,
                     warp->thread(static_cast<unsigned>(std::countr_zero(group.lanes))), 0};
          }
          place.threads += threads;
        }
      }
    }
  }
  std::string text = "nothing in the kernel can run any more: all threads wait";
  std::uint32_t site = 0;
  ThreadId thread;
  Dimensions cta;
  bool first = true;
  for (const auto& [key, waiters] : places) {
    if (first) {
      site = key.first;
      thread = waiters.first;
      cta = waiters.cta;
      first = false;
    }
    text += "\n  " + diagnostics.place(key.first) + ": " +
            plural(static_cast<std::int64_t>(waiters.threads), "thread") + ", the first " +
            diagnostics.thread_name(waiters.cta, waiters.first) + ", waiting for " + waiters.what;
  }
  return {LaunchOutcome::deadlock, text, site, thread, cta};
}

}  // namespace tmaemu
