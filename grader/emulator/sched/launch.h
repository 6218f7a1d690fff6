// What one launch holds in common.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "contract/protocol/turned_signs.h"
#include "emulator/memory/global_memory.h"
#include "emulator/model/events.h"
#include "emulator/model/finding_sink.h"
#include "emulator/model/launch.h"
#include "emulator/program/program.h"
#include "emulator/sched/time_limit.h"
#include "emulator/tma/map_changes.h"
#include "emulator/tma/timing_policy.h"

namespace tmaemu {

struct Launch {
  const Program* program = nullptr;
  const LaunchRequest* request = nullptr;
  GlobalMemory* memory = nullptr;
  FindingSink* findings = nullptr;
  TensorMapChanges* map_changes = nullptr;
  TimingPolicy policy;
  std::optional<std::uint64_t> schedule;  // the seed of the order in which warps and CTAs run
  std::string* output = nullptr;          // what the kernel prints
  unsigned registers = 0;              // of a thread, if setmaxnreg has an effect; 0: it has none
  std::size_t shared_bytes = 0;        // of a CTA: reserved, static and dynamic
  LaunchObserver* observer = nullptr;  // null: nobody observes
  std::uint64_t grid_workspace = 0;    // address, for the grid's barrier; 0: no cooperative launch
  std::uint64_t number = 1;            // of the launch, in the program's order
  const TimeLimit* time_limit = nullptr;  // null: it may run forever
  TurnedSigns turned_signs;               // by wgmma
};

}  // namespace tmaemu
