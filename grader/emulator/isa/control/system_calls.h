// The functions that CUDA's driver provides to device code: printf, assert, malloc and free, and
// what sets the value of a graph's conditional node. CUDA C++ Programming Guide, "Formatted
// Output", "Assertion", "Dynamic Global Memory Allocation", "Conditional Graph Nodes".
#pragma once

#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

#include "emulator/sched/warp.h"

namespace tmaemu {

// Executes the call for one lane. `parameters` point to the values passed, `result` to where the
// result goes (null where the call takes none).
using SystemCall = void (*)(Warp& warp, const Operation& op, unsigned lane,
                            std::span<std::byte* const> parameters, std::byte* result);

struct SystemFunction {
  std::string_view name;
  SystemCall execute;
  std::vector<unsigned> parameters;  // bytes of each
  unsigned result = 0;               // bytes; 0: none
};

// Null where the driver provides no such function.
const SystemFunction* find_system_function(std::string_view name);

}  // namespace tmaemu
