#include "judge/report.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/judge/finding_samples.h"

namespace {

using judge::Report;
using judge::Verdict;
using nlohmann::json;

Report report() {
  Report made;
  made.device.name = "NVIDIA H200";
  made.device.sm = 90;
  made.seed = 0xFFFFFFFFFFFFFFFF;
  made.cases.push_back({"one-tile", "1024 ints", {Verdict::fail, "1 of 2 is wrong"}, 0.5});
  return made;
}

TEST(Report, HasTheCasesInTheDocumentedForm) {
  EXPECT_EQ(json::parse(to_json(report())), json::parse(R"({"schema": 5,
                            "device": {"name": "NVIDIA H200", "sm": 90},
                            "seed": "18446744073709551615",
                            "cases": [{"part": "one-tile", "case": "1024 ints", "verdict": "fail",
                                       "message": "1 of 2 is wrong", "findings": [], "bypasses_tma": false,
                                       "seconds": 0.5}], "ways": {}})"));
}

TEST(Report, HasTheFindingsWholeWithTheirTextAndTheirNumber) {
  Report made = report();
  const std::string sent = line_of(finding_of("missing-proxy-fence"));
  made.cases[0].outcome.findings = judge::read_findings(sent + "{\"finding\":0,\"count\":98}\n", 1);
  EXPECT_EQ(json::parse(to_json(made))["cases"][0]["findings"],
            json::array({finding_of("missing-proxy-fence", "finding")}));
}

TEST(Report, HasTheCasesThatAHungPartKeptFromRunning) {
  Report made = report();
  EXPECT_FALSE(json::parse(to_json(made)).contains("not_run"));
  made.not_run = {{"pipeline", "3 ints"}, {"pipeline", "8192 ints"}};
  EXPECT_EQ(json::parse(to_json(made))["not_run"],
            json::parse(R"([{"part": "pipeline", "case": "3 ints"},
                            {"part": "pipeline", "case": "8192 ints"}])"));
}

TEST(Report, HasWhatACasePrinted) {
  Report made = report();
  EXPECT_FALSE(json::parse(to_json(made))["cases"][0].contains("printed"));
  made.cases[0].outcome.printed = "i = 3\n";
  EXPECT_EQ(json::parse(to_json(made))["cases"][0]["printed"], "i = 3\n");
}

TEST(Printed, HasABeginning) {
  EXPECT_EQ(judge::beginning_of("one\ntwo\n"), "one\ntwo\n");
  EXPECT_EQ(judge::beginning_of("one"), "one");
}

TEST(Printed, IsCutBehindItsFirstLines) {
  std::string many;
  for (int i = 0; i < 21; ++i) many += "x\n";
  EXPECT_EQ(judge::beginning_of(many), many.substr(0, 40) + "...\n");
}

TEST(Printed, IsCutWhereALineHasNoEnd) {
  EXPECT_LT(judge::beginning_of(std::string(100'000, 'x')).size(), 4100u);
}

TEST(Report, HasTheFractionOfTheRoofline) {
  Report made = report();
  made.bandwidth = {"pipeline", {}, 1000, 3000.0, 4000.0, {2999.0, 3000.0}, 0.005, 1e-5, 2e-4};
  EXPECT_EQ(json::parse(to_json(made))["bandwidth"],
            json::parse(R"({"part": "pipeline", "verdict": "pass", "message": "", "bytes": 1000,
                            "gb_per_s": 3000.0, "roofline_gb_per_s": 4000.0, "fraction": 0.75,
                            "rounds_gb_per_s": [2999.0, 3000.0], "protocol_overhead_fraction": 0.005,
                            "protocol_seconds": 1e-5, "settling_seconds": 2e-4})"));
}

TEST(Report, HasNoFigureThatWasNotMeasured) {
  Report made = report();
  made.bandwidth = {"pipeline", {Verdict::crash, "died"}, 1000, {}, 4000.0, {}, {}, 0, 0};
  EXPECT_TRUE(json::parse(to_json(made))["bandwidth"]["gb_per_s"].is_null());
  EXPECT_TRUE(json::parse(to_json(made))["bandwidth"]["fraction"].is_null());
}

TEST(Report, IsValidJsonWhateverASubmissionPrints) {
  Report made = report();
  made.cases[0].outcome.message = "\xFF\xFE \"quoted\"\n\x01";
  EXPECT_TRUE(json::accept(to_json(made)));
}

TEST(Report, KnowsANameForEveryVerdict) {
  using enum Verdict;
  std::string names;
  for (const Verdict v : {pass, fail, crash, timeout, missing, cheated, hazard}) {
    names += std::string(judge::name(v)) + " ";
  }
  EXPECT_EQ(names, "pass fail crash timeout missing cheated hazard ");
}

TEST(Report, KeepsTheBeginningOfAMessageThatHasNoEnd) {
  const auto kept = judge::bounded({Verdict::crash, std::string(1 << 20, 'x')});
  EXPECT_LT(kept.message.size(), judge::longest_message + 100);
  EXPECT_TRUE(kept.message.ends_with(" more bytes)"));
  EXPECT_EQ(judge::bounded({Verdict::fail, "short"}).message, "short");
}

}  // namespace
