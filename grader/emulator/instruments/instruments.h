// The list of all instruments.
#pragma once

#include "common/result.h"
#include "emulator/observe/instrument.h"

namespace tmaemu {

// Those that the environment turns on, and the meter, which waits until it is. An error where a
// setting is none, or a file cannot be written.
common::Result<Instruments> instruments_from_environment();

}  // namespace tmaemu
