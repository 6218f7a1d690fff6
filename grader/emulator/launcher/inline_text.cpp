#include "emulator/launcher/inline_text.h"

#include <algorithm>

namespace launcher {
namespace {

// Where a link of a page in handout/findings leads, behind its text; nothing for another finding's
// page, which is named by its code.
std::string destination(std::string_view target) {
  constexpr std::string_view root = "../../";
  constexpr std::string_view handout = "../";
  if (target.starts_with(root)) return " (" + std::string(target.substr(root.size())) + ")";
  if (target.starts_with(handout)) {
    return " (handout/" + std::string(target.substr(handout.size())) + ")";
  }
  return target.starts_with("https:") ? " (" + std::string(target) + ")" : "";
}

}  // namespace

std::string styled(std::string_view text, std::string_view escape, bool colors) {
  if (!colors || text.empty()) return std::string(text);
  return "\033[" + std::string(escape) + "m" + std::string(text) + "\033[0m";
}

std::string inline_text(std::string_view markdown, bool colors) {
  std::string result;
  while (!markdown.empty()) {
    const std::size_t mark = std::min(markdown.find_first_of("`*["), markdown.size());
    result += markdown.substr(0, mark);
    markdown.remove_prefix(mark);
    if (markdown.empty()) break;
    const std::string_view open = markdown.substr(0, markdown.starts_with("**") ? 2 : 1);
    const bool is_link = open == "[";
    const std::string_view closing = is_link ? "](" : open;
    const std::size_t close = markdown.find(closing, open.size());
    std::size_t end = close == markdown.npos ? close : close + closing.size();
    if (is_link && end != markdown.npos) end = markdown.find(')', end);
    if (end == markdown.npos) {  // no mark, but a character
      result += open;
      markdown.remove_prefix(open.size());
      continue;
    }
    const std::string_view inside = markdown.substr(open.size(), close - open.size());
    if (is_link) {
      result +=
          inline_text(inside, colors) + destination(markdown.substr(close + 2, end - close - 2));
      ++end;
    } else if (open == "`") {
      result += styled(inside, "36", colors);
    } else {
      result += styled(inline_text(inside, false), open == "**" ? "1" : "3", colors);
    }
    markdown.remove_prefix(end);
  }
  return result;
}

std::size_t columns_of(std::string_view text) {
  std::size_t columns = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\033') {
      i = std::min(text.find('m', i), text.size());
    } else if ((static_cast<unsigned char>(text[i]) & 0xC0) != 0x80) {
      ++columns;
    }
  }
  return columns;
}

std::vector<std::string_view> parts_of(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find(separator, begin), text.size());
    parts.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return parts;
}

}  // namespace launcher
