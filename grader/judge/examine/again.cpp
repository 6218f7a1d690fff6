#include "judge/examine/again.h"

#include <utility>

#include "common/text.h"

namespace judge {

using common::concat;
using common::counted;

namespace {

constexpr std::uint64_t most_bytes = std::uint64_t{1} << 20;

bool is_short(const CallCase& test) {
  const std::uint64_t bytes = input_bytes(test) + output_bytes(test);
  return bytes > 0 && bytes <= most_bytes;
}

Outcome told_of(Outcome again, const CallCase& test, const char* when) {
  again.message = concat("called again with ", test.name, when, ": ", again.message);
  return again;
}

}  // namespace

common::Result<Outcome> Again::call(const CallCase& test, const char* when, Outcome outcome) {
  auto again = examiner_.examine(test);
  if (!again) return again.error();
  return again->verdict == Verdict::pass ? outcome : told_of(std::move(*again), test, when);
}

common::Result<Outcome> Again::twice(const CallCase& test, Outcome outcome) {
  auto in_use = outcome.memory_in_use;
  std::uint64_t left = 0;
  // What grows a second time was not made ready once and for all, nor in turns.
  for (int calls = 0; calls < 2; ++calls) {
    auto again = examiner_.examine(test);
    if (!again) return again.error();
    if (again->verdict != Verdict::pass) return told_of(std::move(*again), test, "");
    const auto before = std::exchange(in_use, again->memory_in_use);
    if (!before || !in_use || *in_use <= *before) return outcome;
    left = *in_use - *before;
  }
  outcome.verdict = Verdict::hazard;
  outcome.message =
      concat("called again with ", test.name, ": the result is right, but each call leaves ",
             counted(left, "byte"),
             " of device memory allocated: free what a launcher allocates, or keep it "
             "for the next call");
  return outcome;
}

common::Result<Outcome> Again::in_place(const CallCase& test, Outcome outcome) {
  auto again = examiner_.examine_twice_in_place(test);
  if (!again) return again.error();
  return again->verdict == Verdict::pass ? outcome
                                         : told_of(std::move(*again), test, " and the same arrays");
}

common::Result<Outcome> Again::after(const CallCase& test, Outcome outcome) {
  const auto found = known_.find(test.part.id);
  if (found == known_.end()) {
    if (!is_short(test)) return outcome;
    known_.emplace(test.part.id, Known{test});
    auto again = twice(test, std::move(outcome));
    if (!again || again->verdict != Verdict::pass) return again;
    return in_place(test, std::move(*again));
  }
  if (std::exchange(found->second.is_done, true)) return outcome;
  return call(found->second.test, concat(", after ", test.name).c_str(), std::move(outcome));
}

}  // namespace judge
