// What a call instruction knows of its call before it is made.
#pragma once

#include <cstddef>
#include <vector>

#include "emulator/program/program.h"
#include "emulator/sched/frame.h"

namespace tmaemu {

struct CallSite {
  std::size_t callee = 0;            // index in Program::functions; direct calls
  Slot pointer = 0;                  // 64-bit addresses of functions; indirect calls
  std::vector<CallValue> arguments;  // on the caller's side
  std::vector<CallValue> results;
};

// Where the lane's value is, in a frame that the lane is in.
std::byte* place_of(Warp& warp, Frame& frame, const CallValue& value, unsigned lane);

// Whether values can be passed as they are declared: as many, of the same sizes.
bool fits(const std::vector<CallValue>& given, const std::vector<CallValue>& declared);

}  // namespace tmaemu
