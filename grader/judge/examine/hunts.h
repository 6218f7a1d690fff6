// Whose kernel a hunt launches. What is mended counts for one hunt: a launcher that launches
// another hunt's kernel mends nothing.
#pragma once

#include <optional>
#include <string>

#include "contract/protocol/launched.h"
#include "judge/cases/call_case.h"

namespace judge {

// What is said of a launcher, in a case of the hunt that was right, that has launched anything but
// the kernel of the hunt's own name: nothing, where it is as it should be.
std::optional<std::string> objection(const Part& hunt, const tmaemu::LaunchedSet& launched);

}  // namespace judge
