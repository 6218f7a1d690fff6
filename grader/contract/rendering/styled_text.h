// The one text of a diagnostic, in clang's form: editors and people know how to read it. A terminal
// gives the styles colors, a page its own; the words are the same everywhere.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "contract/rendering/diagnostic.h"

namespace tmaemu {

enum class Style : std::uint8_t {
  plain,
  strong,
  error,
  warning,  // what costs no points
  note,
  help,
  caret,
  page,  // the path of a page, from the top of the repository
};

// "plain", "strong" and so on.
std::string_view name_of(Style style);

struct Span {
  Style style = Style::plain;
  std::string text;  // of one line
};
using StyledLine = std::vector<Span>;
using StyledText = std::vector<StyledLine>;

StyledText rendered(const Diagnostic& diagnostic);
// The line that says how often it was found.
StyledLine rendered_count(const Diagnostic& diagnostic, std::uint64_t count);

}  // namespace tmaemu
