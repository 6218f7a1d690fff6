// The statistics as an instrument.
#pragma once

#include <memory>

#include "common/result.h"
#include "emulator/observe/instrument.h"

namespace tmaemu::profile {

// As TMAEMU_STATS and TMAEMU_STATS_FILE say; null where nobody asked for statistics.
common::Result<std::unique_ptr<Instrument>> instrument_from_environment();

}  // namespace tmaemu::profile
