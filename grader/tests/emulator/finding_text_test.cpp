// How findings are told. tests/findings/diagnostics.jsonl has every form, and the grader's words are held
// to it, too (tests/python/test_findings.py).
#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>
#include <string>
#include <vector>

#include "common/json_text.h"
#include "emulator/rendering/json_line.h"
#include "emulator/rendering/terminal_text.h"
#include "tests/emulator/diagnostic_samples.h"

namespace tmaemu {
namespace {

namespace json = common::json;
using testing::ToldSample;

std::string text_of_sample(const ToldSample& sample, Colors colors) {
  std::string text = terminal_text(sample.finding, colors);
  if (sample.count > 1) text += terminal_count(sample.finding, sample.count, colors);
  return text;
}

std::string record(const ToldSample& sample) {
  return json::object({{"name", json::quoted(sample.name)},
                       {"count", std::to_string(sample.count)},
                       {"text", json::quoted(text_of_sample(sample, Colors::none))},
                       {"json", json_line(sample.finding)}});
}

TEST(ToldFinding, IsToldAsTheRecordSays) {
  std::ifstream file(GRADER_FOLDER "/tests/findings/diagnostics.jsonl");
  const std::vector<ToldSample> samples = testing::told_samples();
  std::size_t lines = 0;
  for (std::string line; std::getline(file, line); ++lines) {
    ASSERT_LT(lines, samples.size());
    EXPECT_EQ(line, record(samples[lines])) << "told.jsonl, line " << lines + 1;
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

TEST(ToldFinding, HasTheSameWordsInColors) {
  for (const ToldSample& sample : testing::told_samples()) {
    const std::string colored = text_of_sample(sample, Colors::ansi);
    EXPECT_NE(colored.find("\033[1;31merror: \033[0m"), std::string::npos) << colored;
    EXPECT_EQ(without_colors(colored), text_of_sample(sample, Colors::none));
  }
}

TEST(ToldFinding, HasNoColorsWhereStandardErrorIsNoTerminal) {
  if (isatty(STDERR_FILENO) == 1) GTEST_SKIP() << "standard error is a terminal";
  EXPECT_EQ(colors_of_standard_error(), Colors::none);
}

TEST(ToldFinding, SaysHowOftenItWasFoundByItsNumber) {
  EXPECT_EQ(json_count_line(3, 98), R"({"finding":3,"count":98})");
}

}  // namespace
}  // namespace tmaemu
