// The hazard checker as an instrument.
#pragma once

#include <memory>

#include "common/result.h"
#include "emulator/observe/instrument.h"

namespace tmaemu::check {

// As TMAEMU_CHECK says; null where that is off.
common::Result<std::unique_ptr<Instrument>> instrument_from_environment();

}  // namespace tmaemu::check
