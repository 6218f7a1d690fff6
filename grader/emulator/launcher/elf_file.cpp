#include "emulator/launcher/elf_file.h"

#include <elf.h>

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
