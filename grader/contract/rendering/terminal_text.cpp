#include "contract/rendering/terminal_text.h"

#include <unistd.h>

#include <cstdlib>

namespace tmaemu {
namespace {

// The parameters of ANSI's sequence; empty where the text stays as it is.
std::string_view color_of(Style style) {
  switch (style) {
    case Style::plain:
    case Style::page:
      return "";
    case Style::strong:
      return "1";
    case Style::error:
      return "1;31";
    case Style::warning:
      return "1;35";
    case Style::note:
      return "1;36";
    case Style::help:
    case Style::caret:
      return "1;32";
  }
  return "";
}

std::string colored(const Span& span, Colors colors) {
  const std::string_view color = color_of(span.style);
  if (colors == Colors::none || color.empty()) return span.text;
  return "\033[" + std::string(color) + "m" + span.text + "\033[0m";
}

}  // namespace

Colors colors_of_standard_error() {
  const char* none = std::getenv("NO_COLOR");
  const char* terminal = std::getenv("TERM");
  const bool is_dumb = terminal == nullptr || std::string_view(terminal) == "dumb";
  const bool is_unwanted = none != nullptr && *none != '\0';
  return isatty(STDERR_FILENO) == 1 && !is_dumb && !is_unwanted ? Colors::ansi : Colors::none;
}

std::string terminal_text(const StyledText& text, Colors colors, std::string_view top) {
  std::string all;
  for (const StyledLine& line : text) {
    for (const Span& span : line) {
      if (span.style == Style::page) all += top;
      all += colored(span, colors);
    }
    all += '\n';
  }
  return all;
}

}  // namespace tmaemu
