#include "judge/report/verdict_listener.h"

#include <cstdio>
#include <fstream>

#include "common/text.h"
#include "judge/report/launches.h"

namespace judge {

using common::concat;

namespace {

void print_line(const std::string& part, const std::string& name_of_case, const Outcome& outcome) {
  std::string line = concat(name(outcome.verdict), "\t", part, "\t", name_of_case);
  if (!outcome.message.empty()) line += concat("\t", outcome.message);
  std::printf("%s\n", line.c_str());
  for (const Finding& finding : outcome.findings) std::printf("\t%s\n", brief(finding).c_str());
  std::fflush(stdout);
}

}  // namespace

void VerdictListener::OnTestStart(const testing::TestInfo&) {
  results_before_ = results();
  cases_before_ = report_.cases.size();
  faults_before_ = report_.faults.size();
}

void VerdictListener::OnTestEnd(const testing::TestInfo& test) {
  if (test.result()->Skipped() || report_.faults.size() > faults_before_) return;
  if (results() == results_before_ + 1) {
    if (report_.cases.size() == cases_before_ && !report_.bandwidth) return;  // a rehearsal
    if (report_.cases.size() == cases_before_) {
      print_line(report_.bandwidth->part, "bandwidth", report_.bandwidth->outcome);
    } else {
      const CaseResult& result = report_.cases.back();
      print_line(result.part, result.name, result.outcome);
    }
    return;
  }
  // The check itself is broken: it threw, or it examined nothing or several cases.
  std::string fault = concat("the check ", test.test_suite_name(), '.', test.name(), " came to ",
                             results() - results_before_, " verdicts");
  for (int i = 0; i < test.result()->total_part_count(); ++i) {
    fault += concat(": ", test.result()->GetTestPartResult(i).message());
  }
  report_.faults.push_back(fault);
}

void VerdictListener::judge_rehearsal() {
  if (!report_.rehearsal) return;
  auto& [part, outcome] = *report_.rehearsal;
  if (outcome.launched) outcome = bounded(compared(*outcome.launched, part, report_.cases));
  print_line(part, "at the timed size", outcome);
}

void VerdictListener::OnTestProgramEnd(const testing::UnitTest&) {
  if (!report_.faults.empty()) return;
  if (results() == 0) {
    std::string fault = "no test was selected: has the lab the part that --filter names?";
    if (!report_.passed_over.empty()) {
      fault = "there is no such case; there are: ";
      for (const std::string& name : report_.passed_over) {
        fault += concat(&name == &report_.passed_over.front() ? "" : "; ", name);
      }
    }
    report_.faults.push_back(fault);
    return;
  }
  judge_rehearsal();
  std::ofstream file(output_);
  file << to_json(report_) << std::flush;
  if (!file) report_.faults.push_back("cannot write " + output_);
}

}  // namespace judge
