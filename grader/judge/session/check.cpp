#include "judge/session/check.h"

#include <chrono>
#include <utility>

#include "judge/examine/repeated_copy_exam.h"
#include "judge/session/long_case.h"
#include "judge/session/session.h"
#include "judge/time/bandwidth.h"
#include "judge/time/rehearsal.h"

namespace judge {

using common::concat;

namespace {

std::string name_of_running_test() {
  const testing::TestInfo& test = *testing::UnitTest::GetInstance()->current_test_info();
  return concat(test.test_suite_name(), '.', test.name());
}

// A right copy of 2 GiB takes a few seconds of a processor.
constexpr std::chrono::seconds shortest_limit{10};

}  // namespace

Check::Check()
    : random_(derive_seed(Session::current().options().seed, name_of_running_test()),
              Session::current().options().data) {}

bool Check::wants(const Part& part) {
  Session& session = Session::current();
  return session.wants(part.id) &&                 // --filter asks for no other part
         runs_on(session.device().facts(), part);  // or tmagrade asks the emulator
}

bool Check::wants_long_cases() {
  return !Session::current().options().short_cases;
}

void Check::examine(const CallCase& test) {
  Session& session = Session::current();
  if (!wants(test.part)) GTEST_SKIP();
  // --case asks for another one, or --leave-out names it.
  if (!session.wants_case(test.part.id, test.name)) GTEST_SKIP();
  const bool only_emulated =
      !test.attributes.empty() || test.turned_signs.products != tmaemu::TurnedProducts::none;
  // A GPU cannot pretend to be another one.
  if (only_emulated && !session.device().facts().emulated) GTEST_SKIP();

  const auto begin = std::chrono::steady_clock::now();
  const bool checks_apart = are_long_ && session.device().facts().emulated;
  auto outcome = checks_apart ? examine_long_case(test, session) : session.examiner().examine(test);
  if (outcome && outcome->verdict == Verdict::pass) {
    outcome = session.again().after(test, std::move(*outcome));
  }
  record(test.part, test.name, outcome, begin);
}

void Check::examine(const RepeatedCopy& test) {
  Session& session = Session::current();
  if (!wants(test.part) || !session.wants_case(test.part.id, test.name)) GTEST_SKIP();
  // Only the emulator gives out memory again and again.
  if (!session.device().facts().emulated || !wants_long_cases()) GTEST_SKIP();
  // Who waits for the answer does not wait for that.
  if (session.runners().limit() < shortest_limit) GTEST_SKIP();
  const auto begin = std::chrono::steady_clock::now();
  // Whoever hangs elsewhere is not spared this case: its group of points has it.
  if (auto known = session.examiner().outcome_without_run(test.part.id)) {
    return record(test.part, test.name, *std::move(known), begin);
  }
  auto outcome = judge::examine(test, session.device(), session.runners());
  // Nor has who is too slow a verdict: a right copy in small tiles takes as long.
  if (outcome && outcome->verdict == Verdict::timeout) GTEST_SKIP();
  if (outcome && !test.says_which_way) outcome->way.reset();
  record(test.part, test.name, outcome, begin);
}

void Check::record(const Part& part, const std::string& name,
                   const common::Result<Outcome>& outcome,
                   std::chrono::steady_clock::time_point begin) {
  Session& session = Session::current();
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
  if (!outcome) {
    session.report().faults.push_back(outcome.error().message);
    FAIL() << "grader fault: " << outcome.error().message;
  }
  Outcome kept = bounded(*outcome);
  // Who tries a part or a case reads it; of all of a lab's it would be too much.
  const bool is_shown = !session.options().only_case.empty() || !session.options().filter.empty();
  kept.printed = is_shown ? beginning_of(kept.printed) : std::string();
  session.report().cases.push_back({part.id, name, kept, seconds.count()});
  if (kept.way) session.report().ways[part.id] += *kept.way;
  if (kept.verdict != Verdict::pass)
    ADD_FAILURE() << judge::name(kept.verdict) << ": " << kept.message;
}

void Check::measure(const BandwidthCase& test) {
  Session& session = Session::current();
  if (!session.wants(test.part.id)) GTEST_SKIP();  // --filter asks for another part

  if (session.device().facts().emulated) {
    // What is launched at that size may have been judged in a case of a long array only.
    if (!wants_long_cases()) GTEST_SKIP();
    // Of a part that is not right nothing is timed: another call that does not end is not waited
    // for.
    if (session.report().has_hung(test.part.id)) GTEST_SKIP();
    return rehearse(test);
  }
  const std::string& library = session.options().product_library;
  if (test.product && library.empty()) GTEST_SKIP();  // nothing to hold it against
  auto measured = measure_bandwidth(test, library, session.device(), session.runners());
  if (!measured) {
    session.report().faults.push_back(measured.error().message);
    FAIL() << "grader fault: " << measured.error().message;
  }
  const Outcome outcome = measured->outcome = bounded(measured->outcome);
  session.report().bandwidth = std::move(measured).value();
  if (outcome.verdict != Verdict::pass) {
    ADD_FAILURE() << name(outcome.verdict) << ": " << outcome.message;
  }
}

void Check::rehearse(const BandwidthCase& test) {
  Session& session = Session::current();
  auto outcome = judge::rehearse(test, session.device(), session.runners());
  if (!outcome) {
    session.report().faults.push_back(outcome.error().message);
    FAIL() << "grader fault: " << outcome.error().message;
  }
  session.report().rehearsal = {test.part.id, bounded(std::move(*outcome))};
}

}  // namespace judge
