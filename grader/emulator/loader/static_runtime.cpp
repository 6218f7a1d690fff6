#include "emulator/loader/static_runtime.h"

#include <sys/mman.h>
#include <unistd.h>

#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <span>
#include <utility>

namespace tmaemu::loader {
namespace {

// Every program with a kernel calls it before main.
constexpr const char* always_there = "__cudaRegisterFatBinary";
constexpr const char* gone_with_13 = "cudaThreadSynchronize";

// A jump through a register that a call need not preserve.
#ifdef __x86_64__
// movabs $target, %r11; jmp *%r11. The runtime's functions begin at multiples of 16, so that even
// the shortest has room.
std::array<unsigned char, 13> jump_to(std::uint64_t target) {
  std::array<unsigned char, 13> code{0x49, 0xbb, 0, 0, 0, 0, 0, 0, 0, 0, 0x41, 0xff, 0xe3};
  std::memcpy(code.data() + 2, &target, sizeof target);
  return code;
}
#else
// aarch64: ldr x16, target; br x16; target: .quad. All of the runtime's functions that programs
// call have room, but for CUDA 13's __cudaGetProcAddress; the one behind it is called by the
// runtime alone, which nobody enters any more.
std::array<unsigned char, 16> jump_to(std::uint64_t target) {
  std::array<unsigned char, 16> code{0x50, 0, 0, 0x58, 0, 0x02, 0x1f, 0xd6};
  std::memcpy(code.data() + 8, &target, sizeof target);
  return code;
}
#endif

bool overwrite(std::uint64_t address, std::span<const unsigned char> code) {
  const auto page = static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
  const std::uint64_t begin = address / page * page;
  const std::uint64_t size = (address + code.size() - begin + page - 1) / page * page;
  void* const pages = std::bit_cast<void*>(begin);
  if (mprotect(pages, size, PROT_READ | PROT_WRITE) != 0) return false;
  auto* const to = std::bit_cast<char*>(address);
  std::memcpy(to, code.data(), code.size());
  __builtin___clear_cache(to, to + code.size());
  return mprotect(pages, size, PROT_READ | PROT_EXEC) == 0;
}

}  // namespace

std::optional<StaticRuntime> runtime_in(const char* path) {
  const MappedFile file(path);
  CudaFunctions functions = cuda_functions(file.bytes(), SHT_SYMTAB);
  if (!functions.contains(always_there)) return std::nullopt;
  const char* const library =
      functions.contains(gone_with_13) ? "libcudart.so.12" : "libcudart.so.13";
  return StaticRuntime{library, std::move(functions)};
}

// Linkers leave entries of DT_NULL behind the last one; the loader reads up to the first. Names are
// offsets from DT_STRTAB, and an offset may lead anywhere.
bool add_dependency(const link_map& object, const char* library) {
  std::uint64_t strings = 0;
  Elf64_Dyn* entry = object.l_ld;
  for (; entry->d_tag != DT_NULL; ++entry) {
    if (entry->d_tag == DT_STRTAB) strings = entry->d_un.d_ptr;
  }
  if (strings == 0 || entry[1].d_tag != DT_NULL) return false;
  if (strings < object.l_addr) strings += object.l_addr;  // some loaders write the address there
  entry->d_tag = DT_NEEDED;
  entry->d_un.d_val = std::bit_cast<std::uint64_t>(library) - strings;
  return true;
}

bool redirect(const link_map& object, const CudaFunctions& functions, const link_map& library) {
  const MappedFile emulated(library.l_name);
  const CudaFunctions ours = cuda_functions(emulated.bytes(), SHT_DYNSYM);
  for (const auto& [name, offset] : functions) {
    const auto target = ours.find(name);
    if (target == ours.end()) continue;
    if (!overwrite(object.l_addr + offset, jump_to(library.l_addr + target->second))) return false;
  }
  return true;
}

}  // namespace tmaemu::loader
