// What an instruction of aarch64's may do to memory, by its encoding alone (Arm's manual of the
// A64 instruction set, "Loads and Stores").
#pragma once

#include <cstdint>

namespace tmaemu::runtime {

// Whether it writes, or may write, where it faults. What reads and writes (an atomic operation)
// counts as a write, as the processor's own record of the fault has it.
bool a64_writes(std::uint32_t instruction);

}  // namespace tmaemu::runtime
