// Calls a launcher at the size at which it is timed, under the emulator's recorder: nothing is done
// of what it asks of the device, but it is noted, so that it can be held against what the cases
// did.
#pragma once

#include "common/result.h"
#include "judge/call/runner_pool.h"
#include "judge/cases/bandwidth_case.h"
#include "judge/memory/device.h"
#include "judge/verdict/verdict.h"

namespace judge {

// A pass holds what the call launched; anything else says how the call ended. An error is a fault
// of the grader. It needs a fresh runner, and leaves none.
common::Result<Outcome> rehearse(const BandwidthCase& test, Device& device, RunnerPool& runners);

}  // namespace judge
