// A launch's timeline as events of the Chrome trace format, which Perfetto opens. handout/stats.md
// describes what stands where.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "emulator/model/launch.h"
#include "emulator/program/program.h"
#include "emulator/trace/cluster_trace.h"

namespace tmaemu {
class Places;
}  // namespace tmaemu

namespace tmaemu::trace {

// Goes up when a name changes its meaning or goes away; names may be added without.
inline constexpr int json_schema = 1;

// Where a launch stands among those of the process.
struct LaunchPlace {
  std::uint64_t number = 1;
  Tick begin = 0;
  std::uint64_t first_process = 1;  // of its CTAs
  std::uint64_t first_flow = 1;     // the arrows' numbers
};

struct LaunchText {
  std::string events;  // a line each, every one with a comma behind it
  Tick end = 0;
  std::uint64_t next_process = 1;
  std::uint64_t next_flow = 1;
};

LaunchText to_events(const LaunchPlace& place, const Program& program, const LaunchRequest& request,
                     const Places& places, std::span<const ClusterTrace> clusters);

}  // namespace tmaemu::trace
