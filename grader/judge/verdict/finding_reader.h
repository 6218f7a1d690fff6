// Reads a line of a replay's findings.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <variant>

#include "judge/verdict/findings.h"

namespace judge {

// How often the finding of a number was found; the first line has number 0.
struct FindingCount {
  std::uint64_t finding = 0;
  std::uint64_t count = 0;
};

// Nothing where the line is not exactly what the emulator writes.
std::optional<std::variant<Finding, FindingCount>> read_finding(std::string_view line);

}  // namespace judge
