// What is said of a launcher that does not name the mistake, by the number that entry.cu makes of
// what it returns: which code it was, if it was one.
#pragma once

#include <cstdint>
#include <string>

#include "common/text.h"
#include "emulator/model/finding_codes.h"
#include "runner/text_number.h"

namespace lab11 {

inline std::string objection_to(std::uint32_t number) {
  using tmagrade_entry::text_number;
  if (number == text_number("")) {
    return "the launcher returns \"\": put the finding's code there";
  }
  for (const tmaemu::CodeEntry& entry : tmaemu::finding_codes()) {
    if (number == text_number(entry.name)) {
      return common::concat("the launcher returns \"", entry.name,
                            "\", which is not this kernel's mistake");
    }
  }
  return "what the launcher returns is no finding's code: tmaemu --explain lists them";
}

}  // namespace lab11
