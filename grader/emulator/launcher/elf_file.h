// The little of an ELF file that the launcher looks at.
#pragma once

#include <filesystem>
#include <istream>
#include <optional>
#include <string>
#include <vector>

namespace launcher {

struct ElfFile {
  std::vector<std::string> needed;  // DT_NEEDED: the shared libraries it asks for
  bool has_device_code = false;     // a section .nv_fatbin
};

// Nothing where the file is no 64-bit little-endian ELF file, or is cut short.
std::optional<ElfFile> read_elf(const std::filesystem::path& path);
std::optional<ElfFile> read_elf(std::istream& file);

}  // namespace launcher
