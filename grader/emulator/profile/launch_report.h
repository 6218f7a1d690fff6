// One launch and what it did, in words and numbers that stand alone: kernel, barriers and places in
// the source have names here.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "emulator/model/launch.h"
#include "emulator/profile/counters.h"
#include "emulator/program/program.h"

namespace tmaemu {
class Places;
}  // namespace tmaemu

namespace tmaemu::profile {

struct NamedWaits {
  std::string barrier;  // "loaded", "full + 8 bytes", "__syncthreads()", "cluster"
  Waits waits;
};

struct NamedExcess {
  std::string place;  // "lab3.cu:41:5"
  Excess excess;
};

struct NamedMultiplications {
  std::string product;  // "m16n8k16 f32.bf16.bf16"
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

}  // namespace tmaemu::profile
