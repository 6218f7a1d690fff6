// A page of the handout for a terminal: as much of Markdown as the pages of the findings use.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace launcher {

struct PageStyle {
  bool colors = false;      // bold, dimmed and colored text
  std::size_t width = 100;  // of a line of prose; code is left as it is
};

std::string page_text(std::string_view markdown, const PageStyle& style);

// Text inside a line of Markdown: bold, code and links, with the terminal's escape sequences or
// without.

// How a terminal shows a text: "1" is bold, "2" dimmed, "3" italic, "36" cyan.
std::string styled(std::string_view text, std::string_view escape, bool colors);

// Without Markdown's marks. A link becomes its text, with the file where it is another folder's.
std::string inline_text(std::string_view markdown, bool colors);

// Columns of a terminal that the text takes: escape sequences take none, a character of UTF-8 one.
std::size_t columns_of(std::string_view text);

// The parts of a text between separators; no empty part at the end.
std::vector<std::string_view> parts_of(std::string_view text, char separator);

}  // namespace launcher
