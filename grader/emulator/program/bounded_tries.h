// Waits for an mbarrier that a function gives up after some tries, and then goes on as if they had
// succeeded: `for (int i = 0; i < 1000 && !try_wait(full, parity); ++i) {}` in front of a read.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "emulator/program/effects.h"
#include "emulator/program/program.h"
#include "emulator/ptx/module.h"

namespace tmaemu {

// By their places in the body: those that are tried again where the answer is no, and from which a
// thread may come to one and the same read of shared memory on either answer without asking again.
// What is known of the answer is followed through predicates and copies; a function that ends or
// traps then, or that waits at another place, goes on otherwise.
std::vector<std::size_t> bounded_tries(const ptx::Function& function,
                                       std::span<const Effects> effects);

// The wait that the text has last in front of the instruction, both by their sites, if it is such.
std::optional<std::uint32_t> bounded_try_before(const Program& program, std::uint32_t site);

}  // namespace tmaemu
