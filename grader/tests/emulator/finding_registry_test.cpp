#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>

#include "contract/findings/codes.h"
#include "contract/findings/finding_codes.h"

namespace tmaemu {
namespace {

bool is_kebab_case(std::string_view name) {
  return !name.empty() && name.front() != '-' && name.back() != '-' &&
         std::ranges::all_of(name, [](char c) { return (c >= 'a' && c <= 'z') || c == '-'; });
}

TEST(FindingRegistry, NamesEachCodeOnce) {
  std::set<std::string_view> names;
  for (const CodeEntry& entry : finding_codes()) {
    EXPECT_TRUE(is_kebab_case(entry.name)) << entry.name;
    EXPECT_TRUE(names.insert(entry.name).second) << entry.name;
  }
}

TEST(FindingRegistry, HasEachCodeAtItsPlace) {
  for (const CodeEntry& entry : finding_codes()) EXPECT_EQ(entry_of(entry.code).name, entry.name);
}

// What CUDA says follows from the kind: a kernel goes on after a finding, and ends with the others.
TEST(FindingRegistry, EndsALaunchWithAnErrorUnlessTheProgramGoesOn) {
  for (const CodeEntry& entry : finding_codes()) {
    const bool goes_on = entry.kind == FindingKind::finding;
    EXPECT_EQ(entry.outcome == LaunchOutcome::completed, goes_on) << entry.name;
    EXPECT_EQ(entry.cuda_error.empty(), goes_on) << entry.name;
    EXPECT_EQ(entry.outcome == LaunchOutcome::deadlock, entry.kind == FindingKind::deadlock);
    EXPECT_EQ(entry.outcome == LaunchOutcome::not_modeled, entry.kind == FindingKind::not_modeled);
  }
}

TEST(FindingRegistry, NamesACodeAndItsPageByItsEnumerator) {
  EXPECT_EQ(entry_of(FindingCode::no_such_cta).name, "no-such-cta");
  EXPECT_EQ(page_of(FindingCode::no_such_cta), "handout/findings/no-such-cta.md");
}

TEST(FindingRegistry, HasASentenceForEachCodeThatIsReported) {
  for (const CodeEntry& entry : finding_codes()) {
    if (entry.code == FindingCode::invalid_address_space) continue;  // CUDA has it, no check yet
    EXPECT_TRUE(std::ranges::any_of(finding_sentences(), [&](const SentenceEntry& sentence) {
      return sentence.code == entry.code;
    })) << entry.name;
  }
}

TEST(FindingRegistry, HelpsWithEachMistakeAfterWhichTheProgramGoesOn) {
  for (const SentenceEntry& sentence : finding_sentences()) {
    if (entry_of(sentence.code).kind != FindingKind::finding) continue;
    EXPECT_FALSE(sentence.help.empty()) << sentence.text;
  }
}

TEST(FindingRegistry, LooksUpEachSentenceByItsEnumerator) {
  for (const SentenceEntry& entry : finding_sentences()) {
    EXPECT_EQ(&entry_of(entry.sentence), &entry);
  }
  for (const NoteEntry& entry : note_sentences()) EXPECT_EQ(&entry_of(entry.sentence), &entry);
}

// The names in braces of a text; "no }" where one is not closed.
std::set<std::string> placeholders(std::string_view text) {
  std::set<std::string> names;
  for (std::size_t open = text.find('{'); open != text.npos; open = text.find('{', open + 1)) {
    const std::size_t close = text.find('}', open);
    if (close == text.npos) return {"no }"};
    names.emplace(text.substr(open + 1, close - open - 1));
  }
  return names;
}

TEST(FindingRegistry, LeavesPlacesOnlyForWhatFindingsHold) {
  for (const SentenceEntry& entry : finding_sentences()) {
    for (const std::string& name : placeholders(entry.text)) {
      EXPECT_TRUE(name.empty() || name == "rule") << entry.text;
    }
  }
  for (const NoteEntry& entry : note_sentences()) {
    for (const std::string& name : placeholders(entry.text)) {
      EXPECT_TRUE(name == "bytes" || name == "thread" || name == "pairs") << entry.text;
    }
  }
}

}  // namespace
}  // namespace tmaemu
