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

bool is_among(std::string_view patterns, std::string_view name) {
  while (!patterns.empty()) {
    const std::size_t end = std::min(patterns.find(' '), patterns.size());
    if (matches(name, patterns.substr(0, end))) return true;
    patterns.remove_prefix(std::min(end + 1, patterns.size()));
  }
  return false;
}

}  // namespace

Treatment treatment_of(std::string_view form) {
  const auto differences = ptxas_differences();
  const auto found = std::ranges::find_if(differences, [&](const PtxasDifference& difference) {
    return is_among(difference.forms, form);
  });
  return found == differences.end() ? Treatment::none : found->treatment;
}

bool is_behind(Treatment treatment, std::string_view form, std::string_view giver) {
  return std::ranges::any_of(ptxas_differences(), [&](const PtxasDifference& difference) {
    return difference.treatment == treatment && is_among(difference.forms, form) &&
           is_among(difference.behind, giver);
  });
}

}  // namespace conformance
