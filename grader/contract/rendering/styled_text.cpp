#include "contract/rendering/styled_text.h"

#include <cstdio>
#include <utility>

namespace tmaemu {
namespace {

std::string in_brackets(FindingCode code) {
  return "[" + std::string(entry_of(code).name) + "]";
}

// What stands behind the caret: the thread, and what it does to which bytes.
std::string remark_of(const Diagnostic& diagnostic) {
  if (!diagnostic.thread) return "";
  const std::string thread = text_of(*diagnostic.thread);
  if (!diagnostic.bytes) return thread;
  return thread + " " + std::string(text_of(diagnostic.bytes->use)) + " " +
         text_of(*diagnostic.bytes);
}

Span plain(std::string text) {
  return {Style::plain, std::move(text)};
}

Span placed(const SourcePlace& place) {
  return {Style::strong, text_of(place) + ": "};
}

StyledLine headline(const Diagnostic& diagnostic) {
  StyledLine line;
  if (diagnostic.place) line.push_back(placed(*diagnostic.place));
  line.push_back(entry_of(diagnostic.code).cost != FindingCost::nothing
                     ? Span{Style::error, "error: "}
                     : Span{Style::warning, "warning: "});
  line.push_back({Style::strong, diagnostic.message + " " + in_brackets(diagnostic.code)});
  return line;
}

// The line and a caret, with a remark behind it.
void add_excerpt(const Excerpt& excerpt, const std::string& remark, StyledText& to) {
  char margin[16];
  std::snprintf(margin, sizeof margin, "%5u | ", excerpt.line);
  std::string blank = "      | ";  // keeps the tabs, so that the caret stands under its column
  for (std::size_t i = 0; i + 1 < excerpt.column && i < excerpt.text.size(); ++i) {
    blank += excerpt.text[i] == '\t' ? '\t' : ' ';
  }
  to.push_back({plain(margin + excerpt.text)});
  to.push_back({plain(std::move(blank)), {Style::caret, "^"}});
  if (!remark.empty()) to.back().push_back(plain(" " + remark));
}

}  // namespace

std::string_view name_of(Style style) {
  switch (style) {
    case Style::plain:
      return "plain";
    case Style::strong:
      return "strong";
    case Style::error:
      return "error";
    case Style::warning:
      return "warning";
    case Style::note:
      return "note";
    case Style::help:
      return "help";
    case Style::caret:
      return "caret";
    case Style::page:
      return "page";
  }
  return "";
}

StyledText rendered(const Diagnostic& diagnostic) {
  StyledText text{headline(diagnostic)};
  if (diagnostic.excerpt) add_excerpt(*diagnostic.excerpt, remark_of(diagnostic), text);
  for (const Diagnostic::Note& note : diagnostic.notes) {
    text.push_back({placed(note.place), {Style::note, "note: "}, plain(note.message)});
    if (note.excerpt) add_excerpt(*note.excerpt, "", text);
  }
  for (const Diagnostic::Waiters& waiters : diagnostic.waiters) {
    text.push_back({plain("  "), placed(waiters.place), plain(text_of(waiters))});
  }
  if (diagnostic.waiters_left_out > 0) {
    text.push_back(
        {plain("  and " + std::to_string(diagnostic.waiters_left_out) + " more places")});
  }
  if (!diagnostic.help.empty()) {
    text.push_back({{Style::help, "help: "}, plain(diagnostic.help)});
  }
  text.push_back({plain("read: "), {Style::page, page_of(diagnostic.code)}});
  return text;
}

StyledLine rendered_count(const Diagnostic& diagnostic, std::uint64_t count) {
  StyledLine line;
  if (diagnostic.place) line.push_back(placed(*diagnostic.place));
  line.push_back({Style::note, "note: "});
  line.push_back(
      plain(in_brackets(diagnostic.code) + " was found " + std::to_string(count) + " times"));
  return line;
}

}  // namespace tmaemu
