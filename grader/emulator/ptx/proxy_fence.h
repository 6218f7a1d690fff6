// What a proxy fence of one state space is, by its text: PTX ISA, "membar / fence".
#pragma once

#include <string_view>

#include "emulator/ptx/module.h"

namespace tmaemu::ptx {

// Whether it is a fence.proxy.async that names a state space, and another one than this.
inline bool fences_other_space(const Instruction& instruction, bool is_global) {
  const std::string_view fence = instruction.mnemonic;
  return fence.starts_with("fence.proxy.async.") &&
         (fence.find(".global") != std::string_view::npos) != is_global;
}

}  // namespace tmaemu::ptx
