// What is missing between two accesses that nothing orders, where more is known of it: one lane has
// arrived for its warp, or the producer of a ring has waited in vain for its stage.
#pragma once

#include <optional>

#include "emulator/check/access_context.h"
#include "emulator/check/conflict.h"
#include "emulator/check/conflict_report.h"

namespace tmaemu::check {

// The finding to report instead, with its notes. Nothing where the verdict says all.
std::optional<Finding> find_missing_handover(const AccessContext& context, const Conflict& conflict,
                                             const Verdict& verdict, const ConflictPlace& place);

}  // namespace tmaemu::check
