// What a call instruction knows of its call before it is made.
#pragma once

#include <cstddef>
#include <vector>

#include "emulator/decode/program.h"

namespace tmaemu {

struct CallSite {
  std::size_t callee = 0;            // index in Program::functions; direct calls
  Slot pointer = 0;                  // 64-bit addresses of functions; indirect calls
  std::vector<CallValue> arguments;  // on the caller's side
  std::vector<CallValue> results;
};

// Whether values can be passed as they are declared: as many, of the same sizes.
bool fits(const std::vector<CallValue>& given, const std::vector<CallValue>& declared);

}  // namespace tmaemu
