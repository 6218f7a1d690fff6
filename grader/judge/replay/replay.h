// The second process that holds a submission on the emulator: it repeats what the runner recorded
// of the submission's work on the device, without the submission's code for the host. What it
// replies is believed. See handout/inside/replay.md.
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "common/result.h"
#include "judge/call/runner_pool.h"
#include "judge/memory/guarded_buffer.h"
#include "judge/replay/replay_memory.h"
#include "judge/verdict/findings.h"

namespace judge {

class Replay {
 public:
  // Repeats what the runners of the pool record.
  Replay(const Device& device, const RunnerPool& runners, Checks checks = Checks::all)
      : device_(device), runners_(runners), checks_(checks) {}

  // Where the buffers of calls to repeat are.
  common::Result<ReplayMemory*> memory();

  struct Call {
    std::variant<Answer, Ending> answer;
    RunnerProcess::Printed printed;
    std::vector<Finding> findings;
  };
  // Repeats the call that the runner of the moment has just recorded, which it was asked for by the
  // same request. An error is the grader's own fault.
  common::Result<Call> repeat(const protocol::Request& call,
                              const std::vector<GuardedBuffer>& buffers);
  // The same with what is to be mapped for it as requests.
  common::Result<Call> repeat(const protocol::Request& call,
                              const std::vector<protocol::Request>& maps);

  // Notes what that call would launch, and does nothing of it. No call may be repeated after it.
  common::Result<Call> note(const protocol::Request& rehearsal);

  // Lets go of the buffers, as the runner does.
  void unmap_all();
  // Ends the process. The next call to repeat has to be the first of a fresh runner.
  void discard() { process_.reset(); }

 private:
  // Nothing when it has begun; else how the loading of the submission ended in it.
  common::Result<std::optional<Call>> begin();
  common::Result<RunnerProcess> start() const;
  bool maps_without_submission(const protocol::Request& map) const;
  Call ask(const protocol::Request& request);
  Call ask(const protocol::Request& request, std::chrono::milliseconds limit);

  const Device& device_;
  const RunnerPool& runners_;
  Checks checks_;
  std::unique_ptr<ReplayMemory> memory_;
  std::optional<RunnerProcess> process_;
  std::vector<Finding> found_at_load_;  // what the first call to repeat is to tell besides
};

}  // namespace judge
