#include "emulator/check/flag_checker.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "emulator/check/lanes.h"
#include "emulator/check/neighbor_checker.h"

namespace tmaemu::check {

using EventKind = events::Access::Kind;
using Space = events::Access::Space;

namespace {

// What whole warps access is data, or counters: only the accesses of single threads are remembered
// as what one tells another.
bool is_of_one(const events::Access& access) {
  return access.lanes.size() == 1;
}

// Where lanes of a warp ask for one word together, as by `while (atomicAdd(flag, 0) == 0)`, it is a
// flag that each of them reads.
bool is_of_one_word(const events::Access& access) {
  return std::ranges::all_of(access.lanes, [&](const events::LaneAddress& lane) {
    return lane.address == access.lanes.front().address;
  });
}

}  // namespace

void FlagChecker::start() {
  shared_.clear();
  if (has_pending_) std::ranges::fill(pending_, Pending{});
  has_pending_ = false;
  heard_.start();
}

void FlagChecker::acquire(const events::Access& access,
                          std::span<const events::LaneAddress> lanes) {
  if (access.kind == EventKind::store) return;
  if (state_.launch.facts->is_vain_question(access.site)) return;
  const bool is_global = access.space == Space::global;
  const Flags& flags = is_global ? state_.launch.flags : shared_;
  const bool asks = access.kind == EventKind::atomic ? is_of_one_word(access)
                                                     : state_.launch.facts->is_poll(access.site);
  for (const events::LaneAddress& lane : lanes) {
    const ThreadId thread = thread_of(access.warp, lane.lane);
    if (asks) {
      if (auto message = flags.last_message(lane.address)) {
        heard_.hear(thread, {&flags, lane.address, *std::move(message)}, access.site, access.order);
      }
    }
    Release found = flags.read(lane.address);
    if (!found.holds() && is_global) found = released_by_neighbor(state_.launch, lane.address);
    if (!found.holds()) continue;
    if (!access.order.acquires()) {
      expect_fence(thread, found);
    } else {
      acquire(thread, found, access.order.scope);
    }
  }
}

void FlagChecker::acquire(ThreadId thread, const Release& found, Scope acquired) {
  const std::uint32_t cta = state_.order.cta(thread.rank);
  if (found.cta == cta) state_.order.acquire(thread, found.near);
  const bool is_nearby = found.cluster == state_.number && acquired >= Scope::cluster;
  if (found.cta == cta || is_nearby) state_.order.acquire(thread, found.nearby);
  if (found.reaches(cta, state_.number, acquired)) state_.order.acquire(thread, found.clocks);
}

void FlagChecker::expect_fence(ThreadId thread, const Release& found) {
  has_pending_ = true;
  if (found.scope >= Scope::gpu && found.clocks != nullptr) {
    state_.order.see(thread, found.clocks);
  }
  std::vector<Release>& read = pending_[state_.slot(thread)].read;
  const auto is_same = [&](const Release& other) {
    return other.clocks == found.clocks && other.near == found.near && other.nearby == found.nearby;
  };
  if (std::ranges::none_of(read, is_same)) read.push_back(found);
  constexpr std::size_t most = 64;  // of those who poll, the last ones count
  if (read.size() > most) read.erase(read.begin());
}

void FlagChecker::leaves(const events::Access& access) {
  if (access.kind != EventKind::atomic) return release(access, access.lanes);
  // The lanes of an atomic come one after another, and each finds what those before it released.
  for (const events::LaneAddress& lane : access.lanes) {
    acquire(access, {&lane, 1});
    release(access, {&lane, 1});
  }
}

void FlagChecker::release(const events::Access& access,
                          std::span<const events::LaneAddress> lanes) {
  if (access.kind == EventKind::load) return;
  Flags& flags = access.space == Space::global ? state_.launch.flags : shared_;
  for (const events::LaneAddress& lane : lanes) {
    const ThreadId thread = thread_of(access.warp, lane.lane);
    Release release{nullptr, access.order.scope, state_.order.cta(thread.rank), state_.number};
    if (access.order.releases()) {
      release.clocks = state_.order.snapshot(thread);
    } else {
      const Release& fenced = pending_[state_.slot(thread)].fenced;
      release.clocks = fenced.clocks;
      const Clock& by_others = (*state_.order.known(thread))[View::fenced_memory];
      const bool holds_theirs = fenced.scope >= Scope::gpu && fenced.clocks != nullptr &&
                                (*fenced.clocks)[View::done].covers(by_others) &&
                                (*fenced.clocks)[View::fenced_memory].covers(by_others);
      if (!by_others.is_empty() && !holds_theirs) {
        const auto covered = std::make_shared<Clocks>();
        (*covered)[View::done] = by_others;
        (*covered)[View::fenced_memory] = by_others;
        // A fence of the CTA takes what others have fenced no further than to the CTA.
        Released both;
        both.join(covered);
        if (fenced.scope >= Scope::gpu) {
          both.join(fenced.clocks);
        } else {
          release.near = fenced.clocks;
        }
        release.clocks = both.all();
      } else {
        release.scope = std::min(release.scope, fenced.scope);
      }
      add_fenced_nearby(thread, access.order.scope, release);
    }
    if (!release.holds()) state_.has_loose_flags = true;
    const bool changes_nothing = release.holds() && tells_nothing(access, lane, release);
    if (is_of_one(access)) {
      flags.leave(lane.address,
                  {state_.order.actor(thread), thread, access.site, state_.order.now(thread),
                   state_.order.known(thread), release, changes_nothing},
                  access.kind == EventKind::atomic);
    }
    if (!changes_nothing) flags.write(lane.address, release, access.kind == EventKind::atomic);
  }
}

// `lane`: one of the access's. Who reads a value that was there before may have read the write that
// comes before this one, and knows no more than by that. Of writes that nothing orders the later
// one counts: threads that do the same set one flag.
bool FlagChecker::tells_nothing(const events::Access& access, const events::LaneAddress& lane,
                                const Release& release) const {
  if (access.values == nullptr || (access.kind == EventKind::atomic && !is_of_one(access))) {
    return false;
  }
  const auto index = static_cast<std::size_t>(&lane - access.lanes.data());
  if (!access.values->leaves_memory(index)) return false;
  const Flags& flags = access.space == Space::global ? state_.launch.flags : shared_;
  return flags.comes_behind(lane.address, release);
}

// What others have fenced for the CTA or the cluster, and the thread knows of. PTX ISA, "Fence-SC":
// such fences are ordered among the threads that their scopes hold.
void FlagChecker::add_fenced_nearby(ThreadId thread, Scope flag, Release& release) const {
  const Clocks& known = *state_.order.known(thread);
  const auto add = [](const Clock& fenced, View view, SharedClocks& reach) {
    if (fenced.is_empty() || (reach != nullptr && (*reach)[View::done].covers(fenced) &&
                              (*reach)[view].covers(fenced))) {
      return;
    }
    const auto covered = std::make_shared<Clocks>();
    (*covered)[View::done] = fenced;
    (*covered)[view] = fenced;
    Released both;
    both.join(covered);
    both.join(reach);
    reach = both.all();
  };
  if (!known[View::fenced_memory_in_cta].is_empty()) {
    add(known[View::fenced_memory_in_cta].of([&](std::uint32_t cta) { return cta == release.cta; }),
        View::fenced_memory_in_cta, release.near);
  }
  if (!known[View::fenced_memory_in_cluster].is_empty() && flag >= Scope::cluster) {
    const auto is_of_cluster = [&](std::uint32_t cta) {
      for (unsigned rank = 0; rank < state_.ctas; ++rank) {
        if (state_.order.cta(static_cast<std::uint16_t>(rank)) == cta) return true;
      }
      return false;
    };
    add(known[View::fenced_memory_in_cluster].of(is_of_cluster), View::fenced_memory_in_cluster,
        release.nearby);
  }
}

void FlagChecker::fence(const events::Fence& fence) {
  has_pending_ = true;
  for_each_thread(fence.warp, fence.lanes, [&](ThreadId thread) {
    Pending& pending = pending_[state_.slot(thread)];
    if (fence.order.acquires()) {
      for (const Release& read : pending.read) acquire(thread, read, fence.order.scope);
      pending.read.clear();
      heard_.fence(thread, fence.order.scope);
    }
    if (fence.order.releases()) {
      pending.fenced = {state_.order.snapshot(thread), fence.order.scope,
                        state_.order.cta(thread.rank), state_.number};
    }
  });
}

}  // namespace tmaemu::check
