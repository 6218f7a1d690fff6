// The registry of findings as JSON, for programs that read reports.
#pragma once

#include <string>

namespace launcher {

std::string registry_json();

}  // namespace launcher
