// One launch and what it did, in words and numbers that stand alone: kernel, barriers and places in
// the source have names here.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "emulator/model/launch.h"
#include "emulator/program/program.h"
#include "emulator/stats/counters.h"

namespace tmaemu {
class Places;
}  // namespace tmaemu

namespace tmaemu::stats {

struct NamedWaits {
  std::string barrier;  // "loaded", "full + 8 bytes", "__syncthreads()", "cluster"
  Waits waits;
};

struct NamedExcess {
  std::string place;  // "lab3.cu:41:5"
  Excess excess;
};

struct NamedMultiplications {
  std::string instruction;  // "mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32"
  Multiplications counts;
};

struct LaunchReport {
  std::string kernel;  // its name without parameters
  Dimensions grid;
  Dimensions block;
  Dimensions cluster;
  bool completed = true;
  Counters counters;
  std::vector<NamedWaits> waits;
  std::vector<NamedExcess> excess;
  std::vector<NamedMultiplications> multiplications;
};

LaunchReport report_of(const Program& program, const LaunchRequest& request, const Places& places,
                       bool completed, Counters counters);

}  // namespace tmaemu::stats
