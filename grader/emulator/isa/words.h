// Lists of names with blanks between them, as tables hold them.
#pragma once

#include <algorithm>
#include <string_view>

namespace tmaemu {

// Calls visit(word) for each word of the list.
template <class Visit>
void for_each_word(std::string_view list, Visit visit) {
  while (!list.empty()) {
    const std::size_t blank = std::min(list.find(' '), list.size());
    if (blank != 0) visit(list.substr(0, blank));
    list.remove_prefix(std::min(blank + 1, list.size()));
  }
}

inline bool is_listed(std::string_view list, std::string_view name) {
  bool is_there = false;
  for_each_word(list, [&](std::string_view word) { is_there = is_there || word == name; });
  return is_there;
}

}  // namespace tmaemu
