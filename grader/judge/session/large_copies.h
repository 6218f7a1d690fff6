// Copies of so many bfloat16 elements that no array has memory of its own. The parameter is their
// number.
#pragma once

#include <cstddef>
#include <string>

#include "judge/session/check.h"

namespace judge {

class LargeCopies : public LongCases<CheckWith<std::size_t>> {
 protected:
  void examine_copy(const Part& part) { examine_copy(part, false); }
  // For a copy that is right at one size alone: where the part's case of that name, of fewer
  // elements, is right, it has said what there is to say, and this one is left out.
  void examine_copy_where_wrong(const Part& part, const std::string& other_case) {
    if (!was_wrong(part, other_case)) GTEST_SKIP();
    examine_copy(part, true);
  }

 private:
  void examine_copy(const Part& part, bool says_which_way) {
    if (!wants(part)) GTEST_SKIP();
    RepeatedCopy copy = repeated_elements(random(), part, GetParam());
    copy.says_which_way = says_which_way;
    examine(copy);
  }
};

}  // namespace judge
