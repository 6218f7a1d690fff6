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

std::string_view name_at(std::string_view ptx, std::size_t begin) {
  const auto end =
      std::find_if_not(ptx.begin() + static_cast<std::ptrdiff_t>(begin), ptx.end(), is_of_name);
  return {ptx.begin() + static_cast<std::ptrdiff_t>(begin), end};
}

}  // namespace

ManagedVariables::ManagedVariables(std::string_view ptx) {
  for (std::size_t at = ptx.find(managed); at != ptx.npos; at = ptx.find(managed, at + 1)) {
    const std::string_view name = declared_name(ptx.substr(at, ptx.find_first_of(";=", at) - at));
    if (!name.empty()) find_uses(ptx, name);
  }
}

void ManagedVariables::find_uses(std::string_view ptx, std::string_view name) {
  constexpr std::string_view entry = ".entry ";
  for (std::size_t at = ptx.find(name); at != ptx.npos; at = ptx.find(name, at + 1)) {
    if (at == 0 || is_of_name(ptx[at - 1]) || name_at(ptx, at) != name) continue;
    const std::string_view before = ptx.substr(0, at);
    const std::size_t kernel = before.rfind(entry);
    const std::size_t function = before.rfind(".func ");
    if (function != before.npos && (kernel == before.npos || function > kernel)) {
      used_by_functions_ = true;
    } else if (kernel != before.npos) {
      kernels_.emplace(name_at(ptx, kernel + entry.size()));
    }
  }
}

}  // namespace tmaemu::runtime
