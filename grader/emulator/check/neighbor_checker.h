// What the threads of a launch access and a launch beside it does, too.
#pragma once

#include <cstdint>
#include <span>

#include "emulator/check/cluster_state.h"
#include "emulator/check/past_access.h"

namespace tmaemu::check {

// Passed griddepcontrol.wait: what came before in the stream is over.
inline constexpr Actor earlier_launches{~std::uint32_t{0}, 0, Actor::Track::thread};

// A launch beside this one, of which a thread has acquired what it released.
constexpr Actor neighbor_actor(std::size_t neighbor) {
  return {~std::uint32_t{0}, static_cast<std::uint16_t>(neighbor + 1), Actor::Track::thread};
}

// What a launch beside this one has released at the address, as a clock by which it is over: what
// it does behind the release is not known. PTX ISA, "Scope": `.gpu` holds the threads of other
// grids.
Release released_by_neighbor(const LaunchState& launch, std::uint64_t address);

// Checks an access to global memory; `mark`: of its first byte.
void check_neighbors(ClusterState& state, const PastAccess& now, bool writes, std::uint64_t address,
                     std::uint64_t bytes, const Mark& mark);

// A copy, a memset or a free that may run beside a launch: reports to the sink what the launch does
// with the same bytes.
void check_uses(const PastLaunch& launch, std::span<const StreamedBytes> used, FindingSink& sink);

}  // namespace tmaemu::check
