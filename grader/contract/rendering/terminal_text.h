// A diagnostic as text for a terminal: the styles as colors.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "contract/rendering/styled_text.h"

namespace tmaemu {

enum class Colors : std::uint8_t { none, ansi };

// What standard error takes: colors only where it is a terminal that has them.
Colors colors_of_standard_error();

// The lines, each with its newline. `top` stands in front of a page's path.
std::string terminal_text(const StyledText& text, Colors colors, std::string_view top = "");

}  // namespace tmaemu
