// Examines a submission by a copy of arrays that are larger than memory.
#pragma once

#include "common/result.h"
#include "judge/call/runner_pool.h"
#include "judge/cases/repeated_copy.h"
#include "judge/memory/device.h"
#include "judge/verdict/verdict.h"

namespace judge {

// In a runner of its own. An error is the grader's own fault. Precondition: `device` is emulated.
common::Result<Outcome> examine(const RepeatedCopy& test, Device& device, RunnerPool& runners);

}  // namespace judge
