// What machine code says of its kernels: of cubins made here, well-formed ones and others. Those
// that nvcc makes are read by tests/python/test_resources.py.
#include "emulator/fatbin/cubin.h"

#include <elf.h>
#include <gtest/gtest.h>

#include <cstring>
#include <string>
#include <string_view>
#include <vector>

namespace tmaemu::fatbin {
namespace {

using Buffer = std::vector<std::byte>;

template <class T>
void append(Buffer& buffer, const T& value) {
  const auto* bytes = reinterpret_cast<const std::byte*>(&value);
  buffer.insert(buffer.end(), bytes, bytes + sizeof value);
}

// u8 form, u8 attribute, u16 length, then a symbol and a number.
void append_sized(Buffer& buffer, std::uint8_t attribute, std::uint32_t symbol,
                  std::uint32_t number) {
  append(buffer, std::uint8_t{4});
  append(buffer, attribute);
  append(buffer, std::uint16_t{8});
  append(buffer, symbol);
  append(buffer, number);
}

// A cubin under construction: sections with contents, and at the end their headers.
class Builder {
 public:
  Builder() : file_(sizeof(Elf64_Ehdr)) { add(0, {}, SHT_NULL, 0); }

  // `name`: its offset among the names of sections.
  std::uint32_t add(std::uint32_t name, const Buffer& contents, std::uint32_t type,
                    std::uint32_t link) {
    Elf64_Shdr section{};
    section.sh_name = name;
    section.sh_type = type;
    section.sh_offset = file_.size();
    section.sh_size = contents.size();
    section.sh_link = link;
    sections_.push_back(section);
    file_.insert(file_.end(), contents.begin(), contents.end());
    return static_cast<std::uint32_t>(sections_.size() - 1);
  }

  Buffer finish(std::uint16_t names) {
    Elf64_Ehdr header{};
    std::memcpy(header.e_ident, ELFMAG, SELFMAG);
    header.e_ident[EI_CLASS] = ELFCLASS64;
    header.e_machine = EM_CUDA;
    header.e_shoff = file_.size();
    header.e_shentsize = sizeof(Elf64_Shdr);
    header.e_shnum = static_cast<std::uint16_t>(sections_.size());
    header.e_shstrndx = names;
    for (const Elf64_Shdr& section : sections_) append(file_, section);
    std::memcpy(file_.data(), &header, sizeof header);
    return file_;
  }

 private:
  Buffer file_;
  std::vector<Elf64_Shdr> sections_;
};

Buffer bytes_of(std::string_view text) {
  const auto* first = reinterpret_cast<const std::byte*>(text.data());
  return {first, first + text.size()};
}

// One kernel, and a device function that it calls, as ptxas writes them.
Buffer cubin_of_kernel(std::uint32_t registers, std::uint32_t frame) {
  using namespace std::string_view_literals;
  constexpr auto names = "\0.strtab\0.symtab\0.nv.info\0.nv.info.kernel\0"sv;
  constexpr auto strings = "\0kernel\0helper\0"sv;
  Builder builder;
  const auto strtab = builder.add(1, bytes_of(strings), SHT_STRTAB, 0);
  const auto shstrtab = builder.add(1, bytes_of(names), SHT_STRTAB, 0);
  Buffer symbols;
  for (const std::uint32_t name : {0u, 1u, 8u}) {
    Elf64_Sym symbol{};
    symbol.st_name = name;
    append(symbols, symbol);
  }
  const auto symtab = builder.add(9, symbols, SHT_SYMTAB, strtab);
  Buffer info;
  append_sized(info, 0x11, 2, 104);  // the helper's frame
  append_sized(info, 0x2F, 1, registers);
  append_sized(info, 0x11, 1, frame);
  append_sized(info, 0x12, 1, 4096);  // something else
  builder.add(17, info, SHT_LOPROC, symtab);
  Buffer own;
  append(own, std::uint32_t{0x0001'4C02});  // one barrier
  builder.add(26, own, SHT_LOPROC, symtab);
  return builder.finish(static_cast<std::uint16_t>(shstrtab));
}

TEST(Cubin, SaysWhatAKernelWasAllocated) {
  const auto kernels = read_resources(cubin_of_kernel(168, 1024));
  ASSERT_TRUE(kernels.ok()) << kernels.error().message;
  ASSERT_EQ(kernels->size(), 1u);
  const KernelResources& kernel = kernels->at("kernel");
  EXPECT_EQ(kernel.registers, 168u);
  EXPECT_EQ(kernel.local_bytes, 1024u);
  EXPECT_EQ(kernel.barriers, 1u);
}

TEST(Cubin, OtherFilesAreRefused) {
  EXPECT_FALSE(read_resources(bytes_of("no ELF")).ok());
  Buffer for_the_host = cubin_of_kernel(32, 0);
  const std::uint16_t x86 = EM_X86_64;
  std::memcpy(for_the_host.data() + offsetof(Elf64_Ehdr, e_machine), &x86, sizeof x86);
  EXPECT_FALSE(read_resources(for_the_host).ok());
}

TEST(Cubin, ACutOneIsRefused) {
  const Buffer whole = cubin_of_kernel(32, 0);
  for (std::size_t size = 0; size < whole.size(); ++size) {
    EXPECT_FALSE(read_resources(std::span(whole).first(size)).ok()) << size << " bytes";
  }
}

TEST(Cubin, NoByteThatIsWrongDoesHarm) {
  const Buffer whole = cubin_of_kernel(32, 0);
  for (std::size_t i = 0; i < whole.size(); ++i) {
    for (const unsigned value : {0x00u, 0x7Fu, 0x80u, 0xFFu}) {
      Buffer broken = whole;
      broken[i] = static_cast<std::byte>(value);
      if (const auto kernels = read_resources(broken); !kernels) {
        EXPECT_FALSE(kernels.error().message.empty());
      }
    }
  }
}

}  // namespace
}  // namespace tmaemu::fatbin
