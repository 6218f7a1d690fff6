// What the text of an arrival says that waits for a thread's copies (PTX ISA,
// "cp.async.mbarrier.arrive").
#pragma once

#include <algorithm>

#include "emulator/ptx/module.h"

namespace tmaemu::ptx {

// Without .noinc it adds one to the count that it takes away again later: the phase needs as many
// arrivals as before.
inline bool arrives_for_nothing(const Instruction& instruction) {
  const auto& parts = instruction.parts;
  return instruction.mnemonic.starts_with("cp.async.mbarrier.arrive") &&
         std::ranges::find(parts, "noinc") == parts.end();
}

}  // namespace tmaemu::ptx
