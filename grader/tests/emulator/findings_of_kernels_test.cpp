// What is found in kernels, from the instruction to the line that the grader is sent.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <mutex>
#include <string>

#include "tests/emulator/finding_lines.h"

namespace tmaemu {
namespace {

using testing::findings_of;
using testing::Json;

std::string message_of(const std::vector<Json>& findings) {
  return findings.empty() ? "nothing" : findings[0].value("message", findings[0].dump());
}

constexpr const char* file = ".file 1 \"/submission/lab3.cu\"\n";

// Lines of PTX at a line of lab3.cu.
std::string at(int line, const std::string& ptx) {
  return ".loc 1 " + std::to_string(line) + " 5\n" + ptx + "\n";
}

// --- Deadlocks name the line that waits, and not the one after it ---

std::uint32_t line_of_waiters(const std::vector<Json>& findings, std::size_t i = 0) {
  const auto has_waiters = [](const Json& finding) { return finding.contains("waiters"); };
  const auto deadlock = std::ranges::find_if(findings, has_waiters);
  if (deadlock == findings.end()) return 0;
  return deadlock->at("waiters").at(i).at("place").value("line", 0u);
}

TEST(DeadlockReport, NamesTheLineOfABarrier) {
  const auto findings = findings_of(at(10, "bar.sync 0, 96;") + at(11, "trap;"), {1, 64}, file);
  EXPECT_EQ(
      message_of(findings),
      "nothing in the kernel can run any more: 64 of 96 threads have come to __syncthreads()");
  EXPECT_EQ(findings.at(0).at("place").at("line"), 10);
  EXPECT_EQ(line_of_waiters(findings), 10U);
  const Json& waiters = findings.at(0).at("waiters").at(0);
  EXPECT_EQ(waiters.at("threads"), 64);
  EXPECT_EQ(waiters.at("waiting_for"),
            Json::parse(R"({"kind": "barrier", "number": 0, "arrived": 64,
                                                    "expected": 96})"));
}

TEST(DeadlockReport, NamesTheLineOfAWaitAtAnMbarrier) {
  const auto findings = findings_of(
      at(8,
         ".reg .pred %p;\nmbarrier.init.shared.b64 [bar], 3;\n"
         "mbarrier.arrive.expect_tx.shared.b64 _, [bar], 16;") +
          at(10, "wait:\nmbarrier.try_wait.parity.shared.b64 %p, [bar], 0;\n@!%p bra wait;") +
          at(11, "trap;"),
      {}, std::string(file) + ".shared .align 8 .b64 bar;\n");
  EXPECT_EQ(line_of_waiters(findings), 10U);
  EXPECT_EQ(findings.at(0).at("waiters").at(0).at("waiting_for"), Json::parse(R"({
      "kind": "mbarrier", "name": "bar", "initialized": true, "parity": 0, "current_parity": 0,
      "arrivals_missing": 2, "arrivals_expected": 3, "bytes_missing": 16})"));
}

TEST(DeadlockReport, NamesTheLineAtWhichAWarpConverges) {
  const auto findings = findings_of(
      at(8, ".reg .pred %p;\n.reg .b32 %t;\nmov.u32 %t, %tid.x;\nsetp.ne.u32 %p, %t, 0;") +
          at(9, "@%p bra other;") + at(10, "bar.warp.sync 3;") + at(11, "exit;") + "other:\n" +
          at(12, "bar.sync 1, 32;") + at(13, "trap;"),
      {1, 32}, file);
  EXPECT_EQ(line_of_waiters(findings, 0), 10U);
  EXPECT_EQ(line_of_waiters(findings, 1), 12U);
}

// The CTA has two warps: whoever comes, there are no 96 threads.
TEST(DeadlockReport, BeginsWithTheBarrierThatWaitsForMoreThreadsThanThereAre) {
  const auto findings = findings_of(
      at(8, ".reg .pred %p;\n.reg .b32 %t;\nmov.u32 %t, %tid.x;\nsetp.ge.u32 %p, %t, 32;") +
          at(9, "@%p bra other;") + at(10, "bar.sync 2, 64;") + at(11, "exit;") + "other:\n" +
          at(12, "bar.sync 1, 96;") + at(13, "trap;"),
      {1, 64}, file);
  EXPECT_EQ(line_of_waiters(findings, 0), 12U);
  EXPECT_EQ(line_of_waiters(findings, 1), 10U);
}

// --- Messages ---

// Launches run one after another, and CUDA promises no more.
TEST(DeadlockReport, SaysOfAFlagThatOnlyAnotherKernelCouldSetThatItDoesNotRunMeanwhile) {
  const auto findings =
      findings_of(".reg .pred %p;\n.reg .b32 %v;\n" +
                      at(10,
                         "again:\nld.acquire.gpu.global.b32 %v, [flag];\nsetp.eq.u32 %p, %v, 0;\n"
                         "@%p bra again;"),
                  {}, std::string(file) + ".global .align 4 .b32 flag;\n");
  EXPECT_EQ(message_of(findings),
            "nothing in the kernel can run any more: threads poll a flag in global memory that "
            "nothing else in the kernel writes, and a kernel that is launched later does not run "
            "at the same time");
  EXPECT_EQ(findings.at(0).at("place").at("line"), 10);
}

// A flag in shared memory no other kernel can set.
TEST(DeadlockReport, SaysNothingOfOtherKernelsWhereTheFlagIsInSharedMemory) {
  const auto findings = findings_of(
      ".reg .pred %p;\n.reg .b32 %v;\n"
      "again:\nld.volatile.shared.b32 %v, [flag];\nsetp.ne.u32 %p, %v, 123;\n@%p bra again;",
      {}, std::string(file) + ".shared .align 4 .b32 flag;\n");
  ASSERT_FALSE(findings.empty());
  EXPECT_EQ(findings.back().value("message", "").find("launched later"), std::string::npos);
  EXPECT_NE(findings.back().dump().find("nothing else in the kernel writes"), std::string::npos);
}

TEST(KernelFinding, ShowsTheProxyFenceThatNamesTheOtherStateSpace) {
  const auto findings = findings_of(
      at(10, "st.shared.u32 [tile], 1;") + at(11, "fence.proxy.async.global;") +
          at(12,
             "cp.async.bulk.global.shared::cta.bulk_group [out], [tile], 16;\n"
             "cp.async.bulk.commit_group;\ncp.async.bulk.wait_group 0;"),
      {}, std::string(file) + ".shared .align 16 .b8 tile[16];\n.global .align 16 .b8 out[16];\n");
  ASSERT_EQ(message_of(findings),
            "TMA store reads shared memory that no proxy fence has made visible");
  const Json& note = findings.at(0).at("notes").back();
  EXPECT_EQ(note.at("place").at("line"), 11);
  EXPECT_EQ(note.at("message").get<std::string>().find("the fence here names another state space"),
            0U);
}

TEST(KernelFinding, NamesTheStateSpaceOfAMisalignedAccess) {
  const std::string registers = ".reg .b64 %a;\n.reg .b32 %v;\n";
  EXPECT_EQ(message_of(findings_of(registers + "mov.u64 %a, 6;\nst.global.u32 [%a], %v;")),
            "store of 4 bytes at global address 0x6, which is not a multiple of 4");
  EXPECT_EQ(message_of(findings_of(registers + "mov.u64 %a, 1030;\nld.shared.u32 %v, [%a];")),
            "load of 4 bytes at shared address 0x406, which is not a multiple of 4");
  EXPECT_EQ(message_of(findings_of(registers +
                                   ".local .align 8 .b8 own[16];\nmov.u64 %a, own;\n"
                                   "cvta.local.u64 %a, %a;\nadd.u64 %a, %a, 2;\nst.u32 [%a], %v;")),
            "store of 4 bytes at local address 0x2, which is not a multiple of 4");
}

TEST(KernelFinding, CountsTheSizeOfABulkCopyInBytes) {
  EXPECT_EQ(
      message_of(findings_of(".reg .b64 %g;\n.shared .align 16 .b8 tile[32];\nmov.u64 %g, 0;\n"
                             "cp.async.bulk.global.shared::cta.bulk_group [%g], [tile], 10;")),
      "the size of a bulk copy is 10 bytes, which is not a multiple of 16");
}

std::string tma_load_with_map_in(const std::string& space) {
  return ".reg .b64 %a;\n." + space + " .align 128 .b8 map[128];\nmov.u64 %a, map;\ncvta." + space +
         ".u64 %a, %a;\nmbarrier.init.shared.b64 [bar], 1;\n"
         "cp.async.bulk.tensor.1d.shared::cluster.global.tile.mbarrier::complete_tx::bytes "
         "[tile], [%a, {0}], [bar];";
}

constexpr const char* tile = ".shared .align 128 .b8 tile[128];\n.shared .align 8 .b64 bar;\n";

TEST(KernelFinding, SaysInWhichMemoryATensorMapIs) {
  EXPECT_EQ(message_of(findings_of(tma_load_with_map_in("shared"), {}, tile)),
            "the tensor map is in shared memory, where the TMA engine need not find it");
  EXPECT_EQ(message_of(findings_of(tma_load_with_map_in("local"), {}, tile)),
            "the tensor map is in the thread's own memory, where the TMA engine need not find it");
}

TEST(KernelFinding, ComparesABulkCopyWithTheVariableThatItLeaves) {
  const std::lock_guard lock(Device::instance().mutex());
  GlobalMemory& memory = Device::instance().memory();
  const std::uint64_t target = *memory.allocate(32);
  const auto findings =
      findings_of(".reg .b64 %g;\nmov.u64 %g, " + std::to_string(target) +
                      ";\nst.shared.b32 [behind], 1;\n"
                      "cp.async.bulk.global.shared::cta.bulk_group [%g], [small], 32;",
                  {}, ".shared .align 16 .b8 small[16];\n.shared .align 16 .b8 behind[16];\n");
  memory.free(target);
  EXPECT_EQ(message_of(findings),
            "a TMA operation takes 32 bytes of small, which has 16 bytes, from byte 0 on");
}

// Nobody has chosen one of them: that is no matter of mbarrier.inval.
TEST(KernelFinding, SaysThatOneThreadInitializesAnMbarrier) {
  const std::string initialize = "mbarrier.init.shared.b64 [bar], 1;\n";
  EXPECT_EQ(message_of(findings_of(initialize, {1, 64}, tile)),
            "several threads initialize the same mbarrier");
  EXPECT_EQ(message_of(findings_of(initialize + initialize, {}, tile)),
            "an mbarrier is initialized that lives already");
}

// What mbarrier.inval leaves is no mbarrier.
TEST(KernelFinding, SaysThatAnInvalidatedMbarrierIsNone) {
  const auto findings = findings_of(
      "mbarrier.init.shared.b64 [bar], 1;\nmbarrier.inval.shared.b64 [bar];\n"
      "mbarrier.arrive.shared.b64 _, [bar];",
      {}, tile);
  EXPECT_EQ(message_of(findings), "an mbarrier is used after it was invalidated");
}

// --- What a program names ---

// A store that no fence precedes, at a line of a file.
std::string unfenced_store(int line) {
  return ".reg .b64 %g;\nmov.u64 %g, 0x700000000000;\nst.shared.b32 [tile], 1;\n" +
         at(line, "cp.async.bulk.global.shared::cta.bulk_group [%g], [tile], 16;");
}

std::vector<Json> found_in_file(const std::string& name, const std::string& sources) {
  const std::lock_guard lock(Device::instance().mutex());
  GlobalMemory& memory = Device::instance().memory();
  const std::uint64_t target = *memory.allocate(16);
  std::string body = unfenced_store(1);
  body.replace(body.find("0x700000000000"), 14, std::to_string(target));
  const auto findings = findings_of(body, {}, ".file 1 \"" + name + "\"\n" + tile, sources);
  memory.free(target);
  return findings;
}

TEST(KernelFinding, QuotesTheSubmissionsLine) {
  const std::string folder = ::testing::TempDir() + "quoted-" + std::to_string(getpid());
  std::filesystem::create_directory(folder);
  std::ofstream(folder + "/lab3.cu") << "    store(data, tile);\n";
  const auto findings = found_in_file("/submission/lab3.cu", folder);
  std::filesystem::remove_all(folder);
  EXPECT_EQ(findings.at(0).at("code"), "missing-proxy-fence");
  EXPECT_EQ(findings.at(0).at("excerpt"),
            Json::parse(R"({"line": 1, "column": 5, "text": "    store(data, tile);"})"));
}

// #line 1 "/proc/self/environ"
TEST(KernelFinding, QuotesNoFileOfTheMachine) {
  setenv("TMAEMU_TEST_SECRET", "the secret of this test", 1);
  for (const char* name : {"/proc/self/environ", "/proc/self/../self/environ", "/etc/./passwd"}) {
    const auto findings = found_in_file(name, ::testing::TempDir());
    ASSERT_FALSE(findings.empty());
    EXPECT_EQ(findings.at(0).at("code"), "missing-proxy-fence") << findings[0];
    const std::string text = findings[0].dump();
    EXPECT_EQ(text.find("secret"), std::string::npos) << text;
    EXPECT_EQ(text.find("root:"), std::string::npos) << text;
    EXPECT_NE(text.find("cp.async.bulk.global"), std::string::npos) << text;  // the PTX instead
  }
}

TEST(KernelFinding, IsOneLineWhateverAFileIsCalled) {
  const std::string name = "/x/\xFF\033[2J{code: " + std::string(100'000, 'x');
  const auto findings = found_in_file(name, "/nowhere");
  ASSERT_GE(findings.size(), 1U);
  EXPECT_EQ(findings.at(0).at("code"), "missing-proxy-fence");
  EXPECT_LT(findings[0].dump().size(), 2000U);
}

TEST(KernelFinding, SaysThatMemoryWasFreedWhereAGpuGoesOn) {
  const auto findings = findings_of(
      ".param .b64 size, p;\n.reg .b64 %p;\nst.param.b64 [size], 64;\n"
      "call (p), malloc, (size);\nld.param.b64 %p, [p];\ncall free, (p);\nst.u32 [%p], 2;",
      {}, tile);
  const std::string message = message_of(findings);
  EXPECT_NE(message.find("in an allocation of 64 bytes that was freed"), std::string::npos)
      << message;
  EXPECT_EQ(findings.at(0).at("code"), "out-of-bounds");
}

// A kernel may be wrong at any number of lines: what is sent is bounded, and all are counted.
TEST(KernelFinding, IsCountedAlsoWhereThereAreTooManyToSend) {
  std::string body;
  for (int line = 1; line <= 500; ++line) body += at(line, "mbarrier.arrive.shared.b64 _, [bar];");
  const std::uint64_t before = tmaemu_findings();
  const auto findings = findings_of(body, {}, std::string(file) + tile);
  EXPECT_EQ(tmaemu_findings() - before, 500U);
  EXPECT_GT(findings.size(), 10U);
  EXPECT_LT(findings.size(), 200U);
}

TEST(KernelFinding, IsToldOnceForAnUnrolledLine) {
  std::string body;
  for (int i = 0; i < 8; ++i) body += at(41, "mbarrier.arrive.shared.b64 _, [bar];");
  const auto findings = findings_of(body, {1, 32}, std::string(file) + tile);
  ASSERT_EQ(findings.size(), 2U);
  EXPECT_EQ(findings.at(0).at("place").at("line"), 41);
  EXPECT_EQ(findings[1], Json::parse(R"({"finding": 0, "count": 8})"));
}

}  // namespace
}  // namespace tmaemu
