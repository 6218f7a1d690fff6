// Runs random programs in one CUDA context.
#pragma once

#include <cuda.h>

#include <cstdint>
#include <vector>

#include "tests/conformance/random_program.h"

namespace conformance {

// What a program left.
struct RandomResults {
  std::vector<std::uint64_t> words;  // checkpoint after checkpoint, a word a thread
  std::vector<std::uint64_t> memory;
};

// The context is lost where there is an error.
CUresult run(const RandomProgram& program, RandomResults& results);

// A digest of 32 bits of each checkpoint, and of the memory; never 0.
std::vector<std::uint32_t> digests_of(const RandomProgram& program, const RandomResults& results);

}  // namespace conformance
