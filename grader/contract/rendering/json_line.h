// A diagnostic as an object of JSON on one line, without the newline. handout/reference/emulator.md
// and handout/reference/grades.schema.json describe it, json_fields.h has its members.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "contract/rendering/diagnostic.h"

namespace tmaemu {

// What machines know of it. A replay sends this to the judge (judge/finding_reader.h), which makes
// the text itself.
std::string json_line(const Diagnostic& diagnostic);
// The same with its text, for whoever shows it; and how often it was found, where that is known.
std::string json_line_with_text(const Diagnostic& diagnostic,
                                std::optional<std::uint64_t> count = {});
// How often the finding of this number was found; the first line has number 0.
std::string json_count_line(std::uint64_t finding, std::uint64_t count);

}  // namespace tmaemu
