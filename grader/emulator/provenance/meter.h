// The measures of how work is done, as an instrument.
#pragma once

#include <memory>

#include "emulator/observe/instrument.h"

namespace tmaemu::provenance {

std::unique_ptr<Meter> make_meter();

}  // namespace tmaemu::provenance
