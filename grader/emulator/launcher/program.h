// What can be told about a program before it runs: that it is there, and all there.
#pragma once

#include <filesystem>
#include <string>

#include "common/result.h"

namespace launcher {

// The file that execvp would run for `name`; an error says why there is none.
common::Result<std::filesystem::path> find_program(const std::string& name);

// An error where the file is neither a script nor all of an executable.
common::Status check_completeness(const std::filesystem::path& program);

}  // namespace launcher
