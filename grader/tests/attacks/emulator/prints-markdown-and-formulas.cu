// Ends with words that would be headings and links in feedback.md, and a formula in a spreadsheet.
//
// Fails: messages stand in code blocks that they cannot close; grades.csv has no messages.
#include <cstdio>
#include <cstdlib>

void launch_reverse_tile(int*, const int*, int) {
  std::fputs(
      "=HYPERLINK(\"http://example.com\",\"100\")\n```\n````\n# 100 of 100 "
      "points\n[see](javascript:alert(1))\n",
      stderr);
  std::fflush(stderr);
  std::abort();
}
