// Registers, variables and labels in nested scopes are hoisted, and renamed where names repeat.
#include <gtest/gtest.h>

#include "tests/emulator/ptx_test_support.h"

namespace tmaemu::ptx {
namespace {

using testing::error_of_kernel;
using testing::parse_kernel;

class PtxScope : public ::testing::Test {
 protected:
  const Function& parse(const std::string& body) {
    module_ = parse_kernel(body);
    return module_->functions.at(0);
  }
  std::unique_ptr<Module> module_;
};

TEST_F(PtxScope, RangeDeclaresItsStem) {
  const Function& k = parse(".reg .b32 %r<13>; .reg .v2 .f32 v, w; .reg .pred %p;");
  ASSERT_EQ(k.registers.size(), 4u);
  EXPECT_EQ(k.registers.at(0).name, "%r");
  EXPECT_EQ(k.registers.at(0).count, 13u);
  EXPECT_EQ(k.registers.at(1).vector_width, 2u);
  EXPECT_EQ(k.registers.at(2).name, "w");
  EXPECT_EQ(k.registers.at(3).count, 0u);
}

TEST_F(PtxScope, FirstUseOfANameKeepsIt) {
  const Function& k = parse("{ .reg .b32 t; mov.u32 t, 1; }");
  EXPECT_EQ(k.registers.at(0).name, "t");
  EXPECT_EQ(k.body.at(0).operands.at(0).name, "t");
}

TEST_F(PtxScope, SameNameInTwoScopesMeansTwoRegisters) {
  const Function& k = parse("{ .reg .b32 t; mov.u32 t, 1; }\n{ .reg .b64 t; mov.u64 t, 2; }");
  ASSERT_EQ(k.registers.size(), 2u);
  EXPECT_NE(k.registers.at(0).name, k.registers.at(1).name);
  EXPECT_EQ(k.body.at(0).operands.at(0).name, k.registers.at(0).name);
  EXPECT_EQ(k.body.at(1).operands.at(0).name, k.registers.at(1).name);
  EXPECT_EQ(k.body.at(1).operands.at(0).kind, Operand::Kind::reg);
}

TEST_F(PtxScope, InnerNameHidesTheOuterOneUntilItsScopeEnds) {
  const Function& k =
      parse(".reg .pred p; setp.eq.u32 p, 0, 0;\n{ .reg .pred p; @p bra L; L: }\n@p ret;");
  EXPECT_EQ(k.body.at(0).operands.at(0).name, "p");
  EXPECT_NE(k.body.at(1).guard->name, "p");
  EXPECT_EQ(k.body.at(2).guard->name, "p");
}

TEST_F(PtxScope, PercentNamesAreScopedToo) {
  const Function& k = parse(
      ".reg .b32 %r<9>; mov.u32 %r1, 0;\n{ .reg .b32 %r<3>; mov.u32 %r1, %r5; }\nmov.u32 %r1, 0;");
  EXPECT_EQ(k.body.at(0).operands.at(0).name, "%r1");
  const std::string inner(k.registers.at(1).name);
  EXPECT_NE(inner, "%r");
  EXPECT_EQ(k.body.at(1).operands.at(0).name, inner + "1");
  EXPECT_EQ(k.body.at(1).operands.at(1).name, "%r5") << "the inner range ends at %r2";
  EXPECT_EQ(k.body.at(2).operands.at(0).name, "%r1");
}

TEST_F(PtxScope, SingleRegisterDoesNotMeetTheRegisterOfARange) {
  const Function& k = parse("{ .reg .b32 r<3>; mov.u32 r1, 0; }\n{ .reg .b32 r1; mov.u32 r1, 0; }");
  EXPECT_NE(k.body.at(0).operands.at(0).name, k.body.at(1).operands.at(0).name);
}

TEST_F(PtxScope, RangeDoesNotMeetASingleRegister) {
  const Function& k = parse("{ .reg .b32 r1; mov.u32 r1, 0; }\n{ .reg .b32 r<3>; mov.u32 r1, 0; }");
  EXPECT_NE(k.body.at(0).operands.at(0).name, k.body.at(1).operands.at(0).name);
}

TEST_F(PtxScope, ElementOfARenamedVectorFollowsIt) {
  const Function& k =
      parse("{ .reg .v2 .f32 v; mov.f32 v.x, 0.0; }\n{ .reg .v2 .f32 v; mov.f32 v.y, 0.0; }");
  EXPECT_EQ(k.body.at(0).operands.at(0).name, "v.x");
  EXPECT_EQ(k.body.at(1).operands.at(0).name, std::string(k.registers.at(1).name) + ".y");
  EXPECT_EQ(k.body.at(1).operands.at(0).kind, Operand::Kind::reg);
}

TEST_F(PtxScope, ParametersOfCallsAreHoistedApart) {
  const Function& k = parse(
      "{ .param .b64 param0; st.param.b64 [param0+0], 1; call f, (param0); }\n"
      "{ .param .b32 param0; st.param.b32 [param0+0], 2; call g, (param0); }");
  ASSERT_EQ(k.variables.size(), 2u);
  EXPECT_EQ(k.variables.at(0).name, "param0");
  EXPECT_NE(k.variables.at(1).name, "param0");
  EXPECT_EQ(k.body.at(2).operands.at(0).name, k.variables.at(1).name);
  EXPECT_EQ(k.body.at(3).operands.at(1).elements.at(0).name, k.variables.at(1).name);
}

TEST_F(PtxScope, LabelIsTheIndexOfTheNextInstruction) {
  const Function& k = parse("A: mov.u32 %r1, 0;\nB: C: bra A;\nD:");
  ASSERT_EQ(k.labels.size(), 4u);
  EXPECT_EQ(k.labels.at(0).position, 0u);
  EXPECT_EQ(k.labels.at(1).position, 1u);
  EXPECT_EQ(k.labels.at(2).position, 1u);
  EXPECT_EQ(k.labels.at(3).position, 2u);
}

TEST_F(PtxScope, SameLabelInTwoScopesMeansTwoPlaces) {
  const Function& k =
      parse("{ WAIT: bra DONE; bra WAIT; DONE: }\n{ WAIT: bra DONE; bra WAIT; DONE: }");
  ASSERT_EQ(k.labels.size(), 4u);
  EXPECT_EQ(k.body.at(0).operands.at(0).name, k.labels.at(1).name);
  EXPECT_EQ(k.body.at(1).operands.at(0).name, k.labels.at(0).name);
  EXPECT_EQ(k.body.at(2).operands.at(0).name, k.labels.at(3).name);
  EXPECT_EQ(k.body.at(3).operands.at(0).name, k.labels.at(2).name);
  EXPECT_NE(k.labels.at(0).name, k.labels.at(2).name);
}

TEST_F(PtxScope, OuterLabelAfterAnInnerOneOfTheSameNameIsAnother) {
  const Function& k = parse("{ L: bra L; }\nL: bra L;\n{ bra L; }");
  EXPECT_EQ(k.body.at(0).operands.at(0).name, k.labels.at(0).name);
  EXPECT_EQ(k.body.at(1).operands.at(0).name, k.labels.at(1).name);
  EXPECT_EQ(k.body.at(2).operands.at(0).name, k.labels.at(1).name);
  EXPECT_NE(k.labels.at(0).name, k.labels.at(1).name);
}

TEST_F(PtxScope, BranchTargetsFollowTheirLabels) {
  const Function& k = parse("{ L: bra L; }\n{ ts: .branchtargets L, M; brx.idx %r1, ts; L: M: }");
  const BranchTargets& targets = k.branch_targets.at(0);
  EXPECT_EQ(targets.name, "ts");
  EXPECT_EQ(targets.labels.at(0), k.labels.at(1).name);
  EXPECT_EQ(targets.labels.at(1), "M");
}

TEST_F(PtxScope, NameDeclaredTwiceInOneScopeIsRefused) {
  EXPECT_NE(error_of_kernel(".reg .b32 a; .reg .b32 a;").find("a second time"), std::string::npos);
  EXPECT_NE(error_of_kernel("L: L:").find("a second time"), std::string::npos);
  EXPECT_NE(error_of_kernel(".reg .b32 a<2>; .reg .b32 a<3>;").find("a second time"),
            std::string::npos);
}

TEST_F(PtxScope, UnclosedScopeIsRefused) {
  const auto result = ptx::parse(std::string(testing::header) + ".entry k() { { ret; }");
  ASSERT_FALSE(result.ok());
  EXPECT_NE(result.error().message.find("end of the text"), std::string::npos);
}

TEST_F(PtxScope, DepthOfScopesIsFree) {
  const int depth = 100000;
  const Function& k = parse(std::string(depth, '{') + "ret;" + std::string(depth, '}'));
  EXPECT_EQ(k.body.size(), 1u);
}

TEST_F(PtxScope, AbsurdNumberOfRegistersIsRefused) {
  EXPECT_NE(error_of_kernel(".reg .b32 %r<4294967295>;").find("number of registers"),
            std::string::npos);
}

TEST_F(PtxScope, PragmasAreAccepted) {
  EXPECT_EQ(parse("L: .pragma \"nounroll\"; ret;").body.size(), 1u);
}

TEST_F(PtxScope, LocalAndSharedVariablesAreKept) {
  const Function& k = parse(".local .align 8 .b8 __local_depot0[48]; .shared .align 4 .b8 s[16];");
  ASSERT_EQ(k.variables.size(), 2u);
  EXPECT_EQ(k.variables.at(0).space, StateSpace::local);
  EXPECT_EQ(k.variables.at(0).size(), 48u);
  EXPECT_EQ(k.variables.at(1).space, StateSpace::shared);
}

}  // namespace
}  // namespace tmaemu::ptx
