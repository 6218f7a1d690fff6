// A page of the handout for a terminal: as much of Markdown as the pages of the findings use.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace launcher {

struct PageStyle {
  bool colors = false;      // bold, dimmed and colored text
  std::size_t width = 100;  // of a line of prose; code is left as it is
};

std::string page_text(std::string_view markdown, const PageStyle& style);

}  // namespace launcher
