#include "judge/verdict/symbol_name.h"

#include <gtest/gtest.h>

namespace judge {
namespace {

TEST(SymbolName, IsWhatTheStudentWrote) {
  EXPECT_EQ(readable_name("_Z14launch_add_onePim"), "launch_add_one(int*, unsigned long)");
  EXPECT_EQ(readable_name("_Z4tileILi64EEvPfPKfT_"), "void tile<64>(float*, float const*, 64)");
  EXPECT_EQ(readable_name("plain_c"), "plain_c");
}

// The number of a substitution, as a back reference to it is written: S_, S0_, ... S9_, SA_, ...
std::string reference(int number) {
  if (number == 0) return "S_";
  const int digit = number - 1;
  return {'S', static_cast<char>(digit < 10 ? '0' + digit : 'A' + digit - 10), '_'};
}

// f(A<int, int>, A<the first, the first>, A<the second, the second>, ...): the text doubles with
// each level.
std::string bomb(int levels) {
  std::string symbol = "_Z1f1AIiiE";
  for (int level = 1; level <= levels; ++level) {
    symbol += "S_I" + reference(level) + reference(level) + "E";
  }
  return symbol;
}

TEST(SymbolName, OfNestedSubstitutionsIsNotSpelledOut) {
  EXPECT_EQ(readable_name(bomb(1)), "f(A<int, int>, A<A<int, int>, A<int, int> >)");
  const std::string symbol = bomb(20);
  EXPECT_EQ(readable_name(symbol), symbol);
}

TEST(SymbolName, IsCut) {
  const std::string name = readable_name("_Z" + std::string(5000, '1'));
  EXPECT_LT(name.size(), 500u);
  EXPECT_TRUE(name.ends_with(" more bytes)")) << name;
}

TEST(SymbolName, StaysShortForEveryNumberOfReferences) {
  for (int levels = 1; levels < 34; ++levels) {
    EXPECT_LT(readable_name(bomb(levels)).size(), 500u) << levels;
  }
}

}  // namespace
}  // namespace judge
