// Findings of instruction handlers: what a program does wrong although the emulator can go on.
#pragma once

#include <utility>

#include "emulator/sched/cluster.h"

namespace tmaemu {

// A finding at the operation, by the lane's thread.
inline Finding finding_at(const Warp& warp, const Operation& op, unsigned lane, Sentence sentence,
                          Values values = {}) {
  return {sentence, std::move(values), op.site, warp.cta().id, warp.thread(lane)};
}

inline void report(const Warp& warp, const Finding& finding) {
  warp.cta().cluster.launch.findings->report(finding);
}

// The same of what a GPU goes on after without a word: the hazard checker tells it.
inline void notice(const Warp& warp, const Finding& finding) {
  warp.cta().cluster.launch.findings->notice(finding);
}

}  // namespace tmaemu
