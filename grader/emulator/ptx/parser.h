// PTX text to ptx::Module.
#pragma once

#include <compare>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "common/result.h"
#include "emulator/ptx/module.h"

namespace tmaemu::ptx {

// Parses a whole PTX module. Syntax that is not understood is an error that names the PTX line and
// shows its text; nothing is skipped silently. Instructions are not checked here against the
// instruction set: the decoder does that. Never crashes or hangs, whatever the bytes.
common::Result<std::unique_ptr<Module>> parse(std::string text);

struct Version {
  int major = 0;
  int minor = 0;
  auto operator<=>(const Version&) const = default;
};

// CUDA 13 writes PTX 9.x.
inline constexpr int newest_known_major_version = 9;

// What .version says at the start of the text, which stands before all that a newer version may
// write in another way; nullopt where the text does not start as PTX does.
std::optional<Version> declared_version(std::string_view text);

}  // namespace tmaemu::ptx
