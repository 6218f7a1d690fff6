// Examines a submission: runs one case in a runner and decides on a verdict.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "common/result.h"
#include "judge/call_case.h"
#include "judge/device.h"
#include "judge/guarded_buffer.h"
#include "judge/runner_pool.h"
#include "judge/verdict.h"

namespace judge {

class Examiner {
 public:
  Examiner(Device& device, RunnerPool& runners, std::uint64_t seed)
      : device_(device), runners_(runners), seed_(seed), emulated_(device.facts().emulated) {}

  // An error is a fault of the grader and says nothing about the submission.
  common::Result<Outcome> examine(const CallCase& test);

 private:
  common::Result<std::vector<GuardedBuffer>> make_buffers(const CallCase& test);
  common::Result<Outcome> call(const CallCase& test, const std::vector<GuardedBuffer>& buffers);
  // Nothing when all buffers are mapped.
  common::Result<std::optional<Outcome>> map(RunnerProcess& runner,
                                             const std::vector<GuardedBuffer>& buffers);
  common::Result<Outcome> judge_reply(const CallCase& test, const protocol::Reply& reply);
  // A right result that came another way than the part asks for.
  static Outcome judge_way(const CallCase& test, const protocol::Reply& reply);
  common::Result<Outcome> compare_buffers(const CallCase& test,
                                          const std::vector<GuardedBuffer>& buffers);
  // What stopped the emulator because it cannot execute it: no fault of the submission's.
  std::optional<std::string> emulators_limit(const RunnerProcess::Printed& printed) const;
  // Adds what the process printed: the emulator's findings, or the last words of a crash.
  Outcome with_printed(Outcome outcome, const RunnerProcess::Printed& printed) const;

  Device& device_;
  RunnerPool& runners_;
  std::uint64_t seed_;
  bool emulated_;
  std::set<std::string> parts_timed_out_;
};

}  // namespace judge
