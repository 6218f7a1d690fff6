// PTX text to ptx::Module.
#pragma once

#include <memory>
#include <string>

#include "common/result.h"
#include "emulator/ptx/module.h"

namespace tmaemu::ptx {

// Parses a whole PTX module. Syntax that is not understood is an error that names the PTX line and
// shows its text; nothing is skipped silently. Instructions are not checked here against the
// instruction set: the decoder does that. Never crashes or hangs, whatever the bytes.
common::Result<std::unique_ptr<Module>> parse(std::string text);

}  // namespace tmaemu::ptx
