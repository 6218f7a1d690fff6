#include "emulator/launcher/page_text.h"

#include <gtest/gtest.h>

#include "emulator/launcher/explain.h"

namespace launcher {
namespace {

constexpr PageStyle plain{.colors = false, .width = 40};
constexpr PageStyle colored{.colors = true, .width = 40};

TEST(PageText, FillsLinesOfItsOwnWidth) {
  EXPECT_EQ(page_text("One two three\nfour five six seven eight\nnine ten.\n", plain),
            "One two three four five six seven eight\nnine ten.\n");
}

TEST(PageText, LeavesOutTheMarks) {
  EXPECT_EQ(page_text("# Title\n\n**Bold**, `code`, *slanted*.\n", plain),
            "Title\n\nBold, code, slanted.\n");
}

TEST(PageText, StylesWhatWasMarked) {
  EXPECT_EQ(page_text("# Title\n\n**Bold** `code`\n", colored),
            "\033[1mTitle\033[0m\n\n\033[1mBold\033[0m \033[36mcode\033[0m\n");
}

TEST(PageText, CountsNoColumnsForEscapesAndOneForACharacter) {
  EXPECT_EQ(columns_of("\033[1;31mab\033[0m"), 2u);
  EXPECT_EQ(columns_of("2²⁰"), 3u);
  const std::string words = "`one` `two` `three` `four` `five` `six` `seven` `eight`\n";
  EXPECT_EQ(parts_of(page_text(words, colored), '\n').size(),
            parts_of(page_text(words, plain), '\n').size());
}

TEST(PageText, LeavesCodeAsItIs) {
  const std::string code =
      "```cuda\nif (i == 0) {  // **a** `line` [that](is) wider than forty columns\n\n  "
      "f();\n}\n```\n";
  EXPECT_EQ(
      page_text(code, plain),
      "    if (i == 0) {  // **a** `line` [that](is) wider than forty columns\n\n      f();\n    "
      "}\n");
}

TEST(PageText, DimsCodeButForTheLineThatIsWrong) {
  EXPECT_EQ(page_text("```cuda\nf();\ng();  // WRONG: why\n```\n", colored),
            "    \033[2mf();\033[0m\n    \033[1;31mg();  // WRONG: why\033[0m\n");
}

TEST(PageText, LeavesPicturesAsBrightAsProse) {
  EXPECT_EQ(page_text("```text\nthread --> engine\n```\n", colored), "    thread --> engine\n");
}

TEST(PageText, IndentsItemsBelowTheirDash) {
  EXPECT_EQ(page_text("Words:\n- one two three four five six seven\n  eight nine\n- ten\n", plain),
            "Words:\n- one two three four five six seven\n  eight nine\n- ten\n");
}

TEST(PageText, LinesUpTablesAndWrapsTheLastColumn) {
  EXPECT_EQ(
      page_text(
          "| code | what |\n|---|---|\n| [trap](trap.md) | one two three four five six seven |\n"
          "| `deadlock` | stop |\n",
          plain),
      "  code      what\n"
      "  trap      one two three four five six\n"
      "            seven\n"
      "  deadlock  stop\n");
}

TEST(PageText, SaysWhereLinksLead) {
  constexpr PageStyle wide{.colors = false, .width = 200};
  EXPECT_EQ(page_text("[proxies](../guide/proxies.md#a), [it](../../labs/a.cuh), [#1](https://a.b)",
                      wide),
            "proxies (handout/guide/proxies.md#a), it (labs/a.cuh), #1 (https://a.b)\n");
  EXPECT_EQ(page_text("[read-before-wait](read-before-wait.md)", wide), "read-before-wait\n");
}

TEST(PageText, TakesALoneMarkForACharacter) {
  EXPECT_EQ(page_text("tile[256] * 2 and `open", plain), "tile[256] * 2 and `open\n");
}

TEST(PageText, HasNothingToSayOfAnEmptyPage) {
  EXPECT_EQ(page_text("", plain), "");
}

TEST(Explanation, IsThePageOfTheCode) {
  const auto text = explanation("deadlock", plain);
  ASSERT_TRUE(text.ok());
  EXPECT_TRUE(text->starts_with("deadlock\n\n"));
}

TEST(Explanation, WithoutACodeIsTheList) {
  const auto text = explanation("", plain);
  ASSERT_TRUE(text.ok());
  EXPECT_NE(text->find("  missing-proxy-fence"), text->npos);
}

TEST(Explanation, NamesTheNearestCodes) {
  for (const char* asked :
       {"proxy-fence", "missing-proxyfence", "missing_proxy_fence", "missing-proxy"}) {
    const auto text = explanation(asked, plain);
    ASSERT_FALSE(text.ok()) << asked;
    EXPECT_NE(text.error().message.find("nearest are missing-proxy-fence,"), std::string::npos)
        << text.error().message;
  }
}

}  // namespace
}  // namespace launcher
