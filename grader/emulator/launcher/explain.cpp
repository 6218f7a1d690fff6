#include "emulator/launcher/explain.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <numeric>
#include <utility>
#include <vector>

#include "emulator/launcher/page_text.h"

namespace launcher {
namespace {

constexpr std::string_view list_of_codes = "index";
constexpr std::size_t most_suggestions = 3;
constexpr std::size_t widest = 100;

// How many letters have to be changed, added or removed to make one word of the other
// (Levenshtein).
std::size_t distance(std::string_view from, std::string_view to) {
  std::vector<std::size_t> row(to.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < from.size(); ++i) {
    std::size_t diagonal = std::exchange(row[0], i + 1);
    for (std::size_t j = 0; j < to.size(); ++j) {
      const std::size_t changed = diagonal + (from[i] == to[j] ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({changed, row[j] + 1, diagonal + 1});
    }
  }
  return row.back();
}

// How far a code is from what was asked for. Words in common come first, then few letters'
// difference.
std::pair<std::ptrdiff_t, std::size_t> remoteness(std::string_view asked, std::string_view code) {
  std::ptrdiff_t shared = 0;
  const auto words = parts_of(code, '-');
  for (const std::string_view word : parts_of(asked, '-')) {
    shared += std::ranges::any_of(words, [&](std::string_view other) {
      return distance(word, other) <= word.size() / 4;  // a letter may be wrong
    });
  }
  return {-shared, distance(asked, code)};
}

common::Error unknown(std::string_view asked) {
  std::vector<std::string_view> codes;
  for (const FindingPage& page : finding_pages()) {
    if (page.code != list_of_codes) codes.push_back(page.code);
  }
  std::ranges::sort(codes, {}, [&](std::string_view code) { return remoteness(asked, code); });
  codes.resize(std::min(codes.size(), most_suggestions));
  std::string nearest;
  for (const std::string_view code : codes) {
    nearest += (nearest.empty() ? "" : ", ") + std::string(code);
  }
  return {"there is no finding '" + std::string(asked) + "'; the nearest are " + nearest +
          " (tmaemu --explain lists all)"};
}

}  // namespace

PageStyle style_of_standard_output() {
  PageStyle style;
  if (isatty(STDOUT_FILENO) != 1) return style;
  winsize size{};
  if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) {
    style.width = std::min<std::size_t>(size.ws_col, widest);
  }
  const char* unwanted = std::getenv("NO_COLOR");
  const char* terminal = std::getenv("TERM");
  const bool is_dumb = terminal == nullptr || std::string_view(terminal) == "dumb";
  style.colors = (unwanted == nullptr || *unwanted == '\0') && !is_dumb;
  return style;
}

common::Result<std::string> explanation(std::string_view code, const PageStyle& style) {
  // As findings print it: [missing-proxy-fence].
  if (code.starts_with('[') && code.ends_with(']')) code = code.substr(1, code.size() - 2);
  const std::string_view name = code.empty() ? list_of_codes : code;
  const auto page = std::ranges::find(finding_pages(), name, &FindingPage::code);
  if (page == finding_pages().end()) return unknown(code);
  return page_text(page->text, style);
}

}  // namespace launcher
