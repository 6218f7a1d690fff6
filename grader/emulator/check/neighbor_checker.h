// What the threads of a launch access and a launch beside it does, too.
#pragma once

#include <cstdint>
#include <span>

#include "emulator/check/cluster_state.h"
#include "emulator/check/record.h"

namespace tmaemu::check {

// Passed griddepcontrol.wait: what came before in the stream is over.
inline constexpr Actor earlier_launches{~std::uint32_t{0}, 0, Actor::Track::thread};

// Checks an access to global memory; `mark`: of its first byte.
void check_neighbors(ClusterState& state, const Record& now, bool writes, std::uint64_t address,
                     std::uint64_t bytes, const Mark& mark);

// A copy, a memset or a free that may run beside a launch: reports to the sink what the launch does
// with the same bytes.
void check_uses(const PastLaunch& launch, std::span<const StreamedBytes> used, FindingSink& sink);

}  // namespace tmaemu::check
