// What lanes of a warp do together, wherever they come from: the .sync instructions, and the
// barriers of the CTA and of the cluster.
//
// The hardware's barriers count warps. What PTX has every thread do, a warp does once, when all of
// its lanes that live have come to an arrive, or to a wait. Measured on an H100: lanes that are
// kept apart wait for good. PTX ISA, "bar": the count is incremented by the warp size, not by the
// number of active threads.
#pragma once

#include <span>
#include <vector>

#include "emulator/isa/lanes.h"

namespace tmaemu {

using Arrivals = std::span<const Arrival>;

inline LaneMask lanes_of(Arrivals arrivals) {
  LaneMask lanes = 0;
  for (const Arrival& arrival : arrivals) lanes |= arrival.lanes;
  return lanes;
}

// A handler. `execute`: does the instruction once for all arrivals, of which the first is the
// running one. `for_others`: what lanes wait for that come before the others; it says which lanes
// are needed, of those that live, and which instructions are the same.
template <class Execute>
const Operation* execute_together(Warp& warp, const Operation& op, LaneMask lanes,
                                  const Wait& for_others, Execute execute) {
  const auto members = static_cast<LaneMask>(for_others.value);
  const Arrival own{&warp.frame(), &op, lanes};
  if ((members & warp.live() & ~lanes) == 0) return execute(Arrivals(&own, 1));
  const std::vector<Arrival> arrivals = warp.converge(op, lanes, for_others);
  if (arrivals.empty()) return warp.block(op, lanes, for_others, &op);
  return execute(Arrivals(arrivals));
}

// The lanes of all arrivals go on behind their instructions: now, or when `until` is over, where it
// is anything.
inline const Operation* resume(Warp& warp, Arrivals arrivals, const Wait& until) {
  const Arrival& own = arrivals.front();
  if (arrivals.size() > 1) warp.resume(arrivals, until);
  if (until.kind == Wait::Kind::none) return own.op + 1;
  return warp.block(*own.op, own.lanes, until, own.op + 1);
}

}  // namespace tmaemu
