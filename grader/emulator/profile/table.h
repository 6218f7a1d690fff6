// The statistics for people: a block a kernel, and under it what to do about numbers that are bad.
#pragma once

#include <span>
#include <string>

#include "emulator/profile/launch_report.h"

namespace tmaemu::profile {

// Launches of one kernel are added up.
std::string to_table(std::span<const LaunchReport> launches);

}  // namespace tmaemu::profile
