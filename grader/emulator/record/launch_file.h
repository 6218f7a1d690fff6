// A program's launch as text (launch_text.h), before anything of it has run.
#pragma once

#include <memory>

#include "common/result.h"
#include "emulator/observe/instrument.h"

namespace tmaemu::record {

// To the file that TMAEMU_LAUNCH names; null where it names none. Of several launches the first one
// is written, of a cooperative one nothing: there is no text for it.
common::Result<std::unique_ptr<Instrument>> launch_file_from_environment();

}  // namespace tmaemu::record
