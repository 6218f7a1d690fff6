// Where the runner that misbehaves on demand was built.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

// The command that starts it.
inline std::vector<std::string> runner_that(const std::string& behavior) {
  const auto tests = std::filesystem::read_symlink("/proc/self/exe").parent_path();
  return {(tests / "misbehaving_runner").string(), behavior};
}
