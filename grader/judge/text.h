// Small help with text.
#pragma once

#include <sstream>
#include <string>

namespace judge {

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

}  // namespace judge
