#include <sstream>

#include "emulator/launcher/elf_file.h"
#include "tests/fuzz/require.h"

namespace tmaemu::fuzz {

void read_elf(Input input) {
  std::istringstream file(text_of(input));
  launcher::described_elf_bytes(file);
  launcher::read_elf(file);
}

}  // namespace tmaemu::fuzz
