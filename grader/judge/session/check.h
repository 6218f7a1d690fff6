// The fixture of the tests in grader/checks. A test describes one CallCase and hands it to
// examine(); the rest (poison, red zones, runner, comparison, verdict) is the judge's.
//
// Names of test suites are unique among all labs.
//
// The tests of lab3-bulk-copy are those with the prefix "lab3_bulk_copy" in
// INSTANTIATE_TEST_SUITE_P, and those without parameters in the suite of that name. Its bandwidth
// test is in the suite "lab3_bulk_copy_bandwidth".
#pragma once

#include <gtest/gtest.h>

#include <chrono>
#include <string>
#include <vector>

#include "common/result.h"
#include "common/text.h"
#include "judge/arrays/random.h"
#include "judge/cases/bandwidth_case.h"
#include "judge/cases/call_case.h"
#include "judge/cases/repeated_copy.h"
#include "judge/verdict/verdict.h"

namespace judge {

class Check : public testing::Test {
 protected:
  Check();

  // This case's own numbers.
  Random& random() { return random_; }

  // Whether the part's cases are judged at all: asked before inputs are made, which takes longer
  // than many a case.
  static bool wants(const Part& part);

  // Whether cases of long arrays are judged, too: asked before inputs are made. They are for
  // launchers that do not ask how many SMs the GPU has, so that `few_sms` shows nothing of theirs.
  static bool wants_long_cases();
  // The cases of this test are such cases (session/long_case.h).
  void expect_long_cases() { are_long_ = true; }

  // Runs the case and records its verdict; anything but a pass fails the test.
  void examine(const CallCase& test);
  // The same with arrays that are larger than memory: on the emulator alone, by the run that has
  // long cases.
  void examine(const RepeatedCopy& test);

  // Measures the bandwidth of a part and records it. On the emulator, where time says nothing, the
  // launcher is only asked what it would launch, by the run that has long cases.
  void measure(const BandwidthCase& test);

 private:
  void rehearse(const BandwidthCase& test);
  void record(const Part& part, const std::string& name, const common::Result<Outcome>& outcome,
              std::chrono::steady_clock::time_point begin);

  Random random_;
  bool are_long_ = false;
};

template <class Parameter>
class CheckWith : public Check, public testing::WithParamInterface<Parameter> {};

// `Cases` that are judged under the first timing policy only: their arrays are so long that they
// take more than an instant.
template <class Cases>
class LongCases : public Cases {
  void SetUp() override {
    if (!Cases::wants_long_cases()) GTEST_SKIP();
    Cases::expect_long_cases();
  }
};

}  // namespace judge
