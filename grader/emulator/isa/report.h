// Findings of instruction handlers: what a program does wrong although the emulator can go on.
#pragma once

#include <string>

#include "emulator/diagnostics/diagnostics.h"
#include "emulator/sched/cluster.h"

namespace tmaemu {

// A finding at the operation, by the lane's thread.
inline Finding finding_at(Warp& warp, const Operation& op, unsigned lane, std::string code,
                          std::string message, std::string help) {
  Finding finding;
  finding.code = std::move(code);
  finding.message = std::move(message);
  finding.site = op.site;
  finding.cta = warp.cta().id;
  finding.thread = warp.thread(lane);
  finding.help = std::move(help);
  return finding;
}

inline void report(Warp& warp, const Finding& finding) {
  warp.cta().cluster.launch.diagnostics->report(finding);
}

}  // namespace tmaemu
