#include "emulator/launcher/elf_file.h"

#include <elf.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <fstream>
#include <utility>

namespace launcher {
namespace {

// Longer than the name of any section or library; bounds what a damaged file makes this read.
constexpr std::size_t max_name_bytes = 4096;

// Reads at offsets into the file; anything outside it makes the result empty.
class Reader {
 public:
  explicit Reader(std::istream& file) : file_(file) {}

  template <class T>
  std::optional<T> object(std::uint64_t offset) {
    T result;
    if (!read(offset, &result, sizeof result)) return std::nullopt;
    return result;
  }

  std::optional<std::string> string(std::uint64_t offset) {
    std::string result;
    file_.clear();
    file_.seekg(static_cast<std::streamoff>(offset));
    for (char next; file_.get(next);) {
      if (next == '\0') return result;
      if (result.size() == max_name_bytes) return std::nullopt;
      result += next;
    }
    return std::nullopt;
  }

 private:
  bool read(std::uint64_t offset, void* to, std::size_t size) {
    file_.clear();
    file_.seekg(static_cast<std::streamoff>(offset));
    return static_cast<bool>(
        file_.read(static_cast<char*>(to), static_cast<std::streamsize>(size)));
  }

  std::istream& file_;
};

bool is_supported(const Elf64_Ehdr& header) {
  return std::memcmp(header.e_ident, ELFMAG, SELFMAG) == 0 &&
         header.e_ident[EI_CLASS] == ELFCLASS64 && header.e_ident[EI_DATA] == ELFDATA2LSB &&
         header.e_shentsize == sizeof(Elf64_Shdr);
}

// The end of the last byte that a segment, the table of segments or that of sections lies in.
std::uint64_t described_bytes(Reader& reader, const Elf64_Ehdr& header) {
  const std::uint64_t segments = header.e_phnum * std::uint64_t{sizeof(Elf64_Phdr)};
  const std::uint64_t sections = header.e_shnum * std::uint64_t{sizeof(Elf64_Shdr)};
  std::uint64_t end = std::max(header.e_phoff + segments, header.e_shoff + sections);
  for (std::uint64_t i = 0; i < header.e_phnum; ++i) {
    const auto segment = reader.object<Elf64_Phdr>(header.e_phoff + i * sizeof(Elf64_Phdr));
    if (!segment) break;  // the table itself is not all there, which `end` says
    if (segment->p_type == PT_LOAD) end = std::max(end, segment->p_offset + segment->p_filesz);
  }
  return end;
}

// The DT_NEEDED entries of a dynamic section, whose names lie in `strings`.
bool read_needed(Reader& reader, const Elf64_Shdr& dynamic, const Elf64_Shdr& strings,
                 std::vector<std::string>& needed) {
  for (std::uint64_t at = 0; at + sizeof(Elf64_Dyn) <= dynamic.sh_size; at += sizeof(Elf64_Dyn)) {
    const auto entry = reader.object<Elf64_Dyn>(dynamic.sh_offset + at);
    if (!entry) return false;
    if (entry->d_tag == DT_NULL) break;
    if (entry->d_tag != DT_NEEDED) continue;
    const auto name = reader.string(strings.sh_offset + entry->d_un.d_val);
    if (!name) return false;
    needed.push_back(*name);
  }
  return true;
}

}  // namespace

std::optional<std::uint64_t> described_elf_bytes(std::istream& file) {
  Reader reader(file);
  const auto header = reader.object<Elf64_Ehdr>(0);
  if (header) {
    return is_supported(*header) ? std::optional(described_bytes(reader, *header)) : std::nullopt;
  }
  const auto magic = reader.object<std::array<char, SELFMAG>>(0);
  const bool begins_as_elf = magic && std::memcmp(magic->data(), ELFMAG, SELFMAG) == 0;
  return begins_as_elf ? std::optional(sizeof(Elf64_Ehdr)) : std::nullopt;
}

std::optional<ElfFile> read_elf(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return read_elf(file);
}

std::optional<ElfFile> read_elf(std::istream& file) {
  Reader reader(file);
  const auto header = reader.object<Elf64_Ehdr>(0);
  if (!header || !is_supported(*header)) return std::nullopt;
  const auto section = [&](std::uint64_t index) {
    return reader.object<Elf64_Shdr>(header->e_shoff + index * sizeof(Elf64_Shdr));
  };
  const auto names = section(header->e_shstrndx);
  if (!names) return std::nullopt;
  ElfFile elf;
  bool has_dynamic = false;  // a file has at most one such section
  for (std::uint64_t i = 0; i < header->e_shnum; ++i) {
    const auto one = section(i);
    if (!one) return std::nullopt;
    if (one->sh_type == SHT_DYNAMIC && !std::exchange(has_dynamic, true)) {
      const auto strings = section(one->sh_link);
      if (!strings || !read_needed(reader, *one, *strings, elf.needed)) return std::nullopt;
    }
    if (reader.string(names->sh_offset + one->sh_name) == ".nv_fatbin") elf.has_device_code = true;
  }
  return elf;
}

}  // namespace launcher
