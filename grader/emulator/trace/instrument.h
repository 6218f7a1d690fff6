// The trace as an instrument.
#pragma once

#include <memory>

#include "common/result.h"
#include "emulator/observe/instrument.h"

namespace tmaemu::trace {

// To the file that TMAEMU_TRACE names; null where it names none.
common::Result<std::unique_ptr<Instrument>> instrument_from_environment();

}  // namespace tmaemu::trace
