// .file, .loc and .section: every instruction knows its source line and who inlined it.
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/emulator/ptx_test_support.h"

namespace tmaemu::ptx {
namespace {

using testing::error_of;
using testing::parse_module;

std::string kernel(const std::string& body) {
  return ".entry k() {\n" + body + "\n}\n";
}

constexpr const char* file = ".file 1 \"lab.cu\"\n";
constexpr const char* files = ".file 1 \"lab.cu\"\n.file 7 \"wrapper.h\", 123, 456\n";
// "outer" and "inner", as the compiler writes strings.
constexpr const char* strings =
    ".section .debug_str\n{\n$S0:\n.b8 111,117,116,101,114,0\n$S1:\n.b8 105,110,110\n.b8 "
    "101,114,0\n}\n";

TEST(PtxSourceLine, InstructionTakesTheLastLoc) {
  const auto module = parse_module(kernel(".loc 1 41 5\nret;\nret;\n.loc 1 42 0\nret;") + file);
  const Function& k = module->functions.at(0);
  EXPECT_EQ(k.body.at(0).source, (SourceLocation{0, 41, 5, -1}));
  EXPECT_EQ(k.body.at(1).source, k.body.at(0).source);
  EXPECT_EQ(k.body.at(2).source.line, 42u);
  EXPECT_EQ(module->files.at(0), "lab.cu");
}

TEST(PtxSourceLine, InstructionBeforeAnyLocHasNoLine) {
  const auto module = parse_module(kernel("ret;"));
  EXPECT_EQ(module->functions.at(0).body.at(0).source, SourceLocation{});
}

// The second instruction is that of two lines.
TEST(PtxSourceLine, InstructionOfSeveralLinesIsNearTheLineInFrontOfIt) {
  const auto module =
      parse_module(kernel(".loc 1 41 5\nret;\n.loc 1 0 0\nret;\n.loc 1 50 0\nret;") + file);
  const Function& k = module->functions.at(0);
  EXPECT_EQ(k.body.at(1).source, (SourceLocation{0, 41, 5, -1, true}));
  EXPECT_FALSE(k.body.at(0).source.is_near);
}

TEST(PtxSourceLine, InstructionOfSeveralLinesIsNearTheLineBehindItWhereItBeginsABlock) {
  const auto module =
      parse_module(kernel(".loc 1 41 5\nret;\nL:\n.loc 1 0 0\nret;\n.loc 1 50 2\nret;") + file);
  EXPECT_EQ(module->functions.at(0).body.at(1).source, (SourceLocation{0, 50, 2, -1, true}));
}

TEST(PtxSourceLine, InstructionOfSeveralLinesHasNoneInABlockWithoutLines) {
  const auto module =
      parse_module(kernel(".loc 1 41 5\nret;\nL:\n.loc 1 0 0\nret;\nM:\n.loc 1 50 2\nret;") + file);
  EXPECT_EQ(module->functions.at(0).body.at(1).source.line, 0u);
}

TEST(PtxSourceLine, InstructionOfSeveralLinesIsNearTheCallOfWhatWasInlinedInFrontOfIt) {
  const auto module =
      parse_module(kernel(".loc 1 41 5\n.loc 7 9 3, function_name $S1, inlined_at 1 41 5\nret;\n"
                          ".loc 1 0 0\nret;") +
                   files + strings);
  EXPECT_EQ(module->functions.at(0).body.at(1).source, (SourceLocation{0, 41, 5, -1, true}));
}

TEST(PtxSourceLine, InstructionOfSeveralLinesOfAHelperIsNearTheCallOfTheHelper) {
  const auto module = parse_module(
      kernel(".loc 1 40 5\nret;\n.loc 7 0 0, function_name $S1, inlined_at 1 41 5\nret;") + files +
      strings);
  EXPECT_EQ(module->functions.at(0).body.at(1).source, (SourceLocation{0, 41, 5, -1, true}));
}

TEST(PtxSourceLine, LocDoesNotReachIntoTheNextFunction) {
  const auto module =
      parse_module(".func f() {\n.loc 1 41 5\nret;\n}\n.func g() {\nret;\n}\n" + std::string(file));
  EXPECT_EQ(module->functions.at(1).body.at(0).source.line, 0u);
}

TEST(PtxSourceLine, FilesAreNumberedAnew) {
  const auto module = parse_module(kernel(".loc 7 3 1\nret;") + files);
  EXPECT_EQ(module->files.at(module->functions.at(0).body.at(0).source.file), "wrapper.h");
}

TEST(PtxSourceLine, FileThatNobodyDeclaredIsAnError) {
  EXPECT_NE(error_of(kernel(".loc 3 1 1\nret;")).find("file number 3"), std::string::npos);
}

TEST(PtxSourceLine, EscapesInFileNamesAreUndone) {
  const auto module = parse_module(".file 1 \"a\\\\b\\\"c.cu\"\n");
  EXPECT_EQ(module->files.at(0), "a\\b\"c.cu");
}

TEST(PtxSourceLine, InlinedInstructionNamesCallAndFunction) {
  const auto module =
      parse_module(kernel(".loc 1 41 5\n.loc 7 9 3, function_name $S1, inlined_at 1 41 5\nret;") +
                   files + strings);
  const SourceLocation source = module->functions.at(0).body.at(0).source;
  EXPECT_EQ(source.line, 9u);
  const InlineSite& site = module->inline_sites.at(source.inlined_at);
  EXPECT_EQ(site.function, "inner");
  EXPECT_EQ(site.call, (SourceLocation{0, 41, 5, -1}));
}

TEST(PtxSourceLine, ChainOfInliningIsFollowedOutwards) {
  const auto module =
      parse_module(kernel(".loc 1 41 5\n.loc 7 20 2, function_name $S0, inlined_at 1 41 5\n"
                          ".loc 7 9 3, function_name $S1, inlined_at 7 20 2\nret;") +
                   files + strings);
  const SourceLocation source = module->functions.at(0).body.at(0).source;
  const InlineSite& inner = module->inline_sites.at(source.inlined_at);
  EXPECT_EQ(inner.function, "inner");
  EXPECT_EQ(inner.call.line, 20u);
  const InlineSite& outer = module->inline_sites.at(inner.call.inlined_at);
  EXPECT_EQ(outer.function, "outer");
  EXPECT_EQ(outer.call, (SourceLocation{0, 41, 5, -1}));
}

TEST(PtxSourceLine, ChainOfInliningEndsAtItsFunction) {
  const std::string outer = ".loc 7 20 2, function_name $S0, inlined_at 1 41 5\nret;\n";
  const std::string inner = ".loc 7 9 3, function_name $S1, inlined_at 7 20 2\nret;\n";
  const auto module =
      parse_module(".func f() {\n" + outer + "}\n.func g() {\n" + inner + "}\n" + files + strings);
  const SourceLocation source = module->functions.at(1).body.at(0).source;
  EXPECT_EQ(module->inline_sites.at(source.inlined_at).call.inlined_at, -1);
}

TEST(PtxSourceLine, SameCallIsOneSite) {
  const std::string loc = ".loc 7 9 3, function_name $S1, inlined_at 1 41 5\nret;\n";
  const auto module = parse_module(kernel(loc + ".loc 1 42 1\nret;\n" + loc) + files + strings);
  EXPECT_EQ(module->inline_sites.size(), 1u);
}

TEST(PtxSourceLine, NameMayBeGivenByAnOffset) {
  const auto module = parse_module(
      kernel(".loc 7 9 3, function_name $S0+6, inlined_at 1 41 5\nret;") + files + strings);
  EXPECT_EQ(module->inline_sites.at(0).function, "inner");
}

TEST(PtxSourceLine, FunctionWithoutANameHasAnEmptyOne) {
  const auto module = parse_module(
      kernel(".loc 7 9 3, function_name $S0+99, inlined_at 1 41 5\nret;") + files + strings);
  EXPECT_EQ(module->inline_sites.at(0).function, "");
}

// A helper, lab.cu's lines 155 and 157, is called in the lines 17 and 18 of a kernel, and calls
// another one, which stands in line 131.
constexpr const char* call_in_17 =
    ".loc 1 17 5\n.loc 7 155 3, function_name $S0, inlined_at 1 17 5\n";
constexpr const char* call_in_18 =
    ".loc 1 18 5\n.loc 7 155 3, function_name $S0, inlined_at 1 18 5\n";
constexpr const char* inner = ".loc 7 131 13, function_name $S1, inlined_at 7 155 3\nmembar.cta;\n";
constexpr const char* back_in_17 =
    ".loc 7 155 3, function_name $S0, inlined_at 1 17 5\nmembar.gl;\n";
constexpr const char* back_in_18 =
    ".loc 7 155 3, function_name $S0, inlined_at 1 18 5\nmembar.gl;\n";

// The kernel's lines that the calls may be of which the instruction was inlined through.
std::vector<std::uint32_t> lines_of_calls(const Module& module, std::size_t instruction) {
  const auto line_of = [&](std::int32_t site) {
    const std::int32_t outer = module.inline_sites.at(site).call.inlined_at;
    return module.inline_sites.at(outer).call.line;
  };
  const std::int32_t site = module.functions.at(0).body.at(instruction).source.inlined_at;
  std::vector<std::uint32_t> lines{line_of(site)};
  for (const std::int32_t other : module.inline_sites.at(site).alternatives) {
    lines.push_back(line_of(other));
  }
  std::ranges::sort(lines);
  return lines;
}

TEST(PtxSourceLine, CopyIsOfTheCallThatItGoesBackInto) {
  const std::string copies = std::string(inner) + back_in_17 + inner + back_in_18;
  const auto module =
      parse_module(kernel(std::string(call_in_17) + inner + back_in_17 + call_in_18 + inner +
                          back_in_18 + ".loc 1 19 5\nbar.sync 0;\n" + copies + copies + "ret;") +
                   files + strings);
  using Lines = std::vector<std::uint32_t>;
  EXPECT_EQ(lines_of_calls(*module, 0), Lines{17});
  EXPECT_EQ(lines_of_calls(*module, 2), Lines{18});
  for (const std::size_t copy : {5, 9}) {
    EXPECT_EQ(lines_of_calls(*module, copy), Lines{17});
    EXPECT_EQ(lines_of_calls(*module, copy + 2), Lines{18});
  }
}

TEST(PtxSourceLine, CopyThatNothingDecidesAboutMayBeOfEachCall) {
  const auto module = parse_module(kernel(std::string(call_in_17) + inner + call_in_18 + inner +
                                          ".loc 1 19 5\nbar.sync 0;\n" + inner + "ret;") +
                                   files + strings);
  EXPECT_EQ(lines_of_calls(*module, 3), (std::vector<std::uint32_t>{17, 18}));
}

TEST(PtxSourceLine, DebugSectionsOfEveryFormAreRead) {
  parse_module(
      ".section .debug_info\n{\n.b32 .debug_abbrev\n.b64 $L__tmp0\n.b32 .debug_str+4\n"
      ".b64 $L__tmp1-$L__tmp0\n.b8 1,2,3\n.b16 -1\n$L__end:\n}\n.section .debug_macinfo { .b8 0 "
      "}\n");
}

TEST(PtxSourceLine, SectionThatIsNoDebuggingDataIsRefused) {
  EXPECT_NE(error_of(".section .debug_info { mov.u32 %r1, 0; }").find("expected"),
            std::string::npos);
}

}  // namespace
}  // namespace tmaemu::ptx
