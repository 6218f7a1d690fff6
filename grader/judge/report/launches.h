// Whether what a launcher launches at the size at which it is timed is what the cases have judged.
#pragma once

#include <string_view>
#include <vector>

#include "contract/protocol/launched.h"
#include "judge/report/report.h"
#include "judge/verdict/verdict.h"

namespace judge {

// Whether two calls launched the same kernels, in the same way, on however many CTAs.
bool launched_alike(const tmaemu::LaunchedSet& a, const tmaemu::LaunchedSet& b);

// A pass, if some right case of the part launched the same: no more and no less, and with its bytes
// moved by the engine as in the part as a whole. Else `cheated`, with what differs. Where no case
// is right there is nothing to compare, and no points to be had: a pass.
Outcome compared(const tmaemu::LaunchedSet& timed, std::string_view part,
                 const std::vector<CaseResult>& cases);

}  // namespace judge
