#include "emulator/rendering/terminal_text.h"

#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <string_view>

namespace tmaemu {
namespace {

class Text {
 public:
  explicit Text(Colors colors) : colors_(colors) {}

  Text& plain(std::string_view words) {
    text_ += words;
    return *this;
  }
  Text& bold(std::string_view words) { return colored("1", words); }
  Text& red(std::string_view words) { return colored("1;31", words); }
  Text& green(std::string_view words) { return colored("1;32", words); }
  Text& cyan(std::string_view words) { return colored("1;36", words); }

  // The line and a caret, with a remark behind it.
  Text& excerpt(const ToldExcerpt& excerpt, const std::string& remark) {
    char margin[16];
    std::snprintf(margin, sizeof margin, "%5u | ", excerpt.line);
    std::string blank;  // keeps the tabs, so that the caret stands under its column
    for (std::size_t i = 0; i + 1 < excerpt.column && i < excerpt.text.size(); ++i) {
      blank += excerpt.text[i] == '\t' ? '\t' : ' ';
    }
    plain(margin).plain(excerpt.text).plain("\n      | ").plain(blank).green("^");
    if (!remark.empty()) plain(" ").plain(remark);
    return plain("\n");
  }

  std::string take() { return std::move(text_); }

 private:
  Text& colored(std::string_view code, std::string_view words) {
    if (colors_ == Colors::none) return plain(words);
    text_.append("\033[").append(code).append("m").append(words).append("\033[0m");
    return *this;
  }

  Colors colors_;
  std::string text_;
};

std::string code_text(const ToldFinding& finding) {
  return "[" + std::string(entry_of(finding.code).name) + "]";
}

}  // namespace

Colors colors_of_standard_error() {
  const char* none = std::getenv("NO_COLOR");
  const char* terminal = std::getenv("TERM");
  const bool is_dumb = terminal == nullptr || std::string_view(terminal) == "dumb";
  const bool is_unwanted = none != nullptr && *none != '\0';
  return isatty(STDERR_FILENO) == 1 && !is_dumb && !is_unwanted ? Colors::ansi : Colors::none;
}

std::string terminal_text(const ToldFinding& finding, Colors colors, std::string_view top) {
  Text text(colors);
  text.bold(text_of(finding.place) + ": ").red("error: ");
  text.bold(finding.message + " " + code_text(finding)).plain("\n");
  text.excerpt(finding.excerpt, remark_of(finding));
  for (const ToldNote& note : finding.notes) {
    text.bold(text_of(note.place) + ": ").cyan("note: ").plain(note.message + "\n");
    if (note.excerpt) text.excerpt(*note.excerpt, "");
  }
  for (const ToldWaiters& waiters : finding.waiters) {
    text.plain("  ").bold(text_of(waiters.place) + ": ").plain(text_of(waiters) + "\n");
  }
  if (finding.waiters_left_out > 0) {
    text.plain("  and " + std::to_string(finding.waiters_left_out) + " more places\n");
  }
  if (!finding.help.empty()) text.green("help: ").plain(finding.help + "\n");
  text.plain("read: ").plain(top).plain(entry_of(finding.code).page).plain("\n");
  return text.take();
}

std::string terminal_count(const ToldFinding& finding, std::uint64_t count, Colors colors) {
  Text text(colors);
  text.bold(text_of(finding.place) + ": ").cyan("note: ");
  text.plain(code_text(finding) + " was found " + std::to_string(count) + " times\n");
  return text.take();
}

}  // namespace tmaemu
