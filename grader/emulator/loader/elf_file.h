// The little of an ELF file that launcher and loader look at, read from the file: .symtab is not
// mapped.
#pragma once

#include <elf.h>

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace tmaemu::loader {

// A file's bytes, mapped for as long as this lives; none where it cannot be read.
class MappedFile {
 public:
  explicit MappedFile(const char* path);
  ~MappedFile();
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;

  std::span<const std::byte> bytes() const { return bytes_; }

 private:
  std::span<const std::byte> bytes_;
};

// How many bytes the file has at least, by what its header and its segments say: a file that has
// fewer was cut short, and the kernel kills what it starts of it without a word. Nothing where
// it does not begin with the header of a 64-bit little-endian ELF file.
std::optional<std::uint64_t> described_elf_bytes(std::span<const std::byte> file);

// Where functions begin, by name, in bytes from where their file is loaded.
using CudaFunctions = std::map<std::string, std::uint64_t>;

// The functions that are defined in the file. `table` is SHT_SYMTAB, which `strip` removes, or
// SHT_DYNSYM, which the loader needs. Only names with "cuda" in them. What is damaged, or no such
// ELF file, has none.
CudaFunctions cuda_functions(std::span<const std::byte> file, std::uint32_t table);

}  // namespace tmaemu::loader
