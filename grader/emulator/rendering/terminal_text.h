// A told finding as text for a terminal, in clang's form: editors and people know how to read it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "emulator/rendering/diagnostic.h"

namespace tmaemu {

enum class Colors : std::uint8_t { none, ansi };

// What standard error takes: colors only where it is a terminal that has them.
Colors colors_of_standard_error();

// `top` stands in front of the page's path.
std::string terminal_text(const ToldFinding& finding, Colors colors, std::string_view top = "");
// The line that says how often a finding was found.
std::string terminal_count(const ToldFinding& finding, std::uint64_t count, Colors colors);

}  // namespace tmaemu
