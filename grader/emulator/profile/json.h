// The statistics for machines. handout/stats.md describes the format.
#pragma once

#include <span>
#include <string>

#include "emulator/profile/launch_report.h"

namespace tmaemu::profile {

// Goes up when a name changes its meaning or goes away; names may be added without.
inline constexpr int json_schema = 1;

// One line, ended.
std::string to_json(std::span<const LaunchReport> launches);

}  // namespace tmaemu::profile
