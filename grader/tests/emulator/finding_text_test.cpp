// How diagnostics are shown. tests/findings/diagnostics.jsonl has every form; the judge's reader
// and what Python prints are held to it, too (tests/python/test_findings.py).
#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>
#include <string>
#include <vector>

#include "common/json_text.h"
#include "contract/findings/codes.h"
#include "contract/rendering/json_line.h"
#include "contract/rendering/styled_text.h"
#include "contract/rendering/terminal_text.h"
#include "tests/emulator/diagnostic_samples.h"

namespace tmaemu {
namespace {

namespace json = common::json;
using testing::DiagnosticSample;

std::string text_of_sample(const DiagnosticSample& sample, Colors colors) {
  StyledText text = rendered(sample.diagnostic);
  if (sample.count > 1) text.push_back(rendered_count(sample.diagnostic, sample.count));
  return terminal_text(text, colors);
}

std::string line_of(const DiagnosticSample& sample) {
  return json::object({{"name", json::quoted(sample.name)},
                       {"text", json::quoted(text_of_sample(sample, Colors::none))},
                       {"sent", json_line(sample.diagnostic)},
                       {"finding", json_line_with_text(sample.diagnostic, sample.count)}});
}

TEST(DiagnosticText, IsAsTheFileOfAllFormsSays) {
  std::ifstream file(GRADER_FOLDER "/tests/findings/diagnostics.jsonl");
  const std::vector<DiagnosticSample> samples = testing::diagnostic_samples();
  std::size_t lines = 0;
  for (std::string line; std::getline(file, line); ++lines) {
    ASSERT_LT(lines, samples.size());
    EXPECT_EQ(line, line_of(samples[lines])) << "diagnostics.jsonl, line " << lines + 1;
  }
  EXPECT_EQ(lines, samples.size());
}

// The text without its escape sequences.
std::string without_colors(const std::string& text) {
  std::string plain;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '\033') {
      plain += text[i];
    } else {
      i = text.find('m', i);
    }
  }
  return plain;
}

TEST(DiagnosticText, HasTheSameWordsInColors) {
  for (const DiagnosticSample& sample : testing::diagnostic_samples()) {
    const std::string colored = text_of_sample(sample, Colors::ansi);
    EXPECT_NE(colored, without_colors(colored));
    EXPECT_EQ(without_colors(colored), text_of_sample(sample, Colors::none));
  }
}

TEST(DiagnosticText, IsAnErrorInRedOrARemarkAsAWarning) {
  const auto colored = [](const DiagnosticSample& sample) {
    return text_of_sample(sample, Colors::ansi);
  };
  EXPECT_NE(colored(testing::load_over_store()).find("\033[1;31merror: \033[0m"),
            std::string::npos);
  EXPECT_NE(colored(testing::remark()).find("\033[1;35mwarning: \033[0m"), std::string::npos);
}

TEST(DiagnosticText, HasThePathOfItsPageBehindTheWayToTheRepository) {
  const StyledText text = rendered(testing::diagnostic_samples().front().diagnostic);
  EXPECT_NE(terminal_text(text, Colors::none, "../").find("read: ../handout/findings/"),
            std::string::npos);
}

TEST(DiagnosticText, HasNoColorsWhereStandardErrorIsNoTerminal) {
  if (isatty(STDERR_FILENO) == 1) GTEST_SKIP() << "standard error is a terminal";
  EXPECT_EQ(colors_of_standard_error(), Colors::none);
}

TEST(DiagnosticText, HasNoPlaceWhereOnlyTheNumberOfFindingsIsKnown) {
  const Diagnostic diagnostic{.code = FindingCode::not_told,
                              .message = "the emulator found 3 mistakes that cannot be told",
                              .help = "mend what is told, and test again"};
  EXPECT_EQ(terminal_text(rendered(diagnostic), Colors::none),
            "error: the emulator found 3 mistakes that cannot be told [not-told]\n"
            "help: mend what is told, and test again\n"
            "read: handout/findings/not-told.md\n");
}

TEST(DiagnosticText, SaysHowOftenItWasFoundByItsNumber) {
  EXPECT_EQ(json_count_line(3, 98), R"({"finding":3,"count":98})");
}

}  // namespace
}  // namespace tmaemu
