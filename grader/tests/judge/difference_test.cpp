#include "judge/compare/difference.h"

#include <gtest/gtest.h>

namespace {

using judge::BufferArgument;
using judge::Tensor;
using judge::tensor;

std::string difference_of(const judge::CallArgument& argument, const Tensor& got) {
  const auto& wanted = std::get<BufferArgument>(argument);
  return judge::difference(wanted, judge::compare(wanted.after, got, wanted.tolerance), got);
}

const std::vector<std::int32_t> wanted{1, 2};
const std::vector<std::int32_t> other{1, 3};

TEST(Difference, NamesTheElement) {
  EXPECT_EQ(difference_of(judge::output("dest", tensor({2}, wanted)), tensor({2}, other)),
            "1 of 2 elements is wrong: dest[1]: expected 2, got 3");
}

TEST(Difference, KnowsWhatAMistakeLeaves) {
  judge::CallArgument argument = judge::output("dest", tensor({2}, wanted));
  auto& mistakes = std::get<BufferArgument>(argument).mistakes;
  mistakes.push_back({"it is a third one", [] { return tensor({2}, std::vector{7, 8}); }});
  mistakes.push_back({"it is the other one", [] { return tensor({2}, other); }});
  EXPECT_EQ(difference_of(argument, tensor({2}, other)),
            "1 of 2 elements is wrong: dest[1]: expected 2, got 3; it is the other one");
}

TEST(Difference, SaysThatAnInputWasChanged) {
  EXPECT_EQ(difference_of(judge::input("src", tensor({2}, wanted)), tensor({2}, other)),
            "changed its input src: 1 of 2 elements is wrong: src[1]: expected 2, got 3");
}

}  // namespace
