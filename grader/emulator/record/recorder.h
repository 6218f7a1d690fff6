// The recording of this process: a line of JSON a launch. handout/stats.md describes it.
#pragma once

#include <sys/types.h>

#include <cstdio>
#include <string>

#include "common/result.h"
#include "emulator/diagnostics/places.h"
#include "emulator/model/launch.h"
#include "emulator/program/program.h"
#include "emulator/record/step.h"

namespace tmaemu::record {

// Goes up when a name changes its meaning or goes away; names may be added without.
inline constexpr int json_schema = 1;

// One launch as a line of JSON.
std::string to_json(const Program& program, const LaunchRequest& request, const Places& places,
                    const ClusterSteps& cluster);

class Recorder {
 public:
  // Opens TMAEMU_RECORD, in which %p is the number of the process, so that it is known at once if
  // it cannot be written.
  static common::Result<Recorder*> open(const std::string& file);

  void add(const Program& program, const LaunchRequest& request, const Places& places,
           const ClusterSteps& cluster);

 private:
  explicit Recorder(std::FILE* out);

  std::FILE* out_;
  pid_t process_;  // a child that it forks writes nothing to its parent's recording
};

}  // namespace tmaemu::record
