#include "emulator/check/memory_checker.h"

#include <algorithm>
#include <bit>

#include "contract/findings/sentences.h"
#include "emulator/check/lanes.h"
#include "emulator/check/variable_bounds.h"
#include "emulator/memory/address_space.h"

namespace tmaemu::check {

using Space = events::Access::Space;
using EventKind = events::Access::Kind;

namespace {

// What is asked of all addresses of an access, for a look at each where it is needed.
struct Bounds {
  std::uint64_t lowest = ~std::uint64_t{0};
  std::uint64_t highest = 0;
  std::uint64_t bits = 0;  // that any of them has

  explicit Bounds(const events::Access& access) {
    for (const events::LaneAddress& lane : access.lanes) {
      lowest = std::min(lowest, lane.address);
      highest = std::max(highest, lane.address);
      bits |= lane.address;
    }
  }
  bool is_misaligned(unsigned bytes) const {
    return std::has_single_bit(bytes) && (bits & (bytes - 1)) != 0;
  }
  bool is_within(WarpId warp) const {
    return shared_rank(static_cast<std::uint32_t>(lowest)) == warp.rank &&
           shared_rank(static_cast<std::uint32_t>(highest)) == warp.rank;
  }
};

}  // namespace

MemoryChecker::MemoryChecker(ClusterState& state, MbarrierChecker& mbarriers, FlagChecker& flags)
    : state_(state),
      flags_(flags),
      groups_(state),
      operations_(state, mbarriers, groups_),
      accesses_(state, mbarriers, groups_, operations_, flags.heard()),
      engine_(state, mbarriers, groups_, operations_, accesses_),
      products_(state, accesses_),
      remote_(state),
      swizzles_(state, accesses_),
      descriptors_(state, accesses_),
      steps_(state, accesses_) {}

void MemoryChecker::start() {
  groups_.start();
  operations_.start();
  products_.start();
  accesses_.start();
  remote_.start();
  swizzles_.start();
  descriptors_.start();
  steps_.start();
}

void MemoryChecker::access(const events::Access& access) {
  if (access.is_async_store) return remote_.access(access);
  const Bounds bounds(access);
  if (bounds.is_misaligned(access.bytes)) return;  // a fault, which says all
  const bool is_global = access.space == Space::global;
  if (!is_global) {
    if (!bounds.is_within(access.warp)) remote_.access(access);
    check_variable(access, bounds.lowest, bounds.highest);
    swizzles_.access(access);
  }
  PastAccess past = accesses_.begin_access(thread_of(access.warp, 0), access.site);
  if (access.is_copy) return copy(access, past);
  past.reduces = access.kind == EventKind::atomic;
  past.how =
      ThreadAccess{.order = access.order,
                   .element_bytes = access.order.is_strong() ? access.element_bytes : 0,
                   .writes = access.writes(),
                   .is_read_only = is_global && state_.launch.facts->is_read_only_load(access.site),
                   .is_of_warp = access.kind == EventKind::map_copy};
  if (access.order.is_strong()) flags_.comes_upon(access);
  accesses_.check(past, access, access.writes(), access.lanes);
  if (access.order.is_strong()) flags_.leaves(access);
}

// Beyond the variable that the address is computed from: the neighbor's bytes.
void MemoryChecker::check_variable(const events::Access& access, std::uint64_t lowest,
                                   std::uint64_t highest) {
  const SharedVariable* const variable = state_.launch.facts->variable(access.site);
  if (variable == nullptr || access.is_copy) return;
  // As one access it leaves the variable where any of its lanes does.
  if (!leaves(*variable, lowest, highest - lowest + access.bytes)) return;
  for (const events::LaneAddress& lane : access.lanes) {
    if (!leaves(*variable, lane.address, access.bytes)) continue;
    report_outside(state_, *variable, {thread_of(access.warp, lane.lane), access.site, 0},
                   lane.address, access.bytes, Sentence::access_outside_variable);
  }
}

// cp.async: one access for lanes that have issued as many before. The event of what it reads in
// global memory comes first, that of what it writes in shared memory issues it.
void MemoryChecker::copy(const events::Access& event, PastAccess access) {
  access.kind = AccessKind::copy;
  const bool is_global = event.space == Space::global;
  const auto thread = [&](std::size_t index) {
    return thread_of(event.warp, event.lanes[index].lane);
  };
  const auto next_of = [&](std::size_t index) {
    return groups_.copies(thread(index)).issued() + 1;
  };
  if (is_global) note_sources(event);
  for (std::size_t begin = 0; begin < event.lanes.size();) {
    const Time time = next_of(begin);
    std::size_t end = begin;
    for (; end < event.lanes.size() && next_of(end) == time; ++end) {
      if (!is_global) groups_.issue_copy(thread(end));
    }
    const auto lanes = event.lanes.subspan(begin, end - begin);
    access.how = DeferredAccess{{{access.cta, 0, Actor::Track::copies}, time},
                                is_global ? std::nullopt : distance_of(event, lanes)};
    accesses_.check(access, event, !is_global, lanes);
    begin = end;
  }
  if (!is_global) sources_ = {};
}

void MemoryChecker::note_sources(const events::Access& event) {
  for (const events::LaneAddress& lane : event.lanes) {
    sources_[lane.lane] = {lane.address, event.bytes};
  }
}

// Nothing where the lanes are not alike, or where not all of the bytes come from there.
std::optional<std::int64_t> MemoryChecker::distance_of(
    const events::Access& event, std::span<const events::LaneAddress> lanes) const {
  const auto distance = [&](const events::LaneAddress& lane) {
    return static_cast<std::int64_t>(sources_[lane.lane].address - lane.address);
  };
  const std::int64_t first = distance(lanes.front());
  const bool are_alike = std::ranges::all_of(lanes, [&](const events::LaneAddress& lane) {
    return sources_[lane.lane].bytes == event.bytes && distance(lane) == first;
  });
  return are_alike ? std::optional(first) : std::nullopt;
}

void MemoryChecker::end_cta(std::uint16_t rank, const Clocks& last) {
  products_.end_cta(rank);
  steps_.end_cta(rank);
  operations_.end_cta(rank, last[View::done]);
  remote_.end_cta(rank, last);
}

}  // namespace tmaemu::check
