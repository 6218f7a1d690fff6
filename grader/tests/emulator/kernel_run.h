// Runs a kernel given as PTX on the scheduler, in the one device's memory and with no runtime.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "contract/protocol/turned_signs.h"
#include "emulator/model/finding.h"
#include "emulator/record/step.h"
#include "emulator/sched/grid.h"
#include "emulator/sched/time_limit.h"
#include "emulator/tma/timing_policy.h"
#include "tests/emulator/event_log.h"

namespace tmaemu {

struct KernelRun {
  std::string body;
  std::string shared = ".shared .align 128 .b8 tile[4096];\n.shared .align 8 .b64 barrier;\n";
  bool is_for_debugger = false;  // as `nvcc -G` writes it
  unsigned threads = 32;
  unsigned ctas = 1;
  unsigned cluster = 1;
  TimingPolicy policy = {};
  std::optional<std::uint64_t> schedule = {};
  unsigned host_threads = 1;
  bool observed = true;
  bool checked = false;   // by the hazard checker, for `findings`
  bool recorded = false;  // for `recording`
  bool counted = false;   // by the statistics, the trace and the measures, which report nothing
  bool traced = false;
  bool measured = false;
  std::vector<std::byte> input = {};  // what %in begins with instead
  std::optional<TimeLimit::Duration> time_limit = {};
  TurnedSigns turned_signs = {};
};

struct KernelResult {
  std::optional<Finding> fault;
  std::vector<std::string> findings;  // codes
  std::vector<std::uint32_t> output;  // a word each thread of the grid, at %out
  std::uint64_t thread_instructions = 0;
  EventLog events;
  record::ClusterSteps recording;
  std::optional<StillRunning> still_running;
  std::string still_running_line = {};  // of the PTX
};

// The body finds the address of one word for each of its threads in %out, that of 4096 bytes of
// input (byte i is i modulo 251) in %in, and of the shared variables in %tile and %bar.
KernelResult run_kernel(const KernelRun& run);

}  // namespace tmaemu
