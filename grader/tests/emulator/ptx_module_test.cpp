// Module-level directives: version, target, files, linkage, function headers.
#include <gtest/gtest.h>

#include <thread>
#include <vector>

#include "emulator/ptx/parser.h"
#include "tests/emulator/ptx_test_support.h"

namespace tmaemu::ptx {
namespace {

using testing::error_of;
using testing::parse_module;

TEST(PtxType, NameOfEveryTypeNamesTheType) {
  for (int i = 1; i <= static_cast<int>(Type::f64); ++i) {
    const auto type = static_cast<Type>(i);
    EXPECT_EQ(type_from_name(name_of(type)), type) << name_of(type);
  }
}

TEST(PtxType, AnotherModifierNamesNoType) {
  EXPECT_EQ(type_from_name("global"), std::nullopt);
  EXPECT_EQ(type_from_name(""), std::nullopt);
}

TEST(PtxType, SizesAreInBytes) {
  EXPECT_EQ(size_of(Type::b8), 1u);
  EXPECT_EQ(size_of(Type::bf16x2), 4u);
  EXPECT_EQ(size_of(Type::b128), 16u);
  EXPECT_EQ(size_of(Type::pred), 0u);
}

TEST(PtxModule, VersionAndTargetAreRead) {
  const auto module = parse_module("");
  EXPECT_EQ(module->version_major, 9);
  EXPECT_EQ(module->version_minor, 0);
  EXPECT_EQ(module->target, "sm_90a");
}

TEST(PtxModule, VersionTenIsNotOne) {
  auto result = parse(".version 10.12\n.target sm_100a, debug\n.address_size 64\n");
  ASSERT_TRUE(result.ok());
  EXPECT_EQ((*result)->version_major, 10);
  EXPECT_EQ((*result)->version_minor, 12);
}

TEST(PtxModule, TextWithoutVersionIsRefused) {
  const auto result = parse("// empty\n");
  ASSERT_FALSE(result.ok());
  EXPECT_NE(result.error().message.find("no .version"), std::string::npos);
}

TEST(PtxModule, AddressesOf32BitsAreRefused) {
  const auto result = parse(".version 9.0\n.target sm_90\n.address_size 32\n");
  ASSERT_FALSE(result.ok());
}

TEST(PtxModule, ErrorNamesLineExpectationAndText) {
  EXPECT_EQ(error_of(".entry k() {\n  add.u32 %r1, ;\n}\n"),
            "PTX line 5: expected an operand, found \";\"\n  add.u32 %r1, ;");
}

TEST(PtxModule, CommentsCountTheirLines) {
  const std::string message = error_of("/* one\n two */ // three\n #\n");
  EXPECT_EQ(message.substr(0, 11), "PTX line 6:");
}

TEST(PtxModule, UnknownDirectiveIsNeverSkipped) {
  EXPECT_NE(error_of(".texref t;\n").find("found \".texref\""), std::string::npos);
}

TEST(PtxModule, LineTextIsTheLineWithoutItsEnd) {
  Module module;
  module.text = "one\ntwo\r\n\nfour";
  EXPECT_EQ(module.line_text(1), "one");
  EXPECT_EQ(module.line_text(2), "two");
  EXPECT_EQ(module.line_text(3), "");
  EXPECT_EQ(module.line_text(4), "four");
}

TEST(PtxModule, LineTextOutsideTheTextIsEmpty) {
  Module module;
  module.text = "one\n";
  EXPECT_EQ(module.line_text(0), "");
  EXPECT_EQ(module.line_text(-1), "");
  EXPECT_EQ(module.line_text(3), "");
}

TEST(PtxModule, ThreadsMayAskForLinesAtOnce) {
  Module module;
  for (int i = 1; i <= 1000; ++i) module.text += std::to_string(i) + "\n";
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&] { EXPECT_EQ(module.line_text(777), "777"); });
  }
  for (std::thread& thread : threads) thread.join();
}

TEST(PtxFunction, EntryHasItsParametersInOrder) {
  const auto module = parse_module(
      ".visible .entry k(\n.param .u64 .ptr .global .align 16 a,\n.param .align 64 .b8 "
      "b[128])\n{ret;}");
  const Function& k = module->functions.at(0);
  EXPECT_TRUE(k.is_entry);
  EXPECT_TRUE(k.is_visible);
  ASSERT_EQ(k.parameters.size(), 2u);
  EXPECT_EQ(k.parameters.at(0).name, "a");
  EXPECT_EQ(k.parameters.at(0).type, Type::u64);
  EXPECT_EQ(k.parameters.at(0).alignment, 8u) << "the pointer's, not its target's";
  EXPECT_EQ(k.parameters.at(1).alignment, 64u);
  EXPECT_EQ(k.parameters.at(1).size(), 128u);
}

TEST(PtxFunction, FunctionHasResultAndParameters) {
  const auto module =
      parse_module(".weak .func (.param .b32 r) f(.param .b32 a, .param .b64 b)\n{ret;}");
  const Function& f = module->functions.at(0);
  EXPECT_TRUE(f.is_weak);
  EXPECT_FALSE(f.is_entry);
  ASSERT_EQ(f.results.size(), 1u);
  EXPECT_EQ(f.results.at(0).name, "r");
  EXPECT_EQ(f.parameters.size(), 2u);
}

TEST(PtxFunction, RegisterParametersAreRegisters) {
  const auto module = parse_module(".func (.reg .u32 r) f(.reg .u32 a) { mov.u32 r, a; ret; }");
  const Function& f = module->functions.at(0);
  ASSERT_EQ(f.registers.size(), 2u);
  EXPECT_EQ(f.registers.at(1).name, "a");
  EXPECT_EQ(f.body.at(0).operands.at(1).kind, Operand::Kind::reg);
}

TEST(PtxFunction, DirectivesOfTheHeaderAreRead) {
  const auto module = parse_module(
      ".entry k() .maxntid 256, 2, 1 .reqntid 64 .minnctapersm 2 .maxnreg 32 .explicitcluster\n"
      ".reqnctapercluster 2, 1, 1 .maxclusterrank 8 .blocksareclusters .pragma "
      "\"nounroll\";\n{ret;}");
  const Function& k = module->functions.at(0);
  EXPECT_EQ(k.max_threads, (std::array<std::uint32_t, 3>{256, 2, 1}));
  EXPECT_EQ(k.required_threads, (std::array<std::uint32_t, 3>{64, 1, 1}));
  EXPECT_EQ(k.required_cluster, (std::array<std::uint32_t, 3>{2, 1, 1}));
  EXPECT_EQ(k.max_cluster_rank, 8u);
  EXPECT_EQ(k.min_ctas_per_sm, 2u);
  EXPECT_TRUE(k.explicit_cluster);
  EXPECT_TRUE(k.blocks_are_clusters);
}

TEST(PtxFunction, NoreturnIsKept) {
  const auto module = parse_module(".func f() .noreturn .abi_preserve 8\n{trap;}");
  EXPECT_TRUE(module->functions.at(0).is_noreturn);
}

TEST(PtxFunction, DefinitionTakesThePlaceOfItsDeclaration) {
  const auto module = parse_module(".func f(.param .b32 x);\n.func f(.param .b32 x)\n{ret;}");
  ASSERT_EQ(module->functions.size(), 1u);
  EXPECT_FALSE(module->functions.at(0).is_extern);
  EXPECT_EQ(module->functions.at(0).body.size(), 1u);
}

TEST(PtxFunction, DeclarationAfterTheDefinitionChangesNothing) {
  const auto module = parse_module(".func f() {ret;}\n.extern .func f();");
  ASSERT_EQ(module->functions.size(), 1u);
  EXPECT_FALSE(module->functions.at(0).is_extern);
}

TEST(PtxFunction, SecondDefinitionIsRefused) {
  EXPECT_NE(error_of(".func f() {ret;}\n.func f() {ret;}").find("a second time"),
            std::string::npos);
}

TEST(PtxFunction, DeclarationWithoutBodyIsExtern) {
  const auto module =
      parse_module(".extern .func (.param .b32 r) vprintf(.param .b64 a, .param .b64 b);");
  EXPECT_TRUE(module->functions.at(0).is_extern);
}

TEST(PtxModule, AliasIsKept) {
  const auto module = parse_module(".func f() {ret;}\n.func g();\n.alias g, f;");
  ASSERT_EQ(module->aliases.size(), 1u);
  EXPECT_EQ(module->aliases.at(0).name, "g");
  EXPECT_EQ(module->aliases.at(0).target, "f");
}

}  // namespace
}  // namespace tmaemu::ptx
