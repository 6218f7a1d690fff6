// The two headers that nvcc puts in front of device code.
#pragma once

#include <cstdint>

namespace tmaemu::runtime {

// fatbinary_section.h, __fatBinC_Wrapper_t: what __cudaRegisterFatBinary is given.
struct FatBinaryWrapper {
  std::uint32_t magic;
  std::uint32_t version;  // 2: relocatable device code, linked when the program was
  const void* data;
  void* names_or_parts;  // version 2: the null-terminated list of the parts
};
inline constexpr std::uint32_t wrapper_magic = 0x466243b1;
inline constexpr std::uint32_t wrapper_version_linked = 2;

inline constexpr std::uint32_t fat_binary_magic = 0xBA55ED50;
inline constexpr std::uint32_t elf_magic = 0x464C457F;

}  // namespace tmaemu::runtime
