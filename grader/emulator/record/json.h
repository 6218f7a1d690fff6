// A launch's steps as a line of JSON. handout/stats.md describes it.
#pragma once

#include <string>

#include "emulator/diagnostics/places.h"
#include "emulator/model/launch.h"
#include "emulator/program/program.h"
#include "emulator/record/step.h"

namespace tmaemu::record {

// Goes up when a name changes its meaning or goes away; names may be added without.
inline constexpr int json_schema = 1;

std::string to_json(const Program& program, const LaunchRequest& request, const Places& places,
                    const ClusterSteps& cluster);

}  // namespace tmaemu::record
