// PTX that no compiler writes, made to reach memory of the process that executes it: the replay,
// whose word is the verdict. Whatever it asks for, it stays in memory of its own and ends with an
// error of CUDA's. What goes astray here shows under AddressSanitizer (make test-sanitized).
#include <gtest/gtest.h>

#include <mutex>
#include <span>
#include <string>
#include <vector>

#include "emulator/device/device.h"
#include "emulator/memory/global_memory.h"
#include "emulator/tma/tensor_map.h"

namespace tmaemu {
namespace {

struct Hostile {
  std::string functions;  // in front of the kernel
  std::string body;
  std::string parameters;  // of the kernel: ".param .u64 p"
  std::vector<std::byte> values{};
};

LaunchOutcome outcome_of(const Hostile& hostile) {
  const std::lock_guard lock(Device::instance().mutex());
  Device& device = Device::instance();
  auto module = device.load(".version 9.0\n.target sm_90a\n.address_size 64\n" + hostile.functions +
                            ".visible .entry k(" + hostile.parameters + ")\n{\n" + hostile.body +
                            "\nret;\n}\n");
  if (!module) {
    ADD_FAILURE() << module.error().message;
    return LaunchOutcome::completed;
  }
  LaunchRequest request;
  request.parameters = hostile.values;
  const LaunchOutcome outcome = device.launch(*device.find_kernel(*module, "k"), request);
  device.unload(*module);
  return outcome;
}

LaunchOutcome outcome_of(const std::string& body, const std::string& functions = "") {
  return outcome_of(Hostile{functions, body, "", {}});
}

// --- Calls ---

TEST(HostileCall, ResultOfTheDriversFunctionLiesInTheCallersFrame) {
  EXPECT_EQ(outcome_of(".param .b64 size;\nst.param.b64 [size], 8;\ncall (s), malloc, (size);",
                       ".shared .align 8 .b8 s[4096];\n"),
            LaunchOutcome::not_modeled);
}

TEST(HostileCall, ResultOfAFunctionIsNoConstant) {
  EXPECT_EQ(outcome_of("call (5), f;", ".func (.reg .b32 x) f()\n{\nret;\n}\n"),
            LaunchOutcome::not_modeled);
}

TEST(HostileCall, ParameterOfAKernelIsNoneOfTheDriversFunction) {
  EXPECT_EQ(outcome_of({"", ".param .b64 p;\ncall (p), malloc, (size);", ".param .u64 size",
                        std::vector<std::byte>(8)}),
            LaunchOutcome::not_modeled);
}

TEST(HostileCall, DriversFunctionHasAllItsParameters) {
  EXPECT_EQ(outcome_of(".param .b32 r;\ncall (r), vprintf;"), LaunchOutcome::not_modeled);
}

TEST(HostileCall, DriversFunctionHasParametersOfItsSizes) {
  EXPECT_EQ(outcome_of(".param .b8 small;\n.param .b64 p;\ncall (p), malloc, (small);"),
            LaunchOutcome::not_modeled);
}

// Why a module with this function is refused.
std::string refusal_of(const std::string& function) {
  const std::lock_guard lock(Device::instance().mutex());
  const auto module = Device::instance().load(".version 9.0\n.target sm_90a\n.address_size 64\n" +
                                              function + "\n{\nret;\n}\n");
  return module ? "" : module.error().message;
}

TEST(HostileCall, RegisterOfAFunctionIsNoArray) {
  EXPECT_NE(refusal_of(".func f(.reg .b32 x[1024])").find("no register"), std::string::npos);
}

TEST(HostileCall, RegisterOfAFunctionIsNoVector) {
  EXPECT_NE(refusal_of(".func (.reg .v4 .b32 x) f").find("no register"), std::string::npos);
}

TEST(HostileCall, ParameterOfAFunctionHasAName) {
  EXPECT_NE(refusal_of(".func f(.param .b8 _, .param .b8 _[4096])").find("names its parameters"),
            std::string::npos);
}

TEST(HostileCall, RegisterIsNoVectorOfAFunction) {
  EXPECT_EQ(outcome_of(".reg .b32 %r;\ncall (%r), f;", ".func (.param .v4 .b32 x) f\n{\nret;\n}\n"),
            LaunchOutcome::not_modeled);
}

// --- Memory ---

TEST(HostileLoad, KernelHasNoParametersBehindItsOwn) {
  EXPECT_EQ(outcome_of({"", ".reg .b64 %d;\nld.param.u64 %d, [p+65536];", ".param .u64 p",
                        std::vector<std::byte>(8)}),
            LaunchOutcome::not_modeled);
}

TEST(HostileLoad, KernelHasNoParametersBeforeItsOwn) {
  EXPECT_EQ(outcome_of({"", ".reg .b64 %d;\nld.param.u64 %d, [p-65536];", ".param .u64 p",
                        std::vector<std::byte>(8)}),
            LaunchOutcome::not_modeled);
}

// Both threads' warp has used the block before, and so knows where it was. The heap stays mapped.
TEST(HostileFree, WhatIsFreedMayBeWritten) {
  EXPECT_EQ(outcome_of(".param .b64 size, p;\n.reg .b64 %p;\nst.param.b64 [size], 64;\n"
                       "call (p), malloc, (size);\nld.param.b64 %p, [p];\n"
                       "st.u32 [%p], 1;\ncall free, (p);\nst.u32 [%p], 2;"),
            LaunchOutcome::completed);
}

TEST(HostileFree, CopyUnderWayFromWhatIsFreedGoesOn) {
  EXPECT_EQ(outcome_of(".param .b64 size, p;\n.reg .b64 %p;\n.reg .b32 %s;\n"
                       "st.param.b64 [size], 64;\ncall (p), malloc, (size);\n"
                       "ld.param.b64 %p, [p];\nmov.u32 %s, s;\n"
                       "cp.async.ca.shared.global [%s], [%p], 16;\ncall free, (p);\n"
                       "cp.async.wait_all;",
                       ".shared .align 16 .b8 s[64];\n"),
            LaunchOutcome::completed);
}

TEST(HostileFree, StoreUnderWayToWhatIsFreedGoesOn) {
  EXPECT_EQ(outcome_of(".param .b64 size, p;\n.reg .b64 %p;\n.reg .b32 %s;\n"
                       "st.param.b64 [size], 64;\ncall (p), malloc, (size);\n"
                       "ld.param.b64 %p, [p];\nmov.u32 %s, s;\n"
                       "cp.async.bulk.global.shared::cta.bulk_group [%p], [%s], 64;\n"
                       "cp.async.bulk.commit_group;\ncall free, (p);\n"
                       "cp.async.bulk.wait_group 0;",
                       ".shared .align 16 .b8 s[64];\n"),
            LaunchOutcome::completed);
}

// --- Copies of no bytes, from nowhere to nowhere ---

TEST(HostileCopy, OfNoBytesTouchesNone) {
  EXPECT_EQ(outcome_of(".reg .b64 %g;\n.reg .b32 %s;\nmov.u64 %g, 0;\nmov.u32 %s, s;\n"
                       "cp.async.bulk.global.shared::cta.bulk_group [%g], [%s], 0;\n"
                       "cp.reduce.async.bulk.global.shared::cta.bulk_group.add.u32 [%g], [%s], 0;\n"
                       "cp.async.bulk.commit_group;\ncp.async.bulk.wait_group 0;",
                       ".shared .align 16 .b8 s[64];\n"),
            LaunchOutcome::completed);
}

// --- Operands of other sizes than their instruction works with ---

TEST(HostileOperands, AddressesHave32Or64Bits) {
  for (const char* body :
       {".reg .b16 %h; mapa.b16 %h, %h, 0;", ".reg .b32 %r; .reg .b16 %h; getctarank.b16 %r, %h;",
        ".reg .pred %p; mapa.pred %p, %p, 0;", "slct.b8.s32 _, 1, 1, 1;",
        "slct.pred.s32 _, 1, 1, 1;", ".reg .b16 %h; mov.u16 %h, %clock;",
        ".reg .pred %p; mov.pred %p, %clock;"}) {
    EXPECT_EQ(outcome_of(body), LaunchOutcome::not_modeled) << body;
  }
}

// --- Tensor maps ---

tma::TensorMap harmless_map() {
  tma::TensorMap map;
  map.type = tma::DataType::u8;
  map.rank = 2;
  map.global_address = 0x5800'0000'0000;
  map.global_size = {64, 64};
  map.global_stride = {64};
  map.box_size = {16, 4};
  map.element_stride = {1, 1};
  return map;
}

// Loads a box of the map at `coordinates`, and waits for it.
LaunchOutcome load_with(const tma::TensorMap& map, const std::string& rank,
                        const std::string& coordinates) {
  const auto bytes = tma::encode(map);
  return outcome_of({".shared .align 128 .b8 tile[4096];\n.shared .align 8 .b64 barrier;\n",
                     ".reg .b64 %m, %s;\n.reg .b32 %t, %b;\n.reg .pred %p;\nmov.b64 %m, map;\n"
                     "cvta.param.u64 %m, %m;\nmov.u32 %t, tile;\nmov.u32 %b, barrier;\n"
                     "mbarrier.init.shared.b64 [%b], 1;\n"
                     "cp.async.bulk.tensor." +
                         rank +
                         ".shared::cluster.global.mbarrier::complete_tx::bytes [%t], [%m, {" +
                         coordinates +
                         "}], [%b];\nmbarrier.arrive.expect_tx.shared.b64 %s, [%b], 64;\n"
                         "mbarrier.try_wait.parity.shared.b64 %p, [%b], 0;",
                     ".param .align 128 .b8 map[128]",
                     {bytes.begin(), bytes.end()}});
}

TEST(HostileTensorMap, BytesThatNoDriverWroteAreRefusedAtTheirUse) {
  const auto expect_refused = [](const char* what, auto change) {
    tma::TensorMap map = harmless_map();
    change(map);
    EXPECT_EQ(load_with(map, "2d", "0, 0"), LaunchOutcome::illegal_instruction) << what;
  };
  expect_refused("type", [](auto& map) { map.type = static_cast<tma::DataType>(200); });
  expect_refused("mode", [](auto& map) { map.mode = static_cast<tma::Mode>(7); });
  expect_refused("interleave", [](auto& map) { map.interleave = static_cast<tma::Interleave>(9); });
  expect_refused("swizzle", [](auto& map) { map.swizzle = static_cast<Swizzle>(60); });
  expect_refused("rank", [](auto& map) { map.rank = 200; });
  expect_refused("element stride", [](auto& map) { map.element_stride[1] = 0; });
  expect_refused("box", [](auto& map) { map.box_size[1] = 0; });
  expect_refused("size", [](auto& map) { map.global_size[1] = 0; });
  expect_refused("fill", [](auto& map) { map.fill = tma::OutOfBoundsFill::nan_request_zero_fma; });
}

// The driver divides by the element strides and rounds down: to no bytes at all. The box lies
// beside the tensor, so that the engine would fill it.
TEST(HostileTensorMap, BoxOfFourGibibytesIsNotTakenForAnEmptyOne) {
  tma::TensorMap map = harmless_map();
  map.rank = 5;
  map.global_size = {256, 1, 1, 1, 1};
  map.global_stride = {256, 256, 256, 256};
  map.box_size = {256, 256, 256, 256, 1};
  map.element_stride = {1, 1, 1, 1, 8};
  ASSERT_TRUE(tma::validate(map)) << tma::validate(map).error().message;
  EXPECT_EQ(load_with(map, "5d", "0, 9, 0, 0, 0"), LaunchOutcome::illegal_address);
}

TEST(HostileTensorMap, TensorOfMoreThanAllAddressesIsNotTakenForASmallOne) {
  const std::lock_guard lock(Device::instance().mutex());
  GlobalMemory& memory = Device::instance().memory();
  tma::TensorMap map = harmless_map();
  map.global_address = *memory.allocate(4096);
  map.global_size = {64, (std::uint64_t{1} << 25) + 1};  // 2^25 * 2^39 is 0, modulo 2^64
  map.global_stride = {std::uint64_t{1} << 39};
  ASSERT_TRUE(tma::validate(map)) << tma::validate(map).error().message;
  EXPECT_EQ(load_with(map, "2d", "0, 0"), LaunchOutcome::illegal_address);
  memory.free(map.global_address);
}

TEST(HostileTensorMap, ReplacedFieldTakesNoMoreThanItHolds) {
  for (const char* field : {"box_dim", "element_stride"}) {
    const auto bytes = tma::encode(harmless_map());
    std::string values;
    for (const std::byte byte : bytes) values += std::to_string(std::to_integer<int>(byte)) + ", ";
    EXPECT_EQ(outcome_of(".reg .b64 %m;\nmov.u64 %m, map;\ntensormap.replace.tile." +
                             std::string(field) + ".global.b1024.b32 [%m], 1, 70000;",
                         ".global .align 128 .b8 map[128] = {" +
                             values.substr(0, values.size() - 2) + "};\n"),
              LaunchOutcome::illegal_instruction)
        << field;
  }
}

// --- Barriers ---

TEST(HostileBarrier, NobodyArrivesLessThanOnce) {
  ::testing::internal::CaptureStderr();
  outcome_of(
      ".reg .b64 %s;\n.reg .b32 %b;\nmov.u32 %b, barrier;\nmbarrier.init.shared.b64 [%b], 1;\n"
      "mbarrier.arrive.shared.b64 %s, [%b], 4294967295;",
      ".shared .align 8 .b64 barrier;\n");
  const std::string findings = ::testing::internal::GetCapturedStderr();
  EXPECT_NE(findings.find("count of arrivals is 4294967295"), std::string::npos) << findings;
}

// --- Text ---

struct Printed {
  LaunchOutcome outcome;
  std::string text;
};

Printed print(const std::string& format) {
  std::string bytes;
  for (const char character : format) bytes += std::to_string(int{character}) + ", ";
  Device::instance().take_output();
  const LaunchOutcome outcome = outcome_of(
      ".param .b64 format, arguments;\n.param .b32 count;\n.reg .b64 %a;\n"
      "mov.u64 %a, text;\nst.param.b64 [format], %a;\n"
      "mov.u64 %a, numbers;\nst.param.b64 [arguments], %a;\n"
      "call (count), vprintf, (format, arguments);",
      ".global .b8 text[] = {" + bytes +
          "0};\n.global .b64 numbers[4] = {"
          "4886718345, 4886718345, 4886718345, 4886718345};\n");
  return {outcome, Device::instance().take_output()};
}

// The host's printf would take the number for an address, or for what it is not.
TEST(HostilePrint, WhatIsNoConversionOfCudaIsPrintedAsItStands) {
  for (const std::string format :
       {"%Sd", "%Slld", "%Cn", "%m", "%Lf", "%y", "%", "%5", "%.-1d", "%1$n", "%'d"}) {
    EXPECT_EQ(print(format).text, format);
  }
}

TEST(HostilePrint, SizeOfACharacterOrATextIsNoMatter) {
  EXPECT_EQ(print("%lc").text, "\x89");
}

TEST(HostilePrint, SizeOfANumberIsKept) {
  EXPECT_EQ(print("%x %llx %hx %hhx").text, "23456789 123456789 6789 1");
}

TEST(HostilePrint, WidthOfTwoGibibytesIsRefused) {
  for (const char* format : {"%2147483647d", "%.2147483647f", "%99999999999d", "%*d"}) {
    EXPECT_EQ(print(format).outcome, LaunchOutcome::trap) << format;
  }
}

}  // namespace
}  // namespace tmaemu
