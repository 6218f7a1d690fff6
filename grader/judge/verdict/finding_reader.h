// Reads a line of a replay's findings.
#pragma once

#include <optional>
#include <string_view>
#include <variant>

#include "contract/rendering/json_fields.h"
#include "judge/verdict/findings.h"

namespace judge {

using tmaemu::FindingCount;

// Nothing where the line is not exactly what the emulator writes.
std::optional<std::variant<Finding, FindingCount>> read_finding(std::string_view line);

}  // namespace judge
