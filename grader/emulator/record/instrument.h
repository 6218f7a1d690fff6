// The recording, and the launch itself, as instruments.
#pragma once

#include <memory>

#include "common/result.h"
#include "emulator/observe/instrument.h"

namespace tmaemu::record {

// To the file that TMAEMU_RECORD names; null where it names none.
common::Result<std::unique_ptr<Instrument>> instrument_from_environment();

// A launch as text (launch_text.h), before anything of it has run, to the file that TMAEMU_LAUNCH
// names. Of several launches the first one is written, of a cooperative one nothing: there is no
// text for it.
common::Result<std::unique_ptr<Instrument>> launch_file_from_environment();

}  // namespace tmaemu::record
