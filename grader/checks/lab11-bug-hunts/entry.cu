// Compiled once for each submission of lab11-bug-hunts, together with the student's file.

#include <array>
#include <cstdint>

#include "runner/part_calls.h"

namespace tmagrade_entry {

// What a launcher returns, the code of the finding, as a number (FNV-1a): so the cases, which
// students have, do not say which mistake is where.
inline std::array<int, 1> numbers_in(const Returned<const char*>& returned) {
  std::uint32_t number = 0x811c9dc5;
  for (const char* code = returned.value; code != nullptr && *code != '\0'; ++code) {
    number = (number ^ static_cast<unsigned char>(*code)) * 0x01000193;
  }
  return {static_cast<int>(number)};
}

}  // namespace tmagrade_entry

#define ENTRY_PARTS "checks/lab11-bug-hunts/parts.def"
#include "runner/bind_parts.h"
