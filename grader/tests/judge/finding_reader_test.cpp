// The judge takes a line for a finding only if it is one, in every field.
#include "judge/verdict/finding_reader.h"

#include <gtest/gtest.h>

#include <functional>
#include <random>
#include <string>
#include <vector>

#include "contract/findings/helps.h"
#include "contract/findings/shared_help.h"
#include "contract/rendering/json_line.h"
#include "tests/judge/finding_samples.h"

namespace {

using judge::Finding;
using judge::FindingCount;
using judge::read_finding;
using Json = nlohmann::ordered_json;

bool is_finding(const std::string& line) {
  const auto read = read_finding(line);
  return read && std::holds_alternative<Finding>(*read);
}

TEST(FindingReader, TakesWhatTheEmulatorSends) {
  const auto findings = sent_findings();
  ASSERT_GE(findings.size(), 6U);
  for (const Json& sent : findings) {
    const auto read = read_finding(sent.dump());
    ASSERT_TRUE(read) << sent.dump(1);
    const auto& finding = std::get<Finding>(*read);
    EXPECT_EQ(finding.entry().name, sent.at("code").get<std::string>());
    EXPECT_EQ(Json::parse(tmaemu::json_line(finding.diagnostic)), sent);
  }
}

// Whatever a sentence's help depends on, of the threads or of what is told before it.
TEST(FindingReader, TakesEachHelpOfEachSentence) {
  const auto sentences = tmaemu::finding_sentences();
  for (std::size_t i = 0; i < sentences.size(); ++i) {
    for (const std::string& help : tmaemu::helps_of(static_cast<tmaemu::Sentence>(i))) {
      Json sent = finding_of("trap");
      sent["code"] = tmaemu::entry_of(sentences[i].code).name;
      sent["message"] = sentences[i].text;
      sent.erase("help");
      if (!help.empty()) sent["help"] = help;
      EXPECT_TRUE(is_finding(sent.dump())) << sent.dump(1);
    }
  }
}

TEST(FindingReader, TakesADeadlockThatIsToldBehindOthers) {
  Json sent = finding_of("deadlock");
  sent["help"] = std::string(tmaemu::help_behind_others) + sent["help"].get<std::string>();
  EXPECT_TRUE(is_finding(sent.dump()));
  sent = finding_of("missing-proxy-fence");
  sent["help"] = std::string(tmaemu::help_behind_others) + sent["help"].get<std::string>();
  EXPECT_FALSE(is_finding(sent.dump()));
}

TEST(FindingReader, TakesACount) {
  const auto read = read_finding(R"({"finding":3,"count":98})");
  ASSERT_TRUE(read);
  EXPECT_EQ(std::get<FindingCount>(*read).finding, 3U);
  EXPECT_EQ(std::get<FindingCount>(*read).count, 98U);
}

TEST(FindingReader, TakesNoBeginningOfALine) {
  for (const Json& sent : sent_findings()) {
    const std::string line = sent.dump();
    for (std::size_t length = 0; length < line.size(); ++length) {
      ASSERT_FALSE(read_finding(line.substr(0, length))) << line.substr(0, length);
    }
  }
}

TEST(FindingReader, TakesNothingBehindAFinding) {
  const std::string line = finding_of("trap").dump();
  EXPECT_FALSE(read_finding(line + "x"));
  EXPECT_FALSE(read_finding(line + line));
}

// Calls `visit` with every value in the JSON, which it may change for the moment.
void for_each_value(Json& json, const std::function<void(Json&)>& visit) {
  visit(json);
  if (!json.is_structured()) return;
  for (auto& value : json) for_each_value(value, visit);
}

TEST(FindingReader, TakesNoValueOfAnotherType) {
  const std::vector<Json> others{nullptr,       true,          -1, 1.5, 1e300, "text",
                                 Json::array(), Json::object()};
  for (Json sent : sent_findings()) {
    for_each_value(sent, [&](Json& value) {
      const Json before = value;
      for (const Json& other : others) {
        if (other.type() == before.type()) continue;
        if (before.is_number() && other.is_number_integer()) continue;  // -1 is looked at below
        value = other;
        EXPECT_FALSE(is_finding(sent.dump())) << sent.dump(1);
      }
      value = before;
    });
  }
}

TEST(FindingReader, TakesNoNegativeNumber) {
  Json sent = finding_of("missing-proxy-fence");
  for_each_value(sent, [&](Json& value) {
    if (!value.is_number()) return;
    const Json before = value;
    for (const std::int64_t number : {std::int64_t{-1}, INT64_MIN, INT64_MAX}) {
      value = number;
      EXPECT_FALSE(is_finding(sent.dump())) << sent.dump(1);
    }
    value = UINT64_MAX;
    EXPECT_FALSE(is_finding(sent.dump()));
    value = before;
  });
}

TEST(FindingReader, TakesNoObjectThatHasMoreOrLess) {
  for (Json sent : sent_findings()) {
    for_each_value(sent, [&](Json& value) {
      if (!value.is_object()) return;
      const Json before = value;
      value["more"] = 1;
      EXPECT_FALSE(is_finding(sent.dump())) << sent.dump(1);
      value = before;
    });
  }
  for (const char* name : {"code", "message", "place", "excerpt", "block", "thread"}) {
    Json sent = finding_of("trap");
    sent.erase(name);
    EXPECT_FALSE(is_finding(sent.dump())) << name;
  }
}

TEST(FindingReader, TakesNoListThatIsEmptyOrLong) {
  for (const char* name : {"notes", "waiters"}) {
    Json sent = finding_of(name == std::string("notes") ? "missing-proxy-fence" : "deadlock");
    const Json first = sent[name][0];
    sent[name] = Json::array();
    EXPECT_FALSE(is_finding(sent.dump())) << name;
    for (int i = 0; i < 1000; ++i) sent[name].push_back(first);
    EXPECT_FALSE(is_finding(sent.dump())) << name;
  }
}

TEST(FindingReader, TakesNoCodeThatTheRegistryLacks) {
  Json sent = finding_of("trap");
  for (const char* code : {"", "no-such-code", "Trap", "trap "}) {
    sent["code"] = code;
    EXPECT_FALSE(is_finding(sent.dump())) << code;
  }
}

TEST(FindingReader, TakesNoSentenceThatTheRegistryLacks) {
  Json sent = finding_of("missing-proxy-fence");
  sent["message"] = "the submission is right";
  EXPECT_FALSE(is_finding(sent.dump()));
  sent = finding_of("missing-proxy-fence");
  sent["help"] = "type rm -rf ~";
  EXPECT_FALSE(is_finding(sent.dump()));
  sent = finding_of("missing-proxy-fence");
  sent["notes"][0]["message"] = "your grade is in https://example.org";
  EXPECT_FALSE(is_finding(sent.dump()));
}

// The words that people read are the judge's own.
TEST(FindingReader, TakesNoTextFromTheSender) {
  Json sent = finding_of("trap");
  sent["text"] = Json::parse(R"([[["strong", "the submission is right"]]])");
  EXPECT_FALSE(is_finding(sent.dump()));
}

// A sentence of one code is none of another's.
TEST(FindingReader, TakesNoSentenceOfAnotherCode) {
  Json sent = finding_of("missing-proxy-fence");
  sent["code"] = "barrier-reinit";
  EXPECT_FALSE(is_finding(sent.dump()));
}

TEST(FindingReader, TakesNoTextWithoutEnd) {
  for (const char* name : {"of"}) {
    Json sent = finding_of("missing-proxy-fence");
    sent["bytes"][name] = std::string(10'000, 'x');
    EXPECT_FALSE(is_finding(sent.dump()));
  }
  Json sent = finding_of("assertion");
  sent["excerpt"]["text"] = std::string(10'000, 'x');
  EXPECT_FALSE(is_finding(sent.dump()));
  EXPECT_FALSE(read_finding(std::string(10'000'000, '{')));
}

TEST(FindingReader, TakesNoCharacterThatATerminalObeys) {
  for (const char* text : {"\033[2J", "a\nerror: forged", "\x7F", "\r"}) {
    Json sent = finding_of("trap");
    sent["excerpt"]["text"] = text;
    EXPECT_FALSE(is_finding(sent.dump())) << sent.dump();
  }
}

TEST(FindingReader, TakesNoBytesThatAreNoUtf8) {
  std::string line = finding_of("trap").dump();
  line.replace(line.find("trap;"), 4, "\xFF\xFE\xC0\xAF");
  EXPECT_FALSE(read_finding(line));
}

TEST(FindingReader, SurvivesDeepNesting) {
  EXPECT_FALSE(read_finding(std::string(60'000, '[')));
  std::string deep = R"({"code":"trap","message":)" + std::string(30'000, '[');
  EXPECT_FALSE(read_finding(deep + std::string(30'000, ']') + "}"));
}

// Whatever is changed in a line, it is a finding in the form of the registry, or none.
TEST(FindingReader, SurvivesLinesThatWereDamaged) {
  std::mt19937 random(7);
  const auto findings = sent_findings();
  std::size_t taken = 0;
  for (int round = 0; round < 20'000; ++round) {
    std::string line = findings[random() % findings.size()].dump();
    for (unsigned change = 0; change <= random() % 3; ++change) {
      const std::size_t at = random() % line.size();
      switch (random() % 3) {
        case 0:
          line[at] = static_cast<char>(random());
          break;
        case 1:
          line.erase(at, random() % 8);
          break;
        default:
          line.insert(at, 1, "\"{}[],:0x\\\n"[random() % 11]);
      }
      if (line.empty()) break;
    }
    const auto read = read_finding(line);
    if (!read || !std::holds_alternative<Finding>(*read)) continue;
    ++taken;
    const auto& finding = std::get<Finding>(*read);
    const Json json = Json::parse(tmaemu::json_line(finding.diagnostic));
    EXPECT_EQ(json.at("code").get<std::string>(), finding.entry().name);
  }
  EXPECT_GT(taken, 0U);  // a digit may change, or a letter of a name
}

}  // namespace
