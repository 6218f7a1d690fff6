#include "emulator/diagnostics/clean_text.h"

#include <gtest/gtest.h>

#include <string>

namespace tmaemu {
namespace {

constexpr const char* replacement = "\xEF\xBF\xBD";  // U+FFFD

TEST(CleanText, LeavesTextAlone) {
  EXPECT_EQ(clean_text("\tsize_t größe = 日本;", 100), "\tsize_t größe = 日本;");
}

TEST(CleanText, HasNoCharacterThatATerminalObeys) {
  EXPECT_EQ(clean_text("a\033[2Jb\rc\nd\x7F", 100), "a?[2Jb?c?d?");
  EXPECT_EQ(clean_text("\xC2\x9B"
                       "2J",
                       100),
            "?2J");  // CSI as one character
  EXPECT_EQ(clean_text(std::string_view("a\0b", 3), 100), "a?b");
}

TEST(CleanText, ReplacesWhatIsNoUtf8) {
  EXPECT_EQ(clean_text("\xFF", 100), replacement);
  EXPECT_EQ(clean_text("a\xC3", 100), std::string("a") + replacement);             // cut off
  EXPECT_EQ(clean_text("\xC0\xAF", 100), std::string(replacement) + replacement);  // overlong
  EXPECT_EQ(clean_text("\xED\xA0\x80", 100).substr(0, 3), replacement);            // a surrogate
  EXPECT_EQ(clean_text("\xF4\x90\x80\x80", 100).substr(0, 3), replacement);  // beyond U+10FFFF
}

TEST(CleanText, IsCutBetweenCharacters) {
  EXPECT_EQ(clean_text("aaaaaaaaaa", 4), "aaaa...");
  EXPECT_EQ(clean_text("aaa日本", 4), "aaa日...");
  EXPECT_EQ(clean_text(std::string(1'000'000, 'x'), 100).size(), 103U);
}

}  // namespace
}  // namespace tmaemu
