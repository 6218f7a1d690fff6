// Instructions and their operands.
#include <gtest/gtest.h>

#include <bit>

#include "tests/emulator/ptx_test_support.h"

namespace tmaemu::ptx {
namespace {

using testing::error_of_kernel;
using testing::parse_kernel;
using Kind = Operand::Kind;

// The only instruction of a kernel; the module keeps its text alive.
class PtxInstruction : public ::testing::Test {
 protected:
  const Instruction& parse_instruction(const std::string& text) {
    module_ = parse_kernel(
        ".reg .b32 %r<9>; .reg .b64 %rd<9>; .reg .pred %p<9>, q; .reg .b32 t;\n" + text);
    if (module_->functions.at(0).body.empty()) module_->functions.at(0).body.emplace_back();
    return module_->functions.at(0).body.at(0);
  }
  // The last operand of `mov.u32 %r1, <text>;`.
  Operand parse_source(const std::string& text) {
    const Instruction& instruction = parse_instruction("mov.u32 %r1, " + text + ";");
    return instruction.operands.empty() ? Operand{} : instruction.operands.back();
  }
  std::uint64_t immediate(const std::string& text) {
    const Operand operand = parse_source(text);
    EXPECT_EQ(operand.kind, Kind::integer) << text;
    return operand.bits;
  }

  std::unique_ptr<Module> module_;
};

TEST_F(PtxInstruction, MnemonicIsSplitAtItsDotsOnly) {
  const Instruction& i = parse_instruction("mbarrier.try_wait.shared::cta.b64 q, [%r1], %rd1;");
  EXPECT_EQ(i.mnemonic, "mbarrier.try_wait.shared::cta.b64");
  EXPECT_EQ(i.parts, (std::vector<std::string_view>{"mbarrier", "try_wait", "shared::cta", "b64"}));
}

TEST_F(PtxInstruction, ModifiersMayStartWithADigit) {
  const Instruction& i = parse_instruction("cp.async.bulk.tensor.2d.L2::128B [%r1], [%rd1];");
  EXPECT_EQ(i.parts.at(4), "2d");
  EXPECT_EQ(i.parts.at(5), "L2::128B");
}

TEST_F(PtxInstruction, ModifierMayBeARatio) {
  const Instruction& i = parse_instruction("tcgen05.ld.red.sp::2:4.abs.f32 {%r1}, [%r2];");
  EXPECT_EQ(i.parts.at(3), "sp::2:4");
  EXPECT_EQ(i.parts.at(4), "abs");
}

TEST_F(PtxInstruction, BlanksBeforeModifiersDoNotMatter) {
  const Instruction& i = parse_instruction("ld .global .u32 %r1, [%rd1];");
  EXPECT_EQ(i.mnemonic, "ld.global.u32");
}

TEST_F(PtxInstruction, LineIsThatOfTheMnemonic) {
  EXPECT_EQ(parse_instruction("\nadd.u32\n %r1, %r2,\n %r3;").line, 8);
}

TEST_F(PtxInstruction, GuardIsKept) {
  const Instruction& i = parse_instruction("@%p1 ret;");
  ASSERT_TRUE(i.guard.has_value());
  EXPECT_EQ(i.guard->name, "%p1");
  EXPECT_FALSE(i.guard->negated);
}

TEST_F(PtxInstruction, NegatedGuardIsKept) {
  EXPECT_TRUE(parse_instruction("@!q ret;").guard->negated);
}

TEST_F(PtxInstruction, GuardMustBeARegister) {
  EXPECT_NE(error_of_kernel("@nothing ret;").find("no register"), std::string::npos);
}

TEST_F(PtxInstruction, SpecialRegistersKeepTheirElement) {
  const Operand operand = parse_source("%tid.x");
  EXPECT_EQ(operand.kind, Kind::reg);
  EXPECT_EQ(operand.name, "%tid.x");
}

TEST_F(PtxInstruction, PartOfARegisterIsNotOfItsName) {
  const Operand operand = parse_source("%r3.b3210");
  EXPECT_EQ(operand.kind, Kind::reg);
  EXPECT_EQ(operand.name, "%r3");
  EXPECT_EQ(operand.part, "b3210");
}

TEST_F(PtxInstruction, RegisterMayBeNegated) {
  const Operand operand = parse_source("-%r3.h1");
  EXPECT_EQ(operand.name, "%r3");
  EXPECT_TRUE(operand.negated);
}

TEST_F(PtxInstruction, MinusBelongsToANumber) {
  const Operand operand = parse_source("-3+5");
  EXPECT_EQ(operand.kind, Kind::integer);
  EXPECT_EQ(operand.bits, 2u);
}

TEST_F(PtxInstruction, RegistersNeedNoPercentSign) {
  EXPECT_EQ(parse_source("t").kind, Kind::reg);
}

TEST_F(PtxInstruction, SymbolMayHaveAnOffset) {
  const Operand operand = parse_source("table+20");
  EXPECT_EQ(operand.kind, Kind::symbol);
  EXPECT_EQ(operand.name, "table");
  EXPECT_EQ(operand.offset, 20);
}

TEST_F(PtxInstruction, UnderscoreIsASink) {
  EXPECT_EQ(parse_source("_").kind, Kind::sink);
}

TEST_F(PtxInstruction, PairOfDestinations) {
  const Instruction& i = parse_instruction("shfl.sync.idx.b32 %r1|%p2, %r3, 0, 31, -1;");
  EXPECT_EQ(i.operands.at(0).name, "%r1");
  EXPECT_EQ(i.operands.at(0).second_name, "%p2");
  EXPECT_EQ(i.operands.size(), 5u);
}

TEST_F(PtxInstruction, EitherOfAPairMayBeASink) {
  EXPECT_EQ(parse_instruction("elect.sync _|%p1, -1;").operands.at(0).kind, Kind::sink);
  EXPECT_EQ(module_->functions.at(0).body.at(0).operands.at(0).second_name, "%p1");
  EXPECT_EQ(parse_instruction("setp.eq.u32 %p1|_, %r1, 0;").operands.at(0).second_name, "_");
}

TEST_F(PtxInstruction, NegatedPredicateOperand) {
  const Instruction& i = parse_instruction("setp.eq.and.u32 %p1, %r1, %r2, !%p2;");
  EXPECT_TRUE(i.operands.at(3).negated);
  EXPECT_EQ(i.operands.at(3).name, "%p2");
}

TEST_F(PtxInstruction, VectorHasItsElements) {
  const Instruction& i = parse_instruction("mov.b64 {%r1, _}, %rd1;");
  EXPECT_EQ(i.operands.at(0).kind, Kind::vector);
  ASSERT_EQ(i.operands.at(0).elements.size(), 2u);
  EXPECT_EQ(i.operands.at(0).elements.at(1).kind, Kind::sink);
}

TEST_F(PtxInstruction, AddressOfARegisterWithOffset) {
  const Operand a = parse_instruction("ld.u32 %r1, [%rd1+-8];").operands.at(1);
  EXPECT_EQ(a.kind, Kind::address);
  EXPECT_TRUE(a.base_is_register);
  EXPECT_EQ(a.offset, -8);
}

TEST_F(PtxInstruction, AddressOfASymbol) {
  const Operand a = parse_instruction("ld.param.u64 %rd1, [p+4];").operands.at(1);
  EXPECT_FALSE(a.base_is_register);
  EXPECT_EQ(a.name, "p");
  EXPECT_EQ(a.offset, 4);
}

TEST_F(PtxInstruction, AbsoluteAddressHasNoBase) {
  const Operand a = parse_instruction("ld.u32 %r1, [0x100];").operands.at(1);
  EXPECT_EQ(a.name, "");
  EXPECT_EQ(a.offset, 0x100);
}

TEST_F(PtxInstruction, TensorAddressHasMapAndCoordinates) {
  const Instruction& i = parse_instruction(
      "cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes"
      ".multicast::cluster.L2::cache_hint [%r1], [%rd1, {%r2, 7}], [%r3], %r4, %rd2;");
  ASSERT_EQ(i.operands.size(), 5u);
  EXPECT_EQ(i.operands.at(1).kind, Kind::tensor_address);
  ASSERT_EQ(i.operands.at(1).elements.size(), 2u);
  EXPECT_EQ(i.operands.at(1).elements.at(0).kind, Kind::address);
  EXPECT_EQ(i.operands.at(1).elements.at(0).name, "%rd1");
  EXPECT_EQ(i.operands.at(1).elements.at(1).kind, Kind::vector);
  EXPECT_EQ(i.operands.at(1).elements.at(1).elements.at(1).bits, 7u);
}

TEST_F(PtxInstruction, TensorAddressMayOverrideTheGlobalAddress) {
  const Instruction& i = parse_instruction(
      "cp.async.bulk.tensor.1d.shared::cluster.global.tile.mbarrier::complete_tx::bytes"
      ".cta_group::1.override::global_address [%r0], [%rd1, %rd2, {%r3}], [%r4];");
  const Operand& tensor = i.operands.at(1);
  ASSERT_EQ(tensor.elements.size(), 3u);
  EXPECT_EQ(tensor.elements.at(1).name, "%rd2");
  EXPECT_EQ(tensor.elements.at(2).kind, Kind::vector);
}

TEST_F(PtxInstruction, Im2colOffsetsAreAVector) {
  const Instruction& i = parse_instruction(
      "cp.async.bulk.tensor.4d.shared::cluster.global.im2col.mbarrier::complete_tx::bytes "
      "[%r1], [%rd1, {%r2,%r3,%r4,%r5}], [%r6], {%r7, %r8};");
  ASSERT_EQ(i.operands.size(), 4u);
  EXPECT_EQ(i.operands.at(3).kind, Kind::vector);
}

TEST_F(PtxInstruction, UnifiedAfterAnAddressIsAccepted) {
  EXPECT_EQ(parse_instruction("ld.global.u32 %r1, [%rd1].unified;").operands.size(), 2u);
}

TEST_F(PtxInstruction, IntegersInEveryBase) {
  EXPECT_EQ(immediate("42"), 42u);
  EXPECT_EQ(immediate("0x2A"), 42u);
  EXPECT_EQ(immediate("052"), 42u);
  EXPECT_EQ(immediate("0b101010"), 42u);
  EXPECT_EQ(immediate("42U"), 42u);
}

TEST_F(PtxInstruction, NegativeIntegerIsTwosComplement) {
  EXPECT_EQ(immediate("-1"), ~std::uint64_t{0});
}

TEST_F(PtxInstruction, LargestUnsignedInteger) {
  EXPECT_EQ(immediate("0xFFFFFFFFFFFFFFFF"), ~std::uint64_t{0});
}

TEST_F(PtxInstruction, NumberTooLongForItsTypeIsRefused) {
  EXPECT_NE(error_of_kernel("mov.u64 %rd1, 0x1FFFFFFFFFFFFFFFF;").find("not a PTX number"),
            std::string::npos);
  EXPECT_NE(error_of_kernel("mov.f32 %f1, 0f3F80;").find("not a PTX number"), std::string::npos);
}

TEST_F(PtxInstruction, FloatPatternsKeepTheirBits) {
  const Operand single = parse_source("0f3F800000");
  EXPECT_EQ(single.kind, Kind::float32);
  EXPECT_EQ(single.bits, 0x3F800000u);
  const Operand twice = parse_source("0d3FF0000000000000");
  EXPECT_EQ(twice.kind, Kind::float64);
  EXPECT_EQ(twice.bits, 0x3FF0000000000000u);
}

TEST_F(PtxInstruction, DecimalFloatIsADouble) {
  const Operand operand = parse_source("-1.5e-3");
  EXPECT_EQ(operand.kind, Kind::float64);
  EXPECT_EQ(std::bit_cast<double>(operand.bits), -1.5e-3);
}

TEST_F(PtxInstruction, ConstantExpressionsFollowCsPrecedence) {
  EXPECT_EQ(immediate("2+3*4"), 14u);
  EXPECT_EQ(immediate("(2+3)*4"), 20u);
  EXPECT_EQ(immediate("1<<4|3"), 19u);
  EXPECT_EQ(immediate("7 % 4 == 3 && !0 ? 10 : 20"), 10u);
  EXPECT_EQ(immediate("~0 & 0xFF"), 0xFFu);
  EXPECT_EQ(immediate("10-4-3"), 3u);
}

TEST_F(PtxInstruction, SignednessFollowsTheOperands) {
  EXPECT_EQ(immediate("-1 < 1"), 1u);
  EXPECT_EQ(immediate("-1 < 1U"), 0u);
  EXPECT_EQ(immediate("-8 >> 1"), static_cast<std::uint64_t>(-4));
  EXPECT_EQ(immediate("(.u64)-8 >> 60"), 15u);
}

TEST_F(PtxInstruction, WarpSizeIsAConstant) {
  EXPECT_EQ(immediate("WARP_SZ-1"), 31u);
}

TEST_F(PtxInstruction, DivisionByZeroIsAnError) {
  EXPECT_NE(error_of_kernel("mov.u32 %r1, 1/0;").find("divides by zero"), std::string::npos);
}

TEST_F(PtxInstruction, SmallestIntegerDividedByMinusOneWraps) {
  EXPECT_EQ(immediate("(-9223372036854775807-1)/-1"), std::uint64_t{1} << 63);
  EXPECT_EQ(immediate("(-9223372036854775807-1)%-1"), 0u);
}

TEST_F(PtxInstruction, EndlessParenthesesAreRefused) {
  EXPECT_NE(error_of_kernel("mov.u32 %r1, " + std::string(100000, '(')).find("too deeply"),
            std::string::npos);
}

TEST_F(PtxInstruction, DirectCallHasResultsNameAndArguments) {
  const Instruction& i = parse_instruction("call.uni (%r1), f, (%r2, 3);");
  ASSERT_EQ(i.operands.size(), 3u);
  EXPECT_EQ(i.operands.at(0).kind, Kind::call_list);
  EXPECT_EQ(i.operands.at(1).kind, Kind::symbol);
  EXPECT_EQ(i.operands.at(2).elements.size(), 2u);
}

TEST_F(PtxInstruction, CallMayHaveNothingButAName) {
  EXPECT_EQ(parse_instruction("call f;").operands.size(), 1u);
}

TEST_F(PtxInstruction, IndirectCallNamesItsPrototype) {
  const Instruction& i = parse_instruction(
      "proto: .callprototype (.param .b32 _) _ (.param .b64 _, .param .align 8 .b8 _[16]) "
      ".noreturn;\n"
      "call (t), %rd1, (%rd2, %r1), proto;");
  EXPECT_EQ(i.operands.at(1).kind, Kind::reg);
  EXPECT_EQ(i.operands.at(3).name, "proto");
  const CallPrototype& prototype = module_->functions.at(0).prototypes.at(0);
  EXPECT_EQ(prototype.name, "proto");
  EXPECT_EQ(prototype.results.size(), 1u);
  EXPECT_EQ(prototype.parameters.at(1).size(), 16u);
}

TEST_F(PtxInstruction, PrototypeWithoutResultIsAccepted) {
  parse_instruction("proto : .callprototype ()_ (.param .b64 _);\nret;");
  EXPECT_TRUE(module_->functions.at(0).prototypes.at(0).results.empty());
}

TEST_F(PtxInstruction, CallTargetsAreKept) {
  parse_instruction("targets: .calltargets f, g;\ncall %rd1, targets;");
  EXPECT_EQ(module_->functions.at(0).call_targets.at(0).functions,
            (std::vector<std::string_view>{"f", "g"}));
}

}  // namespace
}  // namespace tmaemu::ptx
