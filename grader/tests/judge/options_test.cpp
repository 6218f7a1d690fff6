#include "judge/session/options.h"

#include <gtest/gtest.h>

#include <vector>

namespace {

using judge::Options;

common::Result<Options> parse(std::vector<std::string> words) {
  words.insert(words.begin(), "lab3-bulk-copy");
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  return judge::parse_options(static_cast<int>(words.size()), arguments.data());
}

std::vector<std::string> with_required(std::vector<std::string> more = {}) {
  std::vector<std::string> words{"--submission", "s.so", "--output", "v.json"};
  words.insert(words.end(), more.begin(), more.end());
  words.insert(words.end(), {"--", "runner", "s.so"});
  return words;
}

TEST(Options, TakeFractionsOfASecond) {
  const auto options = parse(with_required({"--timeout-seconds", "0.25"}));
  ASSERT_TRUE(options.ok());
  EXPECT_EQ(options->timeout, std::chrono::milliseconds(250));
}

TEST(Options, RefuseATimeoutOfZero) {
  EXPECT_FALSE(parse(with_required({"--timeout-seconds", "0"})).ok());
}

TEST(Options, RefuseASeedThatIsNoNumber) {
  EXPECT_FALSE(parse(with_required({"--seed", "12x"})).ok());
}

TEST(Options, NameTheOneThatIsMissing) {
  const auto options = parse({"--submission", "s.so", "--", "runner"});
  ASSERT_FALSE(options.ok());
  EXPECT_EQ(options.error().message, "--output is missing; see --help");
}

TEST(Options, LeaveOutLongCasesWhereAsked) {
  EXPECT_FALSE(parse(with_required())->short_cases);
  EXPECT_TRUE(parse(with_required({"--short-cases"}))->short_cases);
}

TEST(Options, LeaveOutTheCasesThatAreNamed) {
  const auto options =
      parse(with_required({"--leave-out", "load/0 ints", "--leave-out", "load/9"}));
  ASSERT_TRUE(options.ok());
  EXPECT_EQ(options->left_out, (std::set<std::string, std::less<>>{"load/0 ints", "load/9"}));
}

TEST(Options, SayWhereTheLibraryOfProductsIs) {
  EXPECT_EQ(parse(with_required())->product_library, "");
  const auto options = parse(with_required({"--product-library", "libcublasLt.so"}));
  ASSERT_TRUE(options.ok());
  EXPECT_EQ(options->product_library, "libcublasLt.so");
}

TEST(Options, LeaveTheRunnersCommandAsItIs) {
  auto words = with_required();
  words.insert(words.end(), {"--bandwidth", "--", "two words"});
  const auto options = parse(words);
  ASSERT_TRUE(options.ok());
  const std::vector<std::string> command{"runner", "s.so", "--bandwidth", "--", "two words"};
  EXPECT_EQ(options->runner, command);
  EXPECT_FALSE(options->bandwidth);
}

TEST(Options, AskForTheRunnersCommand) {
  const auto options = parse({"--submission", "s.so", "--output", "v.json"});
  ASSERT_FALSE(options.ok());
  EXPECT_NE(options.error().message.find("-- COMMAND is missing"), std::string::npos);
}

TEST(Options, DrawAnotherSeedEachTimeUnlessOneIsGiven) {
  EXPECT_NE(parse(with_required())->seed, parse(with_required())->seed);
  EXPECT_EQ(parse(with_required({"--seed", "7"}))->seed, 7u);
}

TEST(Options, RefuseAWordBeforeTheRunnersCommand) {
  EXPECT_FALSE(parse(with_required({"lab3"})).ok());
}

TEST(Options, TakeOneCaseByItsName) {
  EXPECT_EQ(parse(with_required({"--case", "1024 ints"}))->only_case, "1024 ints");
}

TEST(Options, TakeData) {
  EXPECT_EQ(parse(with_required({"--data", "index"}))->data, judge::InputData::index);
}

TEST(Options, RefuseDataThatTheyDoNotKnow) {
  const auto options = parse(with_required({"--data", "noise"}));
  ASSERT_FALSE(options.ok());
  EXPECT_EQ(options.error().message, "--data is random, index or ones, not noise");
}

TEST(Options, RefuseWhatTheyDoNotKnow) {
  const auto options = parse(with_required({"--bandwith"}));
  ASSERT_FALSE(options.ok());
  EXPECT_NE(options.error().message.find("--bandwith"), std::string::npos);
}

}  // namespace
