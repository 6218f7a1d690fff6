#include "emulator/runtime/state/kernel_digest.h"

#include <algorithm>
#include <cctype>
#include <functional>
#include <string>

namespace tmaemu::runtime {
namespace {

constexpr std::string_view label = "$L__";  // and behind it the function's number, or a tag

// The kernel's text from its name on, up to the brace that ends it: it alone stands in column 1.
std::string_view text_of(std::string_view ptx, std::string_view kernel) {
  const std::string begin = ".entry " + std::string(kernel) + "(";
  const std::size_t at = ptx.find(begin);
  if (at == std::string_view::npos) return {};
  const std::string_view rest = ptx.substr(at);
  return rest.substr(0, rest.find("\n}"));
}

// Without the part of a mangled name that its local variables' names repeat.
std::string without(std::string_view line, std::string_view name) {
  std::string kept;
  for (std::size_t at = 0; at < line.size();) {
    if (line.substr(at).starts_with(name)) {
      at += name.size();
    } else if (line.substr(at).starts_with(label)) {
      at += label.size();
      while (at < line.size() && std::isalnum(static_cast<unsigned char>(line[at])) != 0) ++at;
    } else {
      kept += line[at++];
    }
  }
  return kept;
}

bool says_where(std::string_view line) {
  const std::size_t begin = line.find_first_not_of(" \t");
  if (begin == std::string_view::npos) return true;
  line.remove_prefix(begin);
  return line.starts_with(".loc") || line.starts_with("//") || line.starts_with("$L__tmp");
}

}  // namespace

std::uint64_t digest_of_kernel(std::string_view ptx, std::string_view kernel) {
  std::string_view text = text_of(ptx, kernel);
  if (text.empty()) return 0;
  const std::string_view name = kernel.starts_with("_Z") ? kernel.substr(2) : kernel;
  std::string kept;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (!says_where(line)) kept += without(line, name) + '\n';
  }
  return std::hash<std::string>()(kept);
}

}  // namespace tmaemu::runtime
