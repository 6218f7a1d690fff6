#include "judge/findings.h"

#include <algorithm>

#include "judge/text.h"

namespace judge {
namespace {

bool is_code(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-';
  });
}

// The code at the end of a line, or empty.
std::string_view code_of(std::string_view line) {
  if (!line.ends_with(']')) return {};
  const std::size_t open = line.rfind('[');
  if (open == std::string_view::npos) return {};
  const std::string_view code = line.substr(open + 1, line.size() - open - 2);
  return is_code(code) ? code : std::string_view{};
}

// "   41 | tile[i] = 1;" and the line with the caret below it.
bool is_excerpt(std::string_view line) {
  const std::size_t bar = line.find_first_not_of(" 0123456789");
  return bar != std::string_view::npos && bar > 0 && line[bar] == '|';
}

std::string_view without_indent(std::string_view line) {
  const std::size_t begin = line.find_first_not_of(" \t");
  return begin == std::string_view::npos ? std::string_view{} : line.substr(begin);
}

}  // namespace

std::vector<Finding> parse_findings(std::string_view printed) {
  std::vector<Finding> findings;
  std::string message;  // the lines of an error whose code has not come yet
  while (!printed.empty()) {
    const std::size_t end = printed.find('\n');
    const std::string_view line = printed.substr(0, end);
    printed.remove_prefix(end == std::string_view::npos ? printed.size() : end + 1);

    if (line.find("error: ") != std::string_view::npos) {
      message = line;
    } else if (is_excerpt(line)) {
      message.clear();
    } else if (!message.empty()) {
      message.append("\n").append(line);
    } else if (line.find("help: ") != std::string_view::npos && !findings.empty() &&
               findings.back().help.empty()) {
      findings.back().help = without_indent(line);
    }
    const std::string_view code = code_of(line);
    if (!message.empty() && !code.empty()) {
      findings.push_back({message, std::string(code), {}});
      message.clear();
    }
  }
  return findings;
}

std::string summary(const std::vector<Finding>& findings) {
  std::string text = findings.front().message;
  if (!findings.front().help.empty()) text += "\n" + findings.front().help;
  if (findings.size() > 1) text += concat("\n(and ", findings.size() - 1, " more)");
  return text;
}

}  // namespace judge
