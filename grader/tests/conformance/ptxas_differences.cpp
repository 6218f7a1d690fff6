#include "tests/conformance/ptxas_differences.h"

#include <algorithm>

namespace conformance {
namespace {

bool matches(std::string_view name, std::string_view pattern) {
  if (pattern.empty()) return name.empty();
  if (pattern[0] == '*') {
    return matches(name, pattern.substr(1)) || (!name.empty() && matches(name.substr(1), pattern));
  }
  const char first = pattern[0] == '_' ? ' ' : pattern[0];
  return !name.empty() && name[0] == first && matches(name.substr(1), pattern.substr(1));
}

bool is_of(const PtxasDifference& difference, std::string_view name) {
  std::string_view rest = difference.forms;
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find(' '), rest.size());
    if (matches(name, rest.substr(0, end))) return true;
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return false;
}

}  // namespace

Treatment treatment_of(std::string_view form) {
  const auto differences = ptxas_differences();
  const auto found = std::ranges::find_if(
      differences, [&](const PtxasDifference& difference) { return is_of(difference, form); });
  return found == differences.end() ? Treatment::none : found->treatment;
}

}  // namespace conformance
