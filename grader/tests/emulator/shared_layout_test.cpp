// Where shared variables lie. The addresses are those that ptxas 13.0 gives.
#include "emulator/program/shared_layout.h"

#include <algorithm>
#include <map>
#include <optional>

#include "ptx_test_support.h"

namespace tmaemu {
namespace {

using ptx::testing::parse_module;
using Addresses = std::map<std::string, std::size_t>;

constexpr std::size_t first = 0x400;

struct Laid {
  Addresses addresses;
  std::size_t end = 0;
};

Laid lay_out(const std::string& text, const std::string& kernel = "k",
             const fatbin::KernelResources* machine_code = nullptr) {
  const auto module = parse_module(text);
  const auto function = std::ranges::find(module->functions, kernel, &ptx::Function::name);
  if (function == module->functions.end()) {
    ADD_FAILURE() << "no kernel " << kernel;
    return {};
  }
  const SharedLayout layout = lay_out_shared(*module, *function, first, machine_code);
  Laid laid{{}, layout.end};
  for (const auto& [variable, address] : layout.addresses) laid.addresses[variable->name] = address;
  return laid;
}

std::string kernel(const std::string& body, const std::string& name = "k") {
  return ".visible .entry " + name + "() {\n.reg .b32 %r<9>; .reg .b64 %rd<9>; .reg .pred %p;\n" +
         body + "\nret;\n}\n";
}
std::string function(const std::string& name, const std::string& body) {
  return ".func " + name + "() {\n.reg .b32 %r<9>; .reg .b64 %rd<9>;\n" + body + "\nret;\n}\n";
}

TEST(SharedLayout, DeclarationsGiveTheOrderAndNotUse) {
  const Laid laid =
      lay_out(".extern .shared .align 16 .b8 dynamic[];\n" +
              kernel(".shared .align 4 .b8 tile[4096];\n.shared .align 8 .b8 bar[16];\n"
                     "mov.u32 %r1, bar; mov.u32 %r2, dynamic; mov.u32 %r3, tile;"));
  EXPECT_EQ(laid.addresses, (Addresses{{"tile", 0x400}, {"bar", 0x1400}, {"dynamic", 0x1410}}));
  EXPECT_EQ(laid.end, 0x1410u);
}

TEST(SharedLayout, VariablesThatNothingNamesFollowAndCount) {
  const Laid laid =
      lay_out(kernel(".shared .align 32 .b8 unnamed[32];\n.shared .align 8 .b8 named[8];\n"
                     "st.shared.u32 [named+4], %r1;"));
  EXPECT_EQ(laid.addresses, (Addresses{{"named", 0x400}}));
  EXPECT_EQ(laid.end, 0x440u);
}

TEST(SharedLayout, ANameInCodeThatNeverRunsIsAName) {
  const Laid laid = lay_out(
      kernel(".shared .align 32 .b8 dead[32];\n.shared .align 8 .b8 alive[8];\n"
             "bra END;\nst.shared.v2.u32 [dead], {%r1, %r2};\nEND:\nst.shared.u32 [alive], %r1;"));
  EXPECT_EQ(laid.addresses, (Addresses{{"dead", 0x400}, {"alive", 0x420}}));
  EXPECT_EQ(laid.end, 0x428u);
}

TEST(SharedLayout, AKernelWithoutSharedVariablesHasNoStaticMemory) {
  EXPECT_EQ(lay_out(".shared .align 4 .b8 others[4];\n" + kernel("")).end, first);
}

TEST(SharedLayout, WhatOtherModulesCouldSeeComesFirst) {
  const std::string module =
      ".shared .align 4 .b8 own[4];\n.visible .shared .align 4 .b8 visible[4];\n"
      ".weak .shared .align 4 .b8 weak[4];\n.extern .shared .align 4 .b8 sized[4];\n";
  const std::string uses =
      ".shared .align 4 .b8 local[4];\nmov.u32 %r1, local; mov.u32 %r1, own; mov.u32 %r1, sized; "
      "mov.u32 %r1, weak; mov.u32 %r1, visible;";
  EXPECT_EQ(lay_out(module + kernel(uses)).addresses, (Addresses{{"visible", 0x400},
                                                                 {"weak", 0x404},
                                                                 {"sized", 0x408},
                                                                 {"local", 0x40C},
                                                                 {"own", 0x410}}));
}

TEST(SharedLayout, AKernelThatOthersCannotSeePutsTheModulesVariablesFirst) {
  const std::string module = ".shared .align 4 .b8 own[4];\n";
  std::string text =
      kernel(".shared .align 4 .b8 local[4];\nmov.u32 %r1, local; mov.u32 %r1, own;");
  EXPECT_EQ(lay_out(module + text).addresses, (Addresses{{"local", 0x400}, {"own", 0x404}}));
  text.erase(0, std::string(".visible ").size());
  EXPECT_EQ(lay_out(module + text).addresses, (Addresses{{"own", 0x400}, {"local", 0x404}}));
}

TEST(SharedLayout, FunctionsAreInTheOrderOfTheirFirstMention) {
  const auto helper = [](const std::string& name) {
    return function(name,
                    ".shared .align 4 .b8 of_" + name + "[4];\nmov.u32 %r1, of_" + name + ";");
  };
  const std::string text =
      ".func second();\n.func first();\n" + helper("first") + helper("second") + helper("never") +
      kernel(".shared .align 4 .b8 local[4];\nmov.u32 %r1, local;\ncall first;\ncall second;");
  EXPECT_EQ(lay_out(text).addresses,
            (Addresses{{"local", 0x400}, {"of_second", 0x404}, {"of_first", 0x408}}));
}

TEST(SharedLayout, AFunctionThatOthersSeeComesBeforeTheKernelBehindIt) {
  const std::string helper =
      function("helper", ".shared .align 4 .b8 of_helper[4];\nmov.u32 %r1, of_helper;");
  const std::string caller =
      kernel(".shared .align 4 .b8 local[4];\nmov.u32 %r1, local;\ncall helper;");
  EXPECT_EQ(lay_out(helper + caller).addresses,
            (Addresses{{"local", 0x400}, {"of_helper", 0x404}}));
  EXPECT_EQ(lay_out(".weak " + helper + caller).addresses,
            (Addresses{{"of_helper", 0x400}, {"local", 0x404}}));
}

TEST(SharedLayout, UnnamedVariablesAreTheKernelsThenThoseOfFunctionsByName) {
  const std::string text = function("zulu", ".shared .align 64 .b8 z[1];") +
                           function("alfa", ".shared .align 1 .b8 a[7];") +
                           kernel(".shared .align 1 .b8 own[3];\ncall zulu;\ncall alfa;");
  EXPECT_EQ(lay_out(text).end, 0x441u);  // own, a, z
}

TEST(SharedLayout, EachDynamicArrayIsAlignedBehindThoseBeforeIt) {
  const std::string module =
      ".extern .shared .align 4 .b8 low[];\n.extern .shared .align 64 .b8 high[];\n"
      ".extern .shared .align 1 .b8 last[];\n";
  const std::string local = ".shared .align 1 .b8 local[5];\nmov.u32 %r1, local;\n";
  const Laid laid = lay_out(module + kernel(local + "mov.u32 %r1, low; mov.u32 %r1, last;"));
  EXPECT_EQ(laid.addresses, (Addresses{{"local", 0x400}, {"low", 0x410}, {"last", 0x440}}));
  EXPECT_EQ(laid.end, 0x440u);
}

TEST(SharedLayout, DynamicArraysOfTheModuleAlignTheEndOfEveryKernel) {
  const std::string text = ".extern .shared .align 128 .b8 tile[];\n" +
                           kernel(".shared .align 1 .b8 local[5];\nmov.u32 %r1, local;");
  EXPECT_EQ(lay_out(text).end, 0x480u);
}

TEST(SharedLayout, DynamicMemoryMayBeginBelowUnnamedVariables) {
  const std::string text =
      ".extern .shared .align 16 .b8 tile[];\n" +
      kernel(
          ".shared .align 4 .b8 unnamed[100];\n.shared .align 4 .b8 named[4];\n"
          "mov.u32 %r1, named; mov.u32 %r1, tile;");
  const Laid laid = lay_out(text);
  EXPECT_EQ(laid.addresses, (Addresses{{"named", 0x400}, {"tile", 0x410}}));
  EXPECT_EQ(laid.end, 0x470u);
}

TEST(SharedLayout, AlignmentCountsFromTheFirstAddress) {
  const Laid laid =
      lay_out(".extern .shared .align 2048 .b8 tile[];\n" +
              kernel(".shared .align 4096 .b8 local[4];\nmov.u32 %r1, local; mov.u32 %r1, tile;"));
  EXPECT_EQ(laid.addresses, (Addresses{{"local", 0x400}, {"tile", 0xC00}}));
}

TEST(SharedLayout, WhoHoldsAFunctionsAddressReachesAllWhoseAddressIsHeld) {
  const auto helper = [](const std::string& name) {
    return function(name,
                    ".shared .align 4 .b8 of_" + name + "[4];\nmov.u32 %r1, of_" + name + ";");
  };
  const std::string text =
      ".func held();\n.func in_table();\n.func called();\n.global .u64 table[1] = {in_table};\n" +
      helper("held") + helper("in_table") + helper("called") + kernel("call called;", "calls") +
      kernel("mov.u64 %rd1, held;", "holds") +
      kernel("P: .callprototype _ ();\ncall %rd1, P;", "calls_pointer") +
      kernel("ld.global.u64 %rd1, [table];", "reads_table");
  const Addresses held{{"of_held", 0x400}, {"of_in_table", 0x404}};
  EXPECT_EQ(lay_out(text, "calls").addresses, (Addresses{{"of_called", 0x400}}));
  EXPECT_EQ(lay_out(text, "holds").addresses, held);
  EXPECT_EQ(lay_out(text, "calls_pointer").addresses, held);
  EXPECT_EQ(lay_out(text, "reads_table").addresses, held);
}

TEST(SharedLayout, AnAliasIsTheFunctionItStandsFor) {
  const std::string text =
      ".visible " + function("target", ".shared .align 4 .b8 own[4];\nmov.u32 %r1, own;") +
      ".visible .func other();\n.alias other, target;\n" + kernel("call other;");
  EXPECT_EQ(lay_out(text).addresses, (Addresses{{"own", 0x400}}));
}

fatbin::KernelResources machine_code(std::size_t bytes) {
  fatbin::KernelResources resources;
  resources.shared_bytes = bytes;
  return resources;
}

TEST(SharedLayout, MachineCodeTellsWhetherATableOfFunctionsCounts) {
  const std::string text =
      ".extern .shared .align 16 .b8 tile[];\n.func held();\n.global .u64 table[1] = {held};\n" +
      function("held", ".shared .align 4 .b8 own[64];\nmov.u32 %r1, own;") +
      kernel("ld.global.u64 %rd1, [table];\nmov.u32 %r1, tile;");
  const auto with = machine_code(0x440);
  const auto without = machine_code(0);
  EXPECT_EQ(lay_out(text, "k", &with).addresses, (Addresses{{"own", 0x400}, {"tile", 0x440}}));
  EXPECT_EQ(lay_out(text, "k", &without).addresses, (Addresses{{"tile", 0x400}}));
}

TEST(SharedLayout, MachineCodeOfAnotherTextOnlyAddsMemory) {
  const std::string text = kernel(".shared .align 4 .b8 local[64];\nmov.u32 %r1, local;");
  const auto more = machine_code(0x800);
  const auto less = machine_code(0x410);
  EXPECT_EQ(lay_out(text, "k", &more).end, 0x800u);
  EXPECT_EQ(lay_out(text, "k", &less).end, 0x440u);
}

TEST(SharedLayout, SymbolsOfMachineCodeTellTheAddresses) {
  const std::string text = kernel(
      ".shared .align 4 .b8 a[4];\n.shared .align 4 .b8 b[4];\n"
      "mov.u32 %r1, a; mov.u32 %r1, b;");
  auto debug = machine_code(0x420);
  debug.shared_variables = {{"a", 0x418}, {"b", 0x41C}, {"others", 0x400}};
  const Laid laid = lay_out(text, "k", &debug);
  EXPECT_EQ(laid.addresses, (Addresses{{"a", 0x418}, {"b", 0x41C}}));
  EXPECT_EQ(laid.end, 0x420u);
  debug.shared_variables.erase("b");  // not all of them: no telling which are right
  EXPECT_EQ(lay_out(text, "k", &debug).addresses, (Addresses{{"a", 0x400}, {"b", 0x404}}));
}

}  // namespace
}  // namespace tmaemu
