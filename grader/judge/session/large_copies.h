// Copies of so many bfloat16 elements that no array has memory of its own. The parameter is their
// number.
#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>

#include "judge/session/check.h"
#include "judge/session/session.h"

namespace judge {

class LargeCopies : public LongCases<CheckWith<std::size_t>> {
 protected:
  // Such a copy takes seconds: where the part's case of that name, which is of the same group of
  // points, has lost them, this one is left out.
  void examine_copy_unless_lost(const Part& part, const std::string& other_case) {
    const auto verdict = verdict_of(part, other_case);
    if (verdict && *verdict != Verdict::pass) GTEST_SKIP();
    examine_copy(part, false);
  }
  // For a copy that is right at one size alone: where the part's case of that name, of fewer
  // elements, is right, it has said what there is to say, and this one is left out.
  void examine_copy_where_wrong(const Part& part, const std::string& other_case) {
    const auto verdict = verdict_of(part, other_case);
    const bool was_wrong = verdict && *verdict != Verdict::pass && *verdict != Verdict::hazard &&
                           *verdict != Verdict::missing;
    if (!was_wrong) GTEST_SKIP();
    examine_copy(part, true);
  }

 private:
  // Of the part's case of that name; nothing where it was not run.
  static std::optional<Verdict> verdict_of(const Part& part, const std::string& name) {
    const auto& cases = Session::current().report().cases;
    const auto found = std::ranges::find_if(cases, [&](const CaseResult& result) {
      return result.part == part.id && result.name == name;
    });
    return found == cases.end() ? std::nullopt : std::optional(found->outcome.verdict);
  }
  void examine_copy(const Part& part, bool says_which_way) {
    if (!wants(part)) GTEST_SKIP();
    RepeatedCopy copy = repeated_elements(random(), part, GetParam());
    copy.says_which_way = says_which_way;
    examine(copy);
  }
};

}  // namespace judge
