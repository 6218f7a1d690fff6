// The lines of source that findings quote. A program names its files itself, and may name any file
// of the machine (`#line 1 "/proc/self/environ"`).
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

namespace tmaemu {

class SourceFiles {
 public:
  // Whatever file a program names: who runs it here may read its files anyhow.
  SourceFiles() = default;
  // Only files in this folder and below, whatever path they had when they were compiled: the path's
  // end is looked for there.
  explicit SourceFiles(const std::filesystem::path& folder);

  // A line of a file, the first is 1. Nothing where it must not or cannot be read.
  std::optional<std::string> line(const std::string& path, std::uint32_t number) const;

 private:
  std::optional<std::filesystem::path> allowed(const std::filesystem::path& path) const;

  std::optional<std::filesystem::path> folder_;  // without links
};

}  // namespace tmaemu
