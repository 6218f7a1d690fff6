// The runner of the moment: started and loaded when one is needed, thrown away after anything that
// went wrong.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "common/result.h"
#include "judge/call/runner_process.h"
#include "judge/memory/device.h"
#include "judge/verdict/verdict.h"

namespace judge {

// Whether the emulator looks for mistakes in what it executes, which takes longer than to execute.
// A process does so all its life: what it has not seen, it could not tell from a mistake later.
enum class Checks { none, all };

class RunnerPool {
 public:
  // `command` starts a runner.
  RunnerPool(const Device& device, std::vector<std::string> command,
             std::chrono::milliseconds limit)
      : device_(device), command_(std::move(command)), limit_(limit) {}

  // A runner that has made its CUDA context and loaded nothing yet.
  common::Result<RunnerProcess> start(const std::vector<ChildProcess::Inherited>& files = {}) const;

  // A runner with the submission loaded, or the verdict on a submission that does not load. An
  // error is the grader's own fault: no process, no CUDA context.
  common::Result<std::variant<RunnerProcess*, Outcome>> ready();

  // Lets the runner of the moment go; the next case gets a fresh one.
  void discard() { runner_.reset(); }
  bool has_runner() const { return runner_.has_value(); }

  // On the emulator: what a replay of the runner of the moment is started with, and the file in
  // which that runner records.
  std::vector<std::string> replay_command(Checks checks) const;
  int recording() const { return recording_.get(); }

  // Lets the runner close the buffers it mapped, as it must before they are freed. One that does
  // not obey goes.
  void unmap_all();

  std::chrono::milliseconds limit() const { return limit_; }

 private:
  const Device& device_;
  std::vector<std::string> command_;
  std::chrono::milliseconds limit_;
  std::optional<RunnerProcess> runner_;
  FileDescriptor recording_;
};

// Creating a CUDA context takes up to seconds on a machine with many GPUs, and longer on one that
// is busy; none of it is the submission's doing.
inline constexpr std::chrono::seconds initialization_limit{60};

}  // namespace judge
