#include "emulator/loader/elf_file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstring>

namespace tmaemu::loader {
namespace {

// Foreign bytes: an offset that leads out of them makes the answer empty.
class Reader {
 public:
  explicit Reader(std::span<const std::byte> bytes) : bytes_(bytes) {}

  template <class T>
  std::optional<T> object(std::uint64_t offset) const {
    if (offset > bytes_.size() || bytes_.size() - offset < sizeof(T)) return std::nullopt;
    T result;
    std::memcpy(&result, bytes_.data() + offset, sizeof result);
    return result;
  }

  // Up to the zero at its end.
  std::string_view name(std::uint64_t offset) const {
    if (offset >= bytes_.size()) return {};
    const char* const begin = reinterpret_cast<const char*>(bytes_.data()) + offset;
    return {begin, strnlen(begin, bytes_.size() - offset)};
  }

 private:
  std::span<const std::byte> bytes_;
};

bool is_supported(const Elf64_Ehdr& header) {
  return std::memcmp(header.e_ident, ELFMAG, SELFMAG) == 0 &&
         header.e_ident[EI_CLASS] == ELFCLASS64 && header.e_ident[EI_DATA] == ELFDATA2LSB &&
         header.e_shentsize == sizeof(Elf64_Shdr);
}

// The end of the last byte that a segment, the table of segments or that of sections lies in.
std::uint64_t described_bytes(const Reader& reader, const Elf64_Ehdr& header) {
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

}  // namespace

MappedFile::MappedFile(const char* path) {
  const int file = open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0) return;
  struct stat status {};
  if (fstat(file, &status) == 0 && status.st_size > 0) {
    const auto size = static_cast<std::size_t>(status.st_size);
    void* const mapped = mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file, 0);
    if (mapped != MAP_FAILED) bytes_ = {static_cast<const std::byte*>(mapped), size};
  }
  close(file);
}

MappedFile::~MappedFile() {
  if (!bytes_.empty()) munmap(const_cast<std::byte*>(bytes_.data()), bytes_.size());
}

std::optional<std::uint64_t> described_elf_bytes(std::span<const std::byte> file) {
  const Reader reader(file);
  if (const auto header = reader.object<Elf64_Ehdr>(0)) {
    return is_supported(*header) ? std::optional(described_bytes(reader, *header)) : std::nullopt;
  }
  const auto magic = reader.object<std::array<char, SELFMAG>>(0);
  const bool begins_as_elf = magic && std::memcmp(magic->data(), ELFMAG, SELFMAG) == 0;
  return begins_as_elf ? std::optional(sizeof(Elf64_Ehdr)) : std::nullopt;
}

CudaFunctions cuda_functions(std::span<const std::byte> file, std::uint32_t table) {
  CudaFunctions found;
  const Reader reader(file);
  const auto header = reader.object<Elf64_Ehdr>(0);
  if (!header || !is_supported(*header)) return found;
  const auto section = [&](std::uint64_t index) {
    return reader.object<Elf64_Shdr>(header->e_shoff + index * sizeof(Elf64_Shdr));
  };
  for (std::uint64_t i = 0; i < header->e_shnum; ++i) {
    const auto symbols = section(i);
    if (!symbols || symbols->sh_type != table) continue;
    const auto names = section(symbols->sh_link);
    if (!names) continue;
    for (std::uint64_t at = 0; at + sizeof(Elf64_Sym) <= symbols->sh_size;
         at += sizeof(Elf64_Sym)) {
      const auto symbol = reader.object<Elf64_Sym>(symbols->sh_offset + at);
      if (!symbol) break;
      if (ELF64_ST_TYPE(symbol->st_info) != STT_FUNC || symbol->st_shndx == SHN_UNDEF) continue;
      const std::string_view name = reader.name(names->sh_offset + symbol->st_name);
      if (name.find("cuda") != name.npos) found.emplace(name, symbol->st_value);
    }
  }
  return found;
}

}  // namespace tmaemu::loader
