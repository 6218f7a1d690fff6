// What a case of lab3-bulk-copy is: every element of an array of ints becomes one more. The cases
// themselves are in checks.cpp, which students have too, and in grader_checks.cpp.
#pragma once

#include <string>
#include <vector>

#include "judge/check.h"

namespace lab3 {

inline constexpr judge::Part kOneTile{"one-tile", "void launch_add_one_tile(int *data, int count)"};
inline constexpr judge::Part kAnyLength{"any-length",
                                        "void launch_add_one(int *data, size_t count)"};
inline constexpr judge::Part kPipeline{"pipeline",
                                       "void launch_add_one_pipeline(int *data, size_t count)"};

// Bulk copies need addresses that are multiples of 16 bytes, and the labs promise no more than
// that. cudaMalloc gives multiples of 256, behind which a stricter assumption would hide.
enum class Alignment { kOfCudaMalloc, kOnly16Bytes };

struct Length {
  std::size_t ints;
  Alignment alignment = Alignment::kOfCudaMalloc;
};

inline std::string in_words(const Length& length) {
  return judge::counted(length.ints, "int") +
         (length.alignment == Alignment::kOnly16Bytes ? ", aligned to 16 bytes only" : "");
}

inline std::string test_name(const testing::TestParamInfo<Length>& info) {
  return judge::concat(info.param.ints,
                       info.param.alignment == Alignment::kOnly16Bytes ? "_aligned_to_16" : "");
}

class AddOne : public judge::CheckWith<Length> {
 protected:
  void examine_add_one(const judge::Part& part) {
    const Length length = GetParam();
    const std::size_t ints_by_tma = length.ints - length.ints % 4;  // in whole vectors
    const std::vector<std::int32_t> before = random().integers(length.ints);
    std::vector<std::int32_t> after = before;
    for (std::int32_t& value : after) ++value;

    const std::size_t misalignment = length.alignment == Alignment::kOnly16Bytes ? 16 : 0;
    examine({part,
             in_words(length),
             {judge::in_place("data", judge::tensor({length.ints}, before),
                              judge::tensor({length.ints}, after), misalignment),
              judge::integer(static_cast<std::int64_t>(length.ints))},
             ints_by_tma * sizeof(std::int32_t)});
  }
};

class OneTile : public AddOne {};
class AnyLength : public AddOne {};
class Pipeline : public AddOne {};

}  // namespace lab3
