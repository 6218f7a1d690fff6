// PTX with absurd sizes, and operands of sizes that an instruction cannot take: time and memory
// stay in proportion to the text, and what is not modeled is refused instead of read as something
// else.
#include <gtest/gtest.h>

#include <algorithm>
#include <mutex>
#include <string>

#include "emulator/device/device.h"
#include "emulator/device/module.h"
#include "emulator/isa/tables.h"

namespace tmaemu {
namespace {

class LoadedPtx {
 public:
  explicit LoadedPtx(const std::string& text) : lock_(Device::instance().mutex()) {
    auto loaded =
        Device::instance().load(".version 9.0\n.target sm_90a\n.address_size 64\n" + text);
    if (loaded) module_ = *loaded;
    if (!loaded) error_ = loaded.error().message;
  }
  ~LoadedPtx() {
    if (module_ != nullptr) Device::instance().unload(module_);
  }
  LoadedPtx(const LoadedPtx&) = delete;
  LoadedPtx& operator=(const LoadedPtx&) = delete;

  const LoadedModule* module() const { return module_; }
  const std::string& error() const { return error_; }
  const Program& program() const {
    return static_cast<const LoadedKernel*>(module_->find_kernel("k"))->program();
  }

 private:
  std::lock_guard<std::recursive_mutex> lock_;
  LoadedModule* module_ = nullptr;
  std::string error_;
};

std::string kernel(const std::string& body) {
  return ".entry k()\n{\n" + body + "\nret;\n}\n";
}

// Why the first refused instruction of the kernel is refused; empty where none is.
std::string refusal_of(const std::string& body, const std::string& declarations = "") {
  const LoadedPtx ptx(declarations + kernel(body));
  if (ptx.module() == nullptr) return ptx.error();
  const auto& code = ptx.program().code;
  const auto refused = std::ranges::find(code, instruction_set().refusal, &Operation::execute);
  return refused == code.end() ? "" : *static_cast<const std::string*>(refused->detail);
}

void expect_refused(const std::string& body, const std::string& why) {
  const std::string reason = refusal_of(body);
  EXPECT_NE(reason.find(why), std::string::npos) << "\"" << reason << "\" for\n" << body;
}

TEST(DecoderLimits, OnlyRegistersThatAreNamedTakeMemory) {
  const LoadedPtx ptx(kernel(".reg .b64 %rd<1000000>; mov.u64 %rd999999, 1;"));
  ASSERT_NE(ptx.module(), nullptr) << ptx.error();
  EXPECT_LT(ptx.program().functions.front().register_bytes, std::size_t{4096});
}

TEST(DecoderLimits, RegisterBehindItsRangeIsRefused) {
  expect_refused(".reg .b64 %rd<4>; mov.u64 %rd4, 1;", "%rd4");
}

TEST(DecoderLimits, NamesOfSimilarRegistersStayApart) {
  EXPECT_EQ(refusal_of(".reg .b32 %r<4>; .reg .b64 %r4; mov.u64 %r4, 1; mov.u32 %r3, 1;"), "");
}

TEST(DecoderLimits, VariableOfAHundredGigabytesCostsNothingUntilItIsUsed) {
  const LoadedPtx ptx(".global .b8 large[100000000000];\n" + kernel(""));
  ASSERT_NE(ptx.module(), nullptr) << ptx.error();
  EXPECT_EQ(ptx.module()->find_variable("large")->size, std::size_t{100'000'000'000});
}

TEST(DecoderLimits, VariableWithoutInitializerIsZeroWhereMemoryWasUsedBefore) {
  GlobalMemory& memory = Device::instance().memory();
  constexpr std::size_t bytes = 8192;
  const std::uint64_t before = *memory.allocate(bytes);
  memory.free(before);
  const LoadedPtx ptx(".global .b8 zeros[8192];\n" + kernel(""));
  ASSERT_NE(ptx.module(), nullptr) << ptx.error();
  const std::byte* contents =
      memory.translate(ptx.module()->find_variable("zeros")->address, bytes);
  EXPECT_TRUE(
      std::all_of(contents, contents + bytes, [](std::byte b) { return b == std::byte{}; }));
}

TEST(DecoderLimits, AlignmentThatMemoryCannotGiveIsRefused) {
  const LoadedPtx ptx(".global .align 8192 .b8 v[4];\n" + kernel(""));
  EXPECT_NE(ptx.error().find("alignment of 8192"), std::string::npos) << ptx.error();
}

TEST(DecoderLimits, VariablesThatOverflowAFrameAreRefused) {
  expect_refused(".local .b8 l[800000000]; .local .b8 m[800000000];", "too large");
}

TEST(DecoderLimits, SharedMemoryBeyond32BitsIsRefused) {
  const LoadedPtx ptx(".shared .b8 s[8000000000];\n" + kernel(".reg .b32 %r; mov.u32 %r, s;"));
  ASSERT_NE(ptx.module(), nullptr) << ptx.error();
  EXPECT_EQ(ptx.program().code.front().execute, instruction_set().refusal);
}

TEST(DecoderOperands, SpecialRegisterOf32BitsIsNoSourceOf16) {
  expect_refused(".reg .b16 %rs; mov.u16 %rs, %tid.x;", "another size");
}

TEST(DecoderOperands, LiteralOf64BitsIsNoSourceOf128) {
  expect_refused(".reg .b128 %q; mov.b128 %q, 5;", "128-bit");
}

TEST(DecoderOperands, VectorFillsTheValueItIsMovedTo) {
  expect_refused(".reg .b32 %a, %b, %c; .reg .b64 %d; mov.b64 %d, {%a, %b, %c};", "does not fill");
}

TEST(DecoderSymbols, WhatOnlyALinkerFindsIsRefusedWithWhatToDo) {
  const std::string what_to_do = "without -rdc=true";
  const std::string call = refusal_of("call twice;", ".extern .func twice;\n");
  EXPECT_NE(call.find("of twice, which is neither defined"), std::string::npos) << call;
  EXPECT_NE(call.find(what_to_do), std::string::npos) << call;
  const std::string variable =
      refusal_of(".reg .b64 %a; mov.u64 %a, counter;", ".extern .global .b32 counter;\n");
  EXPECT_NE(variable.find("names counter, which is not defined"), std::string::npos) << variable;
  EXPECT_NE(variable.find(what_to_do), std::string::npos) << variable;
}

}  // namespace
}  // namespace tmaemu
