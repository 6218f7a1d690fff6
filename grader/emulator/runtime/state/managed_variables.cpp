#include "emulator/runtime/state/managed_variables.h"

#include <algorithm>
#include <cctype>

namespace tmaemu::runtime {
namespace {

constexpr std::string_view managed = ".attribute(.managed";

bool is_of_name(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '$' || c == '%';
}

// The last name of a declaration: ".global .attribute(.managed) .align 4 .u32 counter[2]".
std::string_view declared_name(std::string_view declaration) {
  declaration = declaration.substr(0, declaration.find('['));
  const auto last = std::find_if(declaration.rbegin(), declaration.rend(), is_of_name);
  const auto first = std::find_if_not(last, declaration.rend(), is_of_name);
  return {first.base(), last.base()};
}

std::set<std::string_view> declared_names(std::string_view ptx) {
  std::set<std::string_view> names;
  for (std::size_t end = 0;;) {
    const std::size_t begin = ptx.find(managed, end);
    if (begin == ptx.npos) break;
    end = std::min(ptx.find_first_of(";=", begin), ptx.size());
    names.insert(declared_name(ptx.substr(begin, end - begin)));
  }
  names.erase("");
  return names;
}

}  // namespace

// Once through the text, which is a student's.
ManagedVariables::ManagedVariables(std::string_view ptx) {
  const std::set<std::string_view> variables = declared_names(ptx);
  if (variables.empty()) return;
  std::string_view kernel, word;
  bool is_in_function = false;
  for (auto end = ptx.begin();;) {
    const auto begin = std::find_if(end, ptx.end(), is_of_name);
    if (begin == ptx.end()) return;
    end = std::find_if_not(begin, ptx.end(), is_of_name);
    const std::string_view before = word;
    word = {begin, end};
    const bool is_directive = begin != ptx.begin() && begin[-1] == '.';
    if (is_directive && (word == "entry" || word == "func")) {
      is_in_function = word == "func";
    } else if (before == "entry" && !is_directive) {
      kernel = word;
    } else if (variables.contains(word)) {
      if (is_in_function) used_by_functions_ = true;
      if (!is_in_function && !kernel.empty()) kernels_.emplace(kernel);
    }
  }
}

}  // namespace tmaemu::runtime
