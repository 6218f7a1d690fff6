// What the answer of a runner, or the lack of one, says of the submission that it holds.
#pragma once

#include <chrono>
#include <string>
#include <string_view>

#include "contract/protocol/protocol.h"
#include "judge/call/runner_process.h"
#include "judge/memory/device.h"
#include "judge/process/ending.h"
#include "judge/verdict/verdict.h"

namespace judge {

// "not finished after 3 s".
std::string not_finished_after(std::chrono::milliseconds limit);

// The verdict on the submission that the runner held, with the ending in words.
Outcome outcome(const Ending& ending);

// The verdict on a launcher, by its declaration, that was called or was to be: a pass where it has
// done what was asked. `device`: whose errors the reply tells of.
Outcome outcome(const protocol::Reply& reply, const char* launcher, const Device& device);

// The verdict on a submission whose library does not load. The reason is the submission's word, and
// never the grader's fault: that CUDA has what is called was seen when it was built, and the
// emulator has all that CUDA has.
Outcome not_loaded(std::string_view reason);

// Text printed by a submission, cut to its last lines and marked as such; empty for none.
std::string last_words(const RunnerProcess::Printed& printed);

}  // namespace judge
