// The codes of findings by name.
#pragma once

#include "contract/findings/finding_codes.h"

namespace tmaemu {

enum class FindingCode : std::uint8_t {
#define CODE(row, ...) row,
#include "contract/findings/codes.def"
#undef CODE
};

}  // namespace tmaemu
