#include "judge/session/long_case.h"

#include <algorithm>

#include "judge/report/launches.h"

namespace judge {

namespace {

double bytes_per_cta(const Outcome& outcome) {
  const std::uint64_t bytes = outcome.way->input_bytes + outcome.way->output_bytes;
  return static_cast<double>(bytes) / static_cast<double>(outcome.launched->ctas);
}

bool has_launched(const Outcome& outcome) {
  return outcome.way && outcome.launched && outcome.launched->ctas > 0;
}

}  // namespace

bool is_shown_by_shorter_case(const Outcome& long_case, std::string_view part,
                              const std::vector<CaseResult>& before) {
  if (!has_launched(long_case)) return false;
  return std::ranges::any_of(before, [&](const CaseResult& result) {
    return result.part == part && has_launched(result.outcome) &&
           launched_alike(*result.outcome.launched, *long_case.launched) &&
           bytes_per_cta(result.outcome) >= bytes_per_cta(long_case);
  });
}

common::Result<Outcome> examine_long_case(const CallCase& test, Session& session) {
  const std::string_view part = test.part.id;
  const Report& before = session.report();
  if (auto known = session.examiner().outcome_without_run(test.part.id)) return *std::move(known);
  if (!before.has_case(part)) return session.examiner().examine(test);
  auto outcome = session.unchecked_examiner().examine(test);
  if (!outcome) return outcome;
  // A deadlock is found at once, and has an explanation.
  if (outcome->verdict == Verdict::timeout && outcome->findings.empty()) return outcome;
  // What is wrong needs an explanation, unless a shorter case has one.
  const bool says_nothing_new = outcome->verdict == Verdict::pass
                                    ? is_shown_by_shorter_case(*outcome, part, before.cases)
                                    : before.has_case(part, outcome->verdict);
  return says_nothing_new ? outcome : session.examiner().examine(test);
}

}  // namespace judge
