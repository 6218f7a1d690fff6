// Examines a submission: runs one case in a runner and decides on a verdict.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "common/result.h"
#include "judge/call/runner_pool.h"
#include "judge/cases/call_case.h"
#include "judge/memory/device.h"
#include "judge/memory/guarded_buffer.h"
#include "judge/replay/replay.h"
#include "judge/verdict/verdict.h"

namespace judge {

// The emulator also executes the kernels of parts for later GPUs than the one that it stands for.
inline bool runs_on(const DeviceFacts& device, const Part& part) {
  return device.emulated || device.sm >= part.sm;
}

class Examiner {
 public:
  // After `budget` no case more is examined: the whole grading waits for a submission that takes
  // all the time that each of its calls may have.
  Examiner(Device& device, RunnerPool& runners, std::chrono::nanoseconds budget,
           Checks checks = Checks::all)
      : device_(device),
        runners_(runners),
        budget_(budget),
        emulated_(device.facts().emulated),
        replay_(device, runners, checks) {}

  // An error is a fault of the grader and says nothing about the submission.
  common::Result<Outcome> examine(const CallCase& test) { return examine(test, 1); }
  // Of the second of two calls with the same arrays, whose contents the device has anew. A GPU's
  // call is the only one.
  common::Result<Outcome> examine_twice_in_place(const CallCase& test) {
    return examine(test, emulated_ ? 2 : 1);
  }

  // What came of a case of this part without its being run; nothing where it is to be run.
  std::optional<Outcome> outcome_without_run(const std::string& part) const;

 private:
  using Answered = std::variant<Answer, Ending>;

  enum class Contents { of_the_case, other };

  // Draws from the outcome of one case what it says of the part's further ones.
  void remember(const Part& part, const Outcome& outcome);

  common::Result<std::vector<GuardedBuffer>> make_buffers(Device& device, const CallCase& test,
                                                          Contents contents);
  // `calls`: with the same arrays, as long as each is right.
  common::Result<Outcome> examine(const CallCase& test, int calls);
  common::Result<Outcome> call_in_fresh_buffers(const CallCase& test, int calls);
  common::Result<Outcome> call(const CallCase& test, const std::vector<GuardedBuffer>& buffers,
                               std::vector<GuardedBuffer>& repeated_in, int calls);
  common::Result<Outcome> call_once(RunnerProcess& runner, const CallCase& test,
                                    const std::vector<GuardedBuffer>& buffers,
                                    std::vector<GuardedBuffer>& repeated_in);
  // On the emulator the runner has only said what is to be done on the device. The replay does it,
  // and what is judged is what it did, in `repeated_in`: arrays of its own, which it makes and maps
  // where a call before this one has not.
  common::Result<Outcome> judge_replay(const CallCase& test, const Answered& answer,
                                       const RunnerProcess::Printed& printed,
                                       std::vector<GuardedBuffer>& repeated_in);
  common::Result<Replay::Call> repeat(Device& memory, const CallCase& test,
                                      std::vector<GuardedBuffer>& repeated_in);
  // Nothing when all buffers are mapped.
  common::Result<std::optional<Outcome>> map(RunnerProcess& runner,
                                             const std::vector<GuardedBuffer>& buffers);
  // Whether it is only the runner with this submission that does not map it.
  bool maps_without_submission(const GuardedBuffer& buffer);
  Outcome judge_answer(const CallCase& test, const Answered& answer) const;
  Outcome judge_replayed(const CallCase& test, const Answered& answer);

  Device& device_;
  RunnerPool& runners_;
  std::chrono::nanoseconds budget_;
  bool emulated_;
  Replay replay_;
  bool is_stale_ = false;  // what was repeated last has to be recorded again, by a fresh runner
  std::map<std::string, Outcome> decided_parts_;  // of whose further cases the outcome is known
  std::map<std::string, int> timeouts_;           // of each part
  std::chrono::nanoseconds spent_{};              // on all cases so far
};

}  // namespace judge
