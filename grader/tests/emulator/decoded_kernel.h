// Decodes instructions and gives the reasons why they are refused.
#pragma once

#include <gtest/gtest.h>

#include <mutex>
#include <string>
#include <vector>

#include "emulator/device/device.h"
#include "emulator/device/module.h"
#include "emulator/isa/tables.h"

namespace tmaemu::testing {

// Why each of these instructions is refused; empty for one that is not. They may name the registers
// %h1 to %h8 of 16 bits, %r of 32, %l of 64, %q of 128 and the predicates %p, the label L, the list
// of labels T, the function f and the kernel's parameter p.
inline std::vector<std::string> refusals(const std::vector<std::string>& instructions) {
  std::string text =
      ".version 9.0\n.target sm_100a\n.address_size 64\n.func f()\n{\nret;\n}\n"
      ".visible .entry k(.param .u64 p)\n{\n.reg .pred %p<9>;\n.reg .b16 %h<9>;\n"
      ".reg .b32 %r<9>;\n.reg .b64 %l<9>;\n.reg .b128 %q<9>;\nT: .branchtargets L;\n";
  for (const std::string& instruction : instructions) text += instruction + ";\n";
  text += "L:\nret;\n}\n";
  const std::lock_guard lock(Device::instance().mutex());
  auto loaded = Device::instance().load(text);
  if (!loaded) {
    ADD_FAILURE() << loaded.error().message;
    return std::vector<std::string>(instructions.size());
  }
  const auto* kernel = static_cast<const LoadedKernel*>((*loaded)->find_kernel("k"));
  const std::vector<Operation>& code = kernel->program().code;
  std::vector<std::string> reasons;
  for (std::size_t i = 0; i < instructions.size(); ++i) {
    const bool is_refused = code[i].execute == instruction_set().refusal;
    reasons.push_back(is_refused ? *static_cast<const std::string*>(code[i].detail) : "");
  }
  Device::instance().unload(*loaded);
  return reasons;
}

inline std::string refusal_of(const std::string& instruction) {
  return refusals({instruction}).front();
}

}  // namespace tmaemu::testing
