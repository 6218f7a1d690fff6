// What a function's text says about its registers.
#include <gtest/gtest.h>

#include <string>

#include "emulator/check/dataflow.h"
#include "tests/emulator/decoded_program.h"

namespace tmaemu::check {
namespace {

constexpr const char* declarations =
    ".reg .b32 %a, %b, %c, %n;\n.reg .b64 %wide, %state;\n.reg .pred %p, %q;\n"
    ".shared .align 8 .b8 first[64];\n.shared .align 8 .b8 second[64];\n"
    ".shared .align 8 .b64 bar;\n";

class Flow {
 public:
  explicit Flow(const std::string& body)
      : text_(declarations + body), flow_(text_.function(), text_.effects()) {}

  bool is_used(std::string_view name) const { return flow_.is_used(name); }
  // Of the last instruction's address, which is operand `index`.
  std::string variable(std::size_t index = 1) const {
    const auto& body = text_.function().body;
    return std::string(flow_.variable_of(body.back().operands.at(index)));
  }

 private:
  testing::DecodedText text_;
  Dataflow flow_;
};

TEST(CheckDataflow, AnAddressWrittenOutIsOfItsVariable) {
  EXPECT_EQ(Flow("ld.shared.u32 %b, [first+8];").variable(), "first");
}

TEST(CheckDataflow, ARegisterHoldsTheVariableThatItWasGiven) {
  EXPECT_EQ(Flow("mov.u32 %a, second;\nld.shared.u32 %b, [%a+4];").variable(), "second");
}

TEST(CheckDataflow, AnIndexIsAddedToTheVariable) {
  EXPECT_EQ(Flow("mov.u32 %n, %tid.x;\nshl.b32 %n, %n, 2;\nmov.u32 %a, first;\n"
                 "add.u32 %c, %a, %n;\nld.shared.u32 %b, [%c];")
                .variable(),
            "first");
}

TEST(CheckDataflow, AScaledIndexIsAddedToTheVariable) {
  EXPECT_EQ(Flow("mov.u32 %n, %tid.x;\nmov.u32 %a, first;\nmad.lo.u32 %c, %n, 4, %a;\n"
                 "ld.shared.u32 %b, [%c];")
                .variable(),
            "first");
}

TEST(CheckDataflow, AStoresAddressIsItsFirstOperand) {
  EXPECT_EQ(Flow("mov.u32 %a, first;\nst.shared.u32 [%a], 1;").variable(0), "first");
}

TEST(CheckDataflow, ARegisterOfTwoVariablesIsOfNone) {
  EXPECT_EQ(Flow("mov.u32 %a, first;\n@%p mov.u32 %a, second;\nld.shared.u32 %b, [%a];").variable(),
            "");
}

TEST(CheckDataflow, AChoiceOfTwoVariablesIsOfNone) {
  EXPECT_EQ(Flow("mov.u32 %a, first;\nmov.u32 %b, second;\nselp.b32 %c, %a, %b, %p;\n"
                 "ld.shared.u32 %n, [%c];")
                .variable(),
            "");
}

TEST(CheckDataflow, WhatIsMadeOfAnAddressByOtherMeansIsOfNone) {
  EXPECT_EQ(
      Flow("mov.u32 %a, first;\nand.b32 %c, %a, 0xFFFFFF80;\nld.shared.u32 %b, [%c];").variable(),
      "");
}

TEST(CheckDataflow, AnAddressThatMovesInALoopStaysOfItsVariable) {
  EXPECT_EQ(Flow("mov.u32 %a, first;\nLOOP:\nadd.u32 %a, %a, 4;\n@%p bra LOOP;\n"
                 "ld.shared.u32 %b, [%a];")
                .variable(),
            "first");
}

TEST(CheckDataflow, TheSameVariableOfAnotherCta) {
  EXPECT_EQ(Flow("mov.u32 %a, first;\nmapa.shared::cluster.u32 %c, %a, 1;\n"
                 "ld.shared::cluster.u32 %b, [%c];")
                .variable(),
            "first");
}

TEST(CheckDataflow, AnUnknownNumberIsOfNoVariable) {
  EXPECT_EQ(Flow("ld.param.u32 %a, [k_param_0];\nld.shared.u32 %b, [%a];").variable(), "");
}

// --- Whose values nobody looks at ---

constexpr const char* question = "mbarrier.try_wait.parity.shared.b64 %p, [bar], 0;\n";

TEST(CheckDataflow, AnAnswerThatNobodyLooksAtIsNotUsed) {
  EXPECT_FALSE(Flow(question).is_used("%p"));
}

TEST(CheckDataflow, AnAnswerThatABranchLooksAtIsUsed) {
  EXPECT_TRUE(Flow(std::string("WAIT:\n") + question + "@!%p bra WAIT;").is_used("%p"));
}

TEST(CheckDataflow, AnAnswerThatIsOnlyComputedWithIsNotUsed) {
  EXPECT_FALSE(
      Flow(std::string(question) + "selp.u32 %a, 1, 0, %p;\nadd.u32 %b, %a, 1;").is_used("%p"));
}

TEST(CheckDataflow, AnAnswerThatIsStoredInTheEndIsUsed) {
  EXPECT_TRUE(Flow(std::string(question) +
                   "selp.u32 %a, 1, 0, %p;\nadd.u32 %b, %a, 1;\nst.shared.u32 [first], %b;")
                  .is_used("%p"));
}

TEST(CheckDataflow, APhaseThatAQuestionAsksForIsUsed) {
  EXPECT_TRUE(
      Flow("mov.u32 %a, 1;\nmbarrier.try_wait.parity.shared.b64 %p, [bar], %a;\n").is_used("%a"));
}

}  // namespace
}  // namespace tmaemu::check
