#include "emulator/fatbin/cubin.h"

#include <elf.h>

#include <cstring>
#include <optional>
#include <string_view>
#include <vector>

namespace tmaemu::fatbin {
namespace {

using Bytes = std::span<const std::byte>;

// NVIDIA documents no part of what a cubin adds to ELF; what stands here was read off cubins of
// nvcc 12.8 to 13.5 beside what ptxas -v says. `.nv.info` is about all kernels, `.nv.info.NAME`
// about one. Each is a list of attributes: u8 form, u8 attribute, and u16 value; or, in the sized
// form, u16 length and that many bytes.
constexpr std::uint8_t sized_form = 4;
// The sized attributes of `.nv.info` here hold two numbers: the index of a symbol, and the value.
constexpr std::uint8_t frame_size = 0x11;
constexpr std::uint8_t register_count = 0x2F;
// Of one kernel, with a value.
constexpr std::uint8_t barrier_count = 0x4C;

constexpr std::string_view info_section = ".nv.info";
// A kernel's static shared memory: `.nv.shared.NAME`, which has a size and no contents. In code for
// a debugger, what several kernels share is in one more.
constexpr std::string_view shared_section = ".nv.shared.";
constexpr std::string_view common_shared_section = ".nv_debug.shared";

common::Error malformed(const std::string& what) {
  return {"this machine code is malformed: " + what};
}

template <class T>
std::optional<T> read(Bytes bytes, std::uint64_t offset) {
  if (offset > bytes.size() || sizeof(T) > bytes.size() - offset) return std::nullopt;
  T value;
  std::memcpy(&value, bytes.data() + offset, sizeof value);
  return value;
}

class Cubin {
 public:
  static common::Result<Cubin> open(Bytes file) {
    const auto header = read<Elf64_Ehdr>(file, 0);
    if (!header || std::memcmp(header->e_ident, ELFMAG, SELFMAG) != 0 ||
        header->e_ident[EI_CLASS] != ELFCLASS64 || header->e_machine != EM_CUDA) {
      return malformed("it is no ELF file of 64 bits for an NVIDIA GPU");
    }
    Cubin cubin(file);
    for (std::uint64_t i = 0; i < header->e_shnum; ++i) {
      const auto section = read<Elf64_Shdr>(file, header->e_shoff + i * header->e_shentsize);
      if (!section) return malformed("it ends before its section headers do");
      if (section->sh_type != SHT_NOBITS && !lies_within(file, *section)) {
        return malformed("a section lies outside of it");
      }
      cubin.sections_.push_back(*section);
    }
    cubin.names_ = header->e_shstrndx;
    return cubin;
  }

  std::size_t section_count() const { return sections_.size(); }
  const Elf64_Shdr& section(std::size_t i) const { return sections_[i]; }
  std::string_view section_name(std::size_t i) const { return text(names_, sections_[i].sh_name); }

  // Empty where there is no such section, or the file holds no bytes of it.
  Bytes contents(std::size_t i) const {
    if (i >= sections_.size() || sections_[i].sh_type == SHT_NOBITS) return {};
    return file_.subspan(sections_[i].sh_offset, sections_[i].sh_size);
  }

  // The string at `offset` of a string table; empty where there is none.
  std::string_view text(std::size_t table, std::uint64_t offset) const {
    const Bytes strings = contents(table);
    if (offset >= strings.size()) return {};
    const auto* first = reinterpret_cast<const char*>(strings.data()) + offset;
    return {first, strnlen(first, strings.size() - offset)};
  }

  // The name of a symbol, by its index in the table that section `of` refers to.
  std::string_view symbol_name(std::size_t of, std::uint32_t index) const {
    const std::size_t table = sections_[of].sh_link;
    const auto symbol = read<Elf64_Sym>(contents(table), index * sizeof(Elf64_Sym));
    if (!symbol) return {};
    return text(sections_[table].sh_link, symbol->st_name);
  }

 private:
  explicit Cubin(Bytes file) : file_(file) {}
  static bool lies_within(Bytes file, const Elf64_Shdr& section) {
    return section.sh_offset <= file.size() && section.sh_size <= file.size() - section.sh_offset;
  }

  Bytes file_;
  std::vector<Elf64_Shdr> sections_;
  std::size_t names_ = 0;  // the section that holds the sections' names
};

// Calls visit(attribute, value, data) for each attribute; false where they are malformed.
template <class Visit>
bool for_each_attribute(Bytes info, Visit visit) {
  constexpr std::size_t head = 4;
  while (!info.empty()) {
    if (info.size() < head) return false;
    const auto form = std::to_integer<std::uint8_t>(info[0]);
    const auto attribute = std::to_integer<std::uint8_t>(info[1]);
    const std::uint16_t value = *read<std::uint16_t>(info, 2);
    info = info.subspan(head);
    const std::size_t length = form == sized_form ? value : 0;
    if (length > info.size()) return false;
    visit(attribute, value, info.first(length));
    info = info.subspan(length);
  }
  return true;
}

// Calls visit(section, name, address) for each variable of the cubin's symbol table.
template <class Visit>
void for_each_variable(const Cubin& cubin, Visit visit) {
  for (std::size_t i = 0; i < cubin.section_count(); ++i) {
    if (cubin.section(i).sh_type != SHT_SYMTAB) continue;
    const Bytes symbols = cubin.contents(i);
    for (std::size_t at = 0; const auto symbol = read<Elf64_Sym>(symbols, at);
         at += sizeof *symbol) {
      if (ELF64_ST_TYPE(symbol->st_info) != STT_OBJECT) continue;
      if (symbol->st_shndx >= cubin.section_count()) continue;
      visit(cubin.section_name(symbol->st_shndx),
            std::string(cubin.text(cubin.section(i).sh_link, symbol->st_name)), symbol->st_value);
    }
  }
}

// Sizes and symbols of the kernels' shared memory.
void read_shared(const Cubin& cubin, ResourceTable& kernels) {
  for (std::size_t i = 0; i < cubin.section_count(); ++i) {
    const std::string_view name = cubin.section_name(i);
    if (!name.starts_with(shared_section)) continue;
    const auto kernel = kernels.find(std::string(name.substr(shared_section.size())));
    if (kernel != kernels.end()) kernel->second.shared_bytes = cubin.section(i).sh_size;
  }
  for_each_variable(cubin,
                    [&](std::string_view section, const std::string& name, std::uint64_t address) {
                      for (auto& [kernel, resources] : kernels) {
                        const bool is_own = section.starts_with(shared_section) &&
                                            section.substr(shared_section.size()) == kernel;
                        if (is_own || section == common_shared_section) {
                          resources.shared_variables.emplace(name, address);
                        }
                      }
                    });
}

}  // namespace

common::Result<ResourceTable> read_resources(Bytes file) {
  const auto cubin = Cubin::open(file);
  if (!cubin) return cubin.error();
  ResourceTable functions;  // device functions that are called have frames, too
  ResourceTable kernels;
  for (std::size_t i = 0; i < cubin->section_count(); ++i) {
    const std::string_view name = cubin->section_name(i);
    if (!name.starts_with(info_section)) continue;
    const bool is_well_formed = for_each_attribute(
        cubin->contents(i), [&](std::uint8_t attribute, std::uint16_t value, Bytes data) {
          if (attribute == barrier_count && name.size() > info_section.size()) {
            functions[std::string(name.substr(info_section.size() + 1))].barriers = value;
          }
          if (attribute != register_count && attribute != frame_size) return;
          const auto symbol = read<std::uint32_t>(data, 0);
          const auto number = read<std::uint32_t>(data, sizeof *symbol);
          if (!symbol || !number) return;
          KernelResources& of = functions[std::string(cubin->symbol_name(i, *symbol))];
          (attribute == register_count ? of.registers : of.local_bytes) = *number;
        });
    if (!is_well_formed) return malformed("an attribute of a kernel ends behind its section");
  }
  for (auto& [name, resources] : functions) {
    if (resources.registers != 0) kernels.emplace(name, resources);
  }
  read_shared(*cubin, kernels);
  return kernels;
}

}  // namespace tmaemu::fatbin
