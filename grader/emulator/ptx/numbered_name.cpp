#include "emulator/ptx/numbered_name.h"

#include <charconv>

namespace tmaemu::ptx {

std::optional<NumberedName> split_number(std::string_view name) {
  const std::size_t last = name.find_last_not_of("0123456789");
  if (last == std::string_view::npos || last + 1 == name.size()) return std::nullopt;
  const std::string_view digits = name.substr(last + 1);
  if (digits.size() > 1 && digits.front() == '0') return std::nullopt;
  NumberedName result{name.substr(0, last + 1)};
  const auto [stop, error] =
      std::from_chars(digits.data(), digits.data() + digits.size(), result.index);
  if (error != std::errc()) return std::nullopt;
  return result;
}

}  // namespace tmaemu::ptx
