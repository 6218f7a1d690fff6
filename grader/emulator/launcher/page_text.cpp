#include "emulator/launcher/page_text.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace launcher {
namespace {

using Lines = std::vector<std::string_view>;

std::string_view trimmed(std::string_view text) {
  while (text.starts_with(' ')) text.remove_prefix(1);
  while (text.ends_with(' ')) text.remove_suffix(1);
  return text;
}

class Page {
 public:
  explicit Page(const PageStyle& style) : style_(style) {}

  std::string take() { return std::move(text_); }

  void add(const Lines& lines) {
    for (std::size_t i = 0; i < lines.size();) {
      const std::string_view line = lines[i];
      if (line.empty()) {
        if (!text_.empty() && !text_.ends_with("\n\n")) text_ += '\n';
        ++i;
      } else if (line.starts_with('#')) {
        text_ += styled(line.substr(line.find(' ') + 1), "1", style_.colors) + "\n";
        ++i;
      } else if (line.starts_with("```")) {
        const bool is_picture = line.substr(3) == "text";
        for (++i; i < lines.size() && !lines[i].starts_with("```"); ++i) {
          add_code(lines[i], is_picture);
        }
        ++i;
      } else if (line.starts_with('|')) {
        Lines rows;
        for (; i < lines.size() && lines[i].starts_with('|'); ++i) rows.push_back(lines[i]);
        add_table(rows);
      } else {
        const std::size_t hang = line.starts_with("- ") ? 2 : 0;
        std::string paragraph(line.substr(hang));
        for (++i; i < lines.size() && !begins_a_block(lines[i]); ++i) {
          paragraph += " " + std::string(trimmed(lines[i]));
        }
        wrap(hang > 0 ? "- " : "", inline_text(paragraph, style_.colors), hang);
      }
    }
  }

 private:
  static bool begins_a_block(std::string_view line) {
    return line.empty() || line.starts_with("- ") || line.starts_with('|') ||
           line.starts_with("```") || line.starts_with('#');
  }

  // Code is dimmed, but for the line that the page is about.
  void add_code(std::string_view line, bool is_picture) {
    if (!line.empty()) {
      const bool is_wrong = line.find("// WRONG") != line.npos;
      text_ += "    " + styled(line, is_wrong ? "1;31" : "2", style_.colors && !is_picture);
    }
    text_ += '\n';
  }

  // Adds the words behind `line`, in lines of the page's width. All lines but the first are
  // indented by `hang`.
  void wrap(std::string line, std::string_view words, std::size_t hang) {
    std::size_t used = columns_of(line);
    bool is_first = true;
    for (const std::string_view word : parts_of(words, ' ')) {
      const std::size_t needed = columns_of(word) + (is_first ? 0 : 1);
      if (!is_first && used + needed > style_.width) {
        text_ += line + "\n";
        line = std::string(hang, ' ') + std::string(word);
        used = hang + columns_of(word);
      } else {
        line += (is_first ? "" : " ") + std::string(word);
        used += needed;
      }
      is_first = false;
    }
    text_ += line + "\n";
  }

  // The last column wraps; the others are as wide as they need. The row of dashes is left out.
  void add_table(const Lines& rows) {
    std::vector<std::vector<std::string>> cells;
    std::vector<std::size_t> widths;
    for (const std::string_view row : rows) {
      if (row.starts_with("|---")) continue;
      auto& line = cells.emplace_back();
      for (const std::string_view cell : parts_of(row.substr(1), '|')) {
        line.push_back(inline_text(trimmed(cell), style_.colors));
        widths.resize(std::max(widths.size(), line.size()));
        widths[line.size() - 1] = std::max(widths[line.size() - 1], columns_of(line.back()));
      }
    }
    for (const auto& line : cells) {
      std::string begin = "  ";
      for (std::size_t i = 0; i + 1 < line.size(); ++i) {
        begin += line[i] + std::string(widths[i] - columns_of(line[i]) + 2, ' ');
      }
      const std::size_t hang = columns_of(begin);
      wrap(std::move(begin), line.back(), hang);
    }
  }

  PageStyle style_;
  std::string text_;
};

}  // namespace

std::string page_text(std::string_view markdown, const PageStyle& style) {
  Page page(style);
  page.add(parts_of(markdown, '\n'));
  return page.take();
}

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
