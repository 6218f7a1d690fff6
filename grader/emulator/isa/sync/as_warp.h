// Barriers of the CTA and of the cluster: the hardware's count warps. What PTX has every thread do,
// a warp does once, when all of its lanes that live have come to an arrive, or to a wait. Measured
// on an H100: lanes that are kept apart wait for good. PTX ISA, "bar": the count is incremented by
// the warp size, not by the number of active threads.
#pragma once

#include <span>

#include "emulator/isa/lanes.h"

namespace tmaemu {

// A handler of a barrier. `execute`: does for all the lanes of the parties, of which the first is
// the running one, what is to be done once for the warp. `for_others`: what lanes wait for that
// come before the others; it tells which instructions are the same.
template <class Execute>
const Operation* execute_as_warp(Warp& warp, const Operation& op, LaneMask lanes,
                                 const Wait& for_others, Execute execute) {
  const Party own{&warp.frame(), &op, lanes};
  if (lanes == warp.live()) return execute(std::span(&own, 1));
  const std::vector<Party> parties = warp.meet(op, lanes, for_others);
  if (parties.empty()) return warp.block(op, lanes, for_others, &op);
  return execute(std::span<const Party>(parties));
}

// The parties go on behind their instructions: now, or when `until` is over, where it is anything.
inline const Operation* go_on(Warp& warp, std::span<const Party> parties, const Wait& until) {
  const Party& own = parties.front();
  if (parties.size() > 1) warp.part(parties, until);
  if (until.kind == Wait::Kind::none) return own.op + 1;
  return warp.block(*own.op, own.lanes, until, own.op + 1);
}

}  // namespace tmaemu
