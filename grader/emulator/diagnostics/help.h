// The help of a finding, which knows where the finding stands: whether its two threads can meet at
// a barrier of the CTA, and by which names the program calls PTX's instructions.
#pragma once

#include <string>

#include "emulator/diagnostics/places.h"
#include "emulator/model/finding.h"

namespace tmaemu {

std::string help_of(const Finding& finding, const Places& places);

}  // namespace tmaemu
