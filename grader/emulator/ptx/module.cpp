#include "emulator/ptx/module.h"

namespace tmaemu::ptx {

std::string_view Module::line_text(int line) const {
  std::call_once(line_index_built_, [this] {
    line_starts_.push_back(0);
    for (std::size_t at = text.find('\n'); at != std::string::npos; at = text.find('\n', at + 1)) {
      line_starts_.push_back(at + 1);
    }
  });
  if (line < 1 || static_cast<std::size_t>(line) > line_starts_.size()) return {};
  const std::size_t start = line_starts_[line - 1];
  const bool is_last = static_cast<std::size_t>(line) == line_starts_.size();
  const std::size_t end = is_last ? text.size() : line_starts_[line] - 1;
  std::string_view result = std::string_view(text).substr(start, end - start);
  if (result.ends_with('\r')) result.remove_suffix(1);
  return result;
}

}  // namespace tmaemu::ptx
