// "%r12": the register 12 of those that `.reg .b32 %r<13>;` declares.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace tmaemu::ptx {

struct NumberedName {
  std::string_view stem;
  std::uint64_t index = 0;
};

// "%r12" as {"%r", 12}; nullopt where no number ends the name, or one that .reg would not write.
std::optional<NumberedName> split_number(std::string_view name);

}  // namespace tmaemu::ptx
