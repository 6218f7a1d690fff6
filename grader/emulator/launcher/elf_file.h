// The little of an ELF file that the launcher looks at.
#pragma once

#include <cstdint>
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

// How many bytes the file has at least, by what its header and its segments say: a file that has
// fewer was cut short, and the kernel kills what it starts of it without a word. Nothing where
// it does not begin with the header of a 64-bit little-endian ELF file.
std::optional<std::uint64_t> described_elf_bytes(std::istream& file);

// Nothing where the file is no 64-bit little-endian ELF file, or is cut short.
std::optional<ElfFile> read_elf(const std::filesystem::path& path);
std::optional<ElfFile> read_elf(std::istream& file);

}  // namespace launcher
