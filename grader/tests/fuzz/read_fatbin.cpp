#include "emulator/fatbin/cubin.h"
#include "emulator/fatbin/fatbin.h"
#include "tests/fuzz/require.h"

namespace tmaemu::fuzz {

void read_fatbin(Input input) {
  require_answer(fatbin::length(input));
  require_answer(fatbin::read_ptx(input));
  require_answer(fatbin::read_machine_code(input));
  require_answer(fatbin::read_resources(input));
}

}  // namespace tmaemu::fuzz
