// Cases of arrays so long that they take more than an instant, most of it for the checks.
#pragma once

#include <string_view>
#include <vector>

#include "common/result.h"
#include "judge/cases/call_case.h"
#include "judge/report/report.h"
#include "judge/session/session.h"
#include "judge/verdict/verdict.h"

namespace judge {

// Whether the checks have seen in a case of the part what they would see in this one, whose result
// was right: the same kernels, in CTAs of which each had as many bytes of the arrays, so that it
// went round its ring of stages as often. A launcher that asks how many SMs there are has shown
// that on a GPU of few.
bool is_shown_by_shorter_case(const Outcome& long_case, std::string_view part,
                              const std::vector<CaseResult>& before);

// Examines the case on the emulator without checks, and then with them, where they may tell
// something new.
common::Result<Outcome> examine_long_case(const CallCase& test, Session& session);

}  // namespace judge
