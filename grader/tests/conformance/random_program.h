// Programs that nobody wrote: random, and yet with one result each, so that a GPU and the emulator
// can be compared on what instructions do together.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace conformance {

// What a program is made of.
enum class Family : std::uint8_t {
  arithmetic,  // forms of the arithmetic suite, each on results of others
  flow,        // branches, loops, switches, calls, and warps that meet between them
  memory,      // all spaces and widths, generic addresses, atomics
  async,       // bulk copies, tensor copies, cp.async, mbarriers and clusters
};

// A tensor map over the own memory of each CTA: PTX has them at `maps`, those of all CTAs of the
// first one, then those of the second.
struct RandomMap {
  unsigned type;  // CUtensorMapDataType
  unsigned rank;
  std::uint64_t sizes[3];
  std::uint64_t strides[2];  // bytes
  std::uint32_t box[3];
  unsigned swizzle;  // CUtensorMapSwizzle
};

// A kernel `program` and what it is launched with. A checkpoint is a value of each thread, which
// is compared.
struct RandomProgram {
  std::string ptx;
  unsigned ctas = 0;
  unsigned threads = 0;  // of a CTA
  unsigned checkpoints = 0;
  unsigned compared = ~0u;            // of them, where ptxas does something else behind that
  unsigned input_words = 0;           // of 8 bytes, a thread
  std::vector<std::uint64_t> inputs;  // thread after thread
  std::size_t memory_bytes = 0;       // global memory of all, which is compared at the end, too
  std::uint64_t memory_seed = 0;      // of what is in it at first
  std::size_t zero_bytes = 0;         // at its end, which are zero at first
  std::vector<RandomMap> maps;
};

RandomProgram random_arithmetic(std::uint64_t seed);
RandomProgram random_flow(std::uint64_t seed);
RandomProgram random_memory(std::uint64_t seed);
RandomProgram random_async(std::uint64_t seed);

// Of a recorded suite: so many programs of a family.
struct FamilyCount {
  Family family;
  const char* name;
  RandomProgram (*make)(std::uint64_t seed);
  unsigned programs;
};

}  // namespace conformance
