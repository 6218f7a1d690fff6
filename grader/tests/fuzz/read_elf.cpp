#include "emulator/loader/elf_file.h"
#include "tests/fuzz/require.h"

namespace tmaemu::fuzz {

void read_elf(Input input) {
  loader::described_elf_bytes(std::as_bytes(input));
  loader::cuda_functions(std::as_bytes(input), SHT_SYMTAB);
}

}  // namespace tmaemu::fuzz
