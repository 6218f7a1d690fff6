// A told finding as one line of JSON, for the judge. Its form is what
// judge/verdict/finding_reader.cpp takes.
#pragma once

#include <cstdint>
#include <string>

#include "emulator/diagnostics/told_finding.h"

namespace tmaemu {

// Without the newline.
std::string json_line(const ToldFinding& finding);
// How often the finding of this number was found; the first line has number 0.
std::string json_count_line(std::uint64_t finding, std::uint64_t count);

}  // namespace tmaemu
