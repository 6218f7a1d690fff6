// Who could set a flag that threads poll, as far as the text of the program says.
#pragma once

#include <cstdint>
#include <vector>

#include "emulator/program/program.h"

namespace tmaemu::check {

struct FlagSetters {
  std::vector<std::uint32_t> sites;  // of stores and atomics on the same variable or parameter
  bool is_all = false;               // nothing else in the program can write there
  bool keeps_value = false;          // it is a variable that lives as long as the module
};

// `poll`: the site of the load or the atomic that asks for the flag.
FlagSetters setters_of(const Program& program, std::uint32_t poll);

}  // namespace tmaemu::check
