// A copy of arrays that are larger than anybody has memory for, on the emulator. Both consist of
// one piece of memory, which is there again and again: what a byte should be is known everywhere,
// and which bytes were read and written is counted by their places.
//
// Two mistakes are not seen that a case with memory of its own shows: bytes that come from the same
// place of another repetition, and wrong ones that right ones of another repetition cover. So a
// part has other cases besides. And a right copy in small tiles takes longer than it may: that says
// nothing, so who is not done in time has no verdict.
#pragma once

#include <cstdint>
#include <string>

#include "common/text.h"
#include "judge/arrays/random.h"
#include "judge/arrays/tensor.h"
#include "judge/cases/call_case.h"

namespace judge {

// Of a launcher whose parameters are the destination, the source and how many of something.
struct RepeatedCopy {
  Part part;
  std::string name;
  Tensor piece;                 // what the source repeats: whole pages
  std::size_t bytes = 0;        // of each array, no fewer than the piece has
  std::int64_t count = 0;       // as the launcher is told
  std::uint64_t tma_bytes = 0;  // as in CallCase
  // Whether what the part is about is asked of it: where no other case's result is right. Else the
  // others say it, of fewer bytes and in more measures.
  bool says_which_way = false;
};

// What a source repeats: pages that no tile of a power of two comes back to soon.
inline constexpr std::size_t repeated_bytes = std::size_t{4096} * 165 * 2;

// Of `count` bfloat16 elements.
inline RepeatedCopy repeated_elements(Random& random, const Part& part, std::size_t count) {
  constexpr std::size_t repeated = repeated_bytes / sizeof(Bfloat16);
  const std::size_t bytes = count * sizeof(Bfloat16);
  return {
      part,  common::counted(count, "element"), tensor({repeated}, random.any_bfloat16(repeated)),
      bytes, static_cast<std::int64_t>(count),  bytes / 16 * 16};
}

}  // namespace judge
