#include "judge/findings.h"

#include <gtest/gtest.h>

namespace {

using judge::parse_findings;

constexpr const char* kTwoFindings =
    "my own output: error: none [Of Yours]\n"
    "lab3.cu:41:5: error: TMA store reads what no fence made visible [missing-proxy-fence]\n"
    "   41 |   store(data, tile);\n"
    "lab3.cu:38:5: note: written here\n"
    "  help: call async_proxy_fence() after line 38\n"
    "  help: or a barrier\n"
    "lab3.cu:50:1: warning: slow [bank-conflict]\n"
    "lab3.cu:52:3: error: tile overwritten too early [missing-group-wait]\n";

TEST(Findings, AreNoneInOrdinaryOutput) {
  EXPECT_TRUE(parse_findings("PASSED\n").empty());
}

TEST(Findings, AreTheErrorsInOrder) {
  const auto findings = parse_findings(kTwoFindings);
  ASSERT_EQ(findings.size(), 2U);
  EXPECT_EQ(findings[0].code, "missing-proxy-fence");
  EXPECT_EQ(findings[1].code, "missing-group-wait");
}

TEST(Findings, HaveTheFirstHelpThatFollowsThem) {
  EXPECT_EQ(parse_findings(kTwoFindings)[0].help, "help: call async_proxy_fence() after line 38");
}

TEST(Findings, TakeNoHelpFromAnother) {
  EXPECT_EQ(parse_findings(kTwoFindings)[1].help, "");
}

TEST(Findings, AreSummedUpByTheFirst) {
  EXPECT_EQ(judge::summary(parse_findings(kTwoFindings)),
            "lab3.cu:41:5: error: TMA store reads what no fence made visible "
            "[missing-proxy-fence]\n"
            "help: call async_proxy_fence() after line 38\n"
            "(and 1 more)");
}

TEST(Findings, MayTakeSeveralLines) {
  const auto findings = parse_findings(
      "lab3.cu:43:3: error: nothing can run any more: all threads wait\n"
      "  lab3.cu:43:3: 128 threads, waiting for the phase of parity 1 [deadlock]\n"
      "   43 |   wait(&bar, 1);\n");
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].message,
            "lab3.cu:43:3: error: nothing can run any more: all threads wait\n"
            "  lab3.cu:43:3: 128 threads, waiting for the phase of parity 1 [deadlock]");
}

TEST(Findings, TakeNoCodeFromTheSourceExcerpt) {
  EXPECT_TRUE(parse_findings("my own error: 5\n   43 |   tile[i]\n   [i]\n").empty());
}

TEST(Findings, SurviveALastLineThatIsCutOff) {
  EXPECT_TRUE(parse_findings("lab3.cu:41:5: error: TMA sto").empty());
}

}  // namespace
