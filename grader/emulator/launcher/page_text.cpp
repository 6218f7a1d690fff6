#include "emulator/launcher/page_text.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "emulator/launcher/inline_text.h"

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

}  // namespace launcher
