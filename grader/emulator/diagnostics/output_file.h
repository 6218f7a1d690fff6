// The files that a run of the emulator is asked to write: statistics, a trace, a recording.
#pragma once

#include <cstdio>
#include <string>
#include <string_view>

#include "common/result.h"

namespace tmaemu {

// The name with the number of this process where it says %p.
std::string name_in_this_process(std::string name);

// "-" is standard output. An error where it cannot be written, which calls it `what`.
common::Result<std::FILE*> open_output(const std::string& name, std::string_view what);

}  // namespace tmaemu
