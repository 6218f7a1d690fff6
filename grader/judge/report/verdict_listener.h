// Takes the place of GoogleTest's printer: one line a case, and at the end the verdicts as JSON.
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "judge/report/report.h"

namespace judge {

class VerdictListener : public testing::EmptyTestEventListener {
 public:
  VerdictListener(Report& report, std::string output)
      : report_(report), output_(std::move(output)) {}

  void OnTestStart(const testing::TestInfo&) override;
  void OnTestEnd(const testing::TestInfo& test) override;
  void OnTestProgramEnd(const testing::UnitTest&) override;

 private:
  // What the rehearsed call launched can be judged only when all cases are.
  void judge_rehearsal();

  std::size_t results() const {
    return report_.cases.size() + report_.bandwidth.has_value() + report_.rehearsal.has_value();
  }

  Report& report_;
  std::string output_;
  std::size_t results_before_ = 0;
  std::size_t cases_before_ = 0;
  std::size_t faults_before_ = 0;
};

}  // namespace judge
