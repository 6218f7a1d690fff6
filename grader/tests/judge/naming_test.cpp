// What a student is told who has not named the mistake of a hunt (lab 11).
#include "checks/lab11-bug-hunts/naming.h"

#include <gtest/gtest.h>

namespace {

using lab11::objection_to;
using tmagrade_entry::text_number;

TEST(Naming, AsksForACodeWhereThereIsNone) {
  EXPECT_EQ(objection_to(text_number("")),
            "the launcher returns \"\": put the finding's code there");
}

TEST(Naming, SaysThatACodeIsAnothersMistake) {
  EXPECT_EQ(
      objection_to(text_number("unsynchronized-tma-store")),
      "the launcher returns \"unsynchronized-tma-store\", which is not this kernel's mistake");
}

TEST(Naming, SaysWhereTheCodesAreOfWhatIsNone) {
  EXPECT_EQ(objection_to(text_number("missing-fence")),
            "what the launcher returns is no finding's code: tmaemu --explain lists them");
}

}  // namespace
