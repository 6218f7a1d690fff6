#include "judge/verdict/findings.h"

#include <gtest/gtest.h>

#include <string>

#include "contract/findings/codes.h"
#include "tests/judge/finding_samples.h"

namespace {

using judge::Finding;
using judge::read_findings;
using tmaemu::FindingCode;

std::string message_of(const Finding& finding) {
  return finding.diagnostic.message;
}

TEST(Findings, AreNoneWhereThereAreNoLines) {
  EXPECT_TRUE(read_findings("", 0).empty());
}

TEST(Findings, ComeInTheirOrder) {
  const auto findings =
      read_findings(line_of(finding_of("trap")) + line_of(finding_of("missing-proxy-fence")), 2);
  ASSERT_EQ(findings.size(), 2U);
  EXPECT_EQ(findings[0].diagnostic.code, FindingCode::trap);
  EXPECT_EQ(findings[1].diagnostic.code, FindingCode::missing_proxy_fence);
}

TEST(Findings, AreCountedAsTheLinesSay) {
  const auto findings =
      read_findings(line_of(finding_of("trap")) + line_of(finding_of("missing-proxy-fence")) +
                        "{\"finding\":1,\"count\":98}\n",
                    2);
  EXPECT_EQ(findings.at(0).count, 1U);
  EXPECT_EQ(findings.at(1).count, 98U);
}

// A case launches a kernel twice.
TEST(Findings, AreOneWhereTheyAreTheSame) {
  const std::string line = line_of(finding_of("missing-proxy-fence"));
  const auto findings = read_findings(line + "{\"finding\":0,\"count\":98}\n" + line, 2);
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].count, 99U);
}

// The number of those that were announced or sent, and that nobody can read.
std::string lost(std::string_view lines, std::uint64_t announced) {
  const auto findings = read_findings(lines, announced);
  if (findings.empty() || findings.back().diagnostic.code != FindingCode::not_told) return "none";
  return message_of(findings.back());
}

TEST(Findings, AreNeverLost) {
  const std::string line = line_of(finding_of("trap"));
  EXPECT_EQ(lost(line, 1), "none");
  EXPECT_EQ(lost("", 1), "the emulator found 1 mistake that cannot be told");
  EXPECT_EQ(lost("", 3), "the emulator found 3 mistakes that cannot be told");
  EXPECT_EQ(lost(line, 3), "the emulator found 2 more mistakes that cannot be told");
  EXPECT_EQ(lost("nonsense\n" + line, 2), "the emulator found 1 more mistake that cannot be told");
  EXPECT_EQ(lost(line + line.substr(0, 40), 0),
            "the emulator found 1 more mistake that cannot be told");
}

// A process that died has announced nothing.
TEST(Findings, AreReadToTheLastLineOfAProcessThatDied) {
  const auto findings = read_findings(line_of(finding_of("trap")), 0);
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].diagnostic.code, FindingCode::trap);
}

TEST(Findings, AreNotCountedByALineThatNamesNone) {
  const std::string line = line_of(finding_of("trap"));
  for (const char* count : {"{\"finding\":1,\"count\":98}\n",
                            "{\"finding\":9007199254740992,"
                            "\"count\":98}\n"}) {
    EXPECT_EQ(read_findings(line + count, 1).at(0).count, 1U);
  }
  EXPECT_EQ(read_findings(line + "{\"finding\":0,\"count\":0}\n", 1).at(0).count, 1U);
}

TEST(Findings, KeepTheirNumbersBehindALineThatCannotBeRead) {
  const auto findings = read_findings(
      "nonsense\n" + line_of(finding_of("trap")) + "{\"finding\":1,\"count\":5}\n", 2);
  EXPECT_EQ(findings.at(0).count, 5U);
}

TEST(Findings, AreBriefForALog) {
  const auto findings = read_findings(line_of(finding_of("trap")), 2);
  EXPECT_EQ(judge::brief(findings.at(0)),
            "_Z4trapPi (PTX line 31): the kernel executed a trap instruction [trap]");
  EXPECT_EQ(judge::brief(findings.at(1)),
            "the emulator found 1 more mistake that cannot be told [not-told]");
}

}  // namespace
