#include "emulator/diagnostics/clean_text.h"

#include <algorithm>
#include <cstdint>

namespace tmaemu {
namespace {

struct Character {
  std::size_t bytes = 0;  // 0: no UTF-8 begins here
  std::uint32_t code = 0;
};

// Unicode, table 3-7: no overlong forms, no surrogates, nothing beyond U+10FFFF.
Character character_at(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned first = byte(0);
  if (first < 0x80) return {1, first};
  const std::size_t length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
  if (first < 0xC2 || first > 0xF4 || text.size() < length) return {};
  std::uint32_t code = first & (0x7Fu >> length);
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xC0) != 0x80) return {};
    code = code << 6 | (byte(i) & 0x3Fu);
  }
  constexpr std::uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
  const bool is_surrogate = code >= 0xD800 && code <= 0xDFFF;
  if (code < least[length] || code > 0x10FFFF || is_surrogate) return {};
  return {length, code};
}

bool is_control(std::uint32_t code) {
  return (code < 0x20 && code != '\t') || (code >= 0x7F && code < 0xA0);
}

}  // namespace

std::string clean_text(std::string_view text, std::size_t most_bytes) {
  std::string clean;
  while (!text.empty()) {
    if (clean.size() >= most_bytes) return clean + "...";
    const Character next = character_at(text);
    if (next.bytes == 0) {
      clean += "\xEF\xBF\xBD";
    } else if (is_control(next.code)) {
      clean += '?';
    } else {
      clean += text.substr(0, next.bytes);
    }
    text.remove_prefix(std::max<std::size_t>(next.bytes, 1));
  }
  return clean;
}

}  // namespace tmaemu
