// What a case of lab3-bulk-copy is: every element of an array of ints becomes one more. The cases
// themselves are in checks.cpp, which students have too, and in grader_checks.cpp.
#pragma once

#include <string>
#include <vector>

#include "judge/arrays/lengths.h"
#include "judge/cases/parts.h"
#include "judge/session/check.h"

namespace lab3 {

namespace parts {
#include "checks/lab3-bulk-copy/parts.def"
}

// Bulk copies need addresses that are multiples of 16 bytes, and the labs promise no more than
// that. cudaMalloc gives multiples of 256, behind which a stricter assumption would hide.
enum class Alignment { of_cuda_malloc, only_16_bytes };

struct Length {
  std::size_t ints;
  Alignment alignment = Alignment::of_cuda_malloc;
};

inline std::string in_words(const Length& length) {
  return common::counted(length.ints, "int") +
         (length.alignment == Alignment::only_16_bytes ? ", aligned to 16 bytes only" : "");
}

inline std::string test_name(const testing::TestParamInfo<Length>& info) {
  return common::concat(info.param.ints,
                        info.param.alignment == Alignment::only_16_bytes ? "_aligned_to_16" : "");
}

class AddOne : public judge::CheckWith<Length> {
 protected:
  void examine_add_one(const judge::Part& part,
                       const std::vector<protocol::Attribute>& attributes = {}) {
    if (!wants(part)) GTEST_SKIP();
    const Length length = GetParam();
    const std::size_t ints_by_tma = length.ints - length.ints % 4;  // in whole vectors
    const std::vector<std::int32_t> before = random().integers(length.ints);
    std::vector<std::int32_t> after = before;
    for (std::int32_t& value : after) ++value;

    const std::size_t misalignment = length.alignment == Alignment::only_16_bytes ? 16 : 0;
    examine({part, in_words(length) + judge::on(attributes),
             judge::arguments(judge::in_place("data", judge::tensor({length.ints}, before),
                                              judge::tensor({length.ints}, after), misalignment),
                              judge::integer(static_cast<std::int64_t>(length.ints))),
             ints_by_tma * sizeof(std::int32_t), attributes});
  }
};

class OneTile : public AddOne {};
class AnyLength : public AddOne {};
class Pipeline : public AddOne {};

}  // namespace lab3
