// The matrix descriptors of the emulator for a page of the book, in the module that has its tensor
// maps (tensor_map_module.h): which chunks of shared memory a wgmma reads. No rule is here but how
// fields become bits: the module asks those of emulator/tensor and emulator/profile.
//
// handout/site/descriptors/module.ts writes the question, calls ask_matrix(), and reads the answer;
// it names the same offsets.
#pragma once

#include <cstdint>

namespace tmaemu::browser {

// What somebody writes into a descriptor, in bytes, and the matrix that an instruction reads by it:
// so many rows of A, or columns of B, of 16 elements of 16 bits.
struct MatrixQuestion {
  std::uint32_t start;
  std::uint32_t leading;
  std::uint32_t stride;
  std::uint32_t base_offset;
  std::uint32_t swizzle;  // as a descriptor has it: 0 none, 1 for 128 bytes, 2 for 64, 3 for 32
  std::uint32_t lines;    // a multiple of 8
  std::uint32_t is_transposed;
};
static_assert(sizeof(MatrixQuestion) == 28);

struct MatrixAnswer {
  std::uint32_t bits[2];  // of the descriptor: the lower word, the higher one
  std::uint32_t start;    // what these bits say, in bytes
  std::uint32_t leading;
  std::uint32_t stride;
  std::uint32_t base_offset;
  std::uint32_t uses_leading;  // whether the offset counts in this matrix
  std::uint32_t uses_stride;
  std::uint32_t wavefronts;  // that the first core matrix takes, 8 chunks of 16 bytes
  // The address of an array of addresses in shared memory, of 16 bytes each, and how many: line
  // after line, two each; of a transposed matrix 8 lines after 8 lines, 16 each, by ascending k.
  std::uint32_t units;
  std::uint32_t unit_count;
};
static_assert(sizeof(MatrixAnswer) == 44);

}  // namespace tmaemu::browser
