// Small help with text.
#pragma once

#include <cstddef>
#include <sstream>
#include <string>

namespace common {

// All the pieces, as operator<< prints them, in one string.
template <class... Pieces>
std::string concat(const Pieces&... pieces) {
  std::ostringstream out;
  (out << ... << pieces);
  return out.str();
}

// "1 byte", "3 bytes".
inline std::string counted(std::size_t count, const char* noun) {
  return concat(count, ' ', noun, count == 1 ? "" : "s");
}

// The beginning of a text that may have no end.
inline std::string cut(std::string text, std::size_t most_bytes) {
  if (text.size() <= most_bytes) return text;
  const std::size_t more = text.size() - most_bytes;
  text.resize(most_bytes);
  return concat(text, " ... (", counted(more, "more byte"), ")");
}

}  // namespace common
