// The functions that CUDA's driver provides to device code: printf, assert, malloc and free.
// CUDA C++ Programming Guide, "Formatted Output", "Assertion", "Dynamic Global Memory Allocation".
#pragma once

#include <cstddef>
#include <span>
#include <string_view>

#include "emulator/sched/warp.h"

namespace tmaemu {

// Executes the call for one lane. `parameters` point to the values passed, `result` to where the
// result goes (null where the call takes none).
using SystemCall = void (*)(Warp& warp, const Operation& op, unsigned lane,
                            std::span<std::byte* const> parameters, std::byte* result);

// Null where the driver provides no such function.
SystemCall find_system_call(std::string_view name);

}  // namespace tmaemu
