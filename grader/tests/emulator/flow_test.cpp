// Where the instructions of a function may go on.
#include "emulator/program/flow.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/emulator/decoded_program.h"

namespace tmaemu::testing {
namespace {

// Of a body; its instructions are counted from 0.
class FlowOf {
 public:
  explicit FlowOf(const std::string& body)
      : text_(".reg .pred %p;\n.reg .b32 %r;\n" + body), flow_(text_.function(), text_.effects()) {}

  bool leads(std::size_t from, std::size_t to) const { return flow_.leads(from, to); }
  bool is_always_behind(std::size_t from, std::size_t to) const {
    return flow_.is_always_behind(from, to);
  }
  std::vector<std::size_t> always_between(std::size_t from, std::size_t to,
                                          std::size_t without = ~std::size_t{0}) const {
    std::vector<bool> left_out(text_.effects().size());
    if (without < left_out.size()) left_out[without] = true;
    return flow_.always_between(from, to, left_out);
  }

 private:
  DecodedText text_;
  Flow flow_;
};

TEST(Flow, GoesFromOneInstructionToTheNext) {
  const FlowOf flow("mov.u32 %r, 1;\nmov.u32 %r, 2;\nret;");
  EXPECT_TRUE(flow.is_always_behind(0, 1));
  EXPECT_FALSE(flow.leads(1, 0));
}

TEST(Flow, GoesOnAtTheLabelOfABranch) {
  const FlowOf flow("bra L;\nmov.u32 %r, 1;\nL:\nmov.u32 %r, 2;\nret;");
  EXPECT_FALSE(flow.leads(0, 1));
  EXPECT_TRUE(flow.is_always_behind(0, 2));
}

TEST(Flow, GoesOnBehindABranchThatHasAGuard) {
  const FlowOf flow("@%p bra L;\nmov.u32 %r, 1;\nL:\nmov.u32 %r, 2;\nret;");
  EXPECT_TRUE(flow.leads(0, 1));
  EXPECT_FALSE(flow.is_always_behind(0, 1));
  EXPECT_TRUE(flow.is_always_behind(0, 2));
}

TEST(Flow, GoesOnAtTheLabelsOfTheListAlone) {
  const FlowOf flow(
      "T: .branchtargets A, B;\nU: .branchtargets C;\nbrx.idx %r, T;\nC:\nmov.u32 %r, 1;\nA:\n"
      "mov.u32 %r, 2;\nB:\nmov.u32 %r, 3;\nret;");
  EXPECT_FALSE(flow.leads(0, 1));
  EXPECT_TRUE(flow.leads(0, 2));
  EXPECT_TRUE(flow.is_always_behind(0, 3));
}

using Positions = std::vector<std::size_t>;

TEST(Flow, LeadsInAStraightLineThroughAllThatIsThere) {
  const FlowOf flow("mov.u32 %r, 1;\nmov.u32 %r, 2;\nmov.u32 %r, 3;\nret;");
  EXPECT_EQ(flow.always_between(0, 2), (Positions{1, 2}));
  EXPECT_EQ(flow.always_between(2, 0), Positions{});
}

TEST(Flow, LeadsThroughNoneOfTwoSidesOfABranch) {
  const FlowOf flow(
      "mov.u32 %r, 0;\n@%p bra L;\nmov.u32 %r, 1;\nbra M;\nL:\nmov.u32 %r, 2;\nM:\n"
      "mov.u32 %r, 3;\nmov.u32 %r, 4;\nret;");
  EXPECT_EQ(flow.always_between(0, 6), (Positions{1, 5, 6}));
}

TEST(Flow, LeadsThroughWhatIsInFrontOfTheWayBackInALoop) {
  const FlowOf flow("L:\nmov.u32 %r, 1;\nmov.u32 %r, 2;\nmov.u32 %r, 3;\n@%p bra L;\nret;");
  EXPECT_EQ(flow.always_between(2, 1), (Positions{3, 0, 1}));
  EXPECT_EQ(flow.always_between(1, 1), (Positions{2, 3, 0, 1}));
}

TEST(Flow, LeadsNowhereWhereTheOnlyWayIsLeftOut) {
  const FlowOf flow("mov.u32 %r, 1;\nmov.u32 %r, 2;\nmov.u32 %r, 3;\nret;");
  EXPECT_EQ(flow.always_between(0, 2, 1), Positions{});
}

TEST(Flow, EndsWhereAThreadEnds) {
  for (const char* end : {"exit", "ret", "trap", "brkpt"}) {
    const FlowOf flow(std::string(end) + ";\nmov.u32 %r, 1;\nret;");
    EXPECT_FALSE(flow.leads(0, 1)) << end;
  }
}

TEST(Flow, ComesBackInALoop) {
  const FlowOf flow("L:\nmov.u32 %r, 1;\n@%p bra L;\nret;");
  EXPECT_TRUE(flow.leads(0, 0));
}

}  // namespace
}  // namespace tmaemu::testing
