// A text as a number (FNV-1a), for a lab whose launchers return texts: the judge believes no bytes
// of a submission's, and can tell by the number which of the texts that it knows it was.
#pragma once

#include <cstdint>
#include <string_view>

namespace tmagrade_entry {

constexpr std::uint32_t text_number(std::string_view text) {
  std::uint32_t number = 0x811c9dc5;
  for (const char character : text) {
    number = (number ^ static_cast<unsigned char>(character)) * 0x01000193;
  }
  return number;
}

}  // namespace tmagrade_entry
