// What lies beside allocations: where accesses that leave one go on, as on a GPU, and where they
// end the kernel.
#include <gtest/gtest.h>

#include <cstring>
#include <mutex>
#include <string>

#include "emulator/device/device.h"
#include "emulator/memory/global_memory.h"
#include "tests/emulator/kernel_run.h"

namespace tmaemu {
namespace {

constexpr std::size_t mebibyte = std::size_t{1} << 20;

// One allocation of the device's memory.
class Allocation {
 public:
  explicit Allocation(std::size_t size,
                      GlobalMemory::Contents contents = GlobalMemory::Contents::undefined)
      : memory_(Device::instance().memory()), address_(*memory_.allocate(size, contents)) {}
  ~Allocation() { free(); }
  Allocation(const Allocation&) = delete;
  Allocation& operator=(const Allocation&) = delete;
  void free() {
    if (address_ != 0) memory_.free(address_);
    address_ = 0;
  }
  std::uint64_t address() const { return address_; }

 private:
  GlobalMemory& memory_;
  std::uint64_t address_;
};

class Slack : public testing::Test {
 protected:
  std::byte* reach(std::uint64_t address, std::size_t bytes = 4) {
    return memory_.reach(address, bytes);
  }

 private:
  const std::lock_guard<std::recursive_mutex> lock_{Device::instance().mutex()};

 protected:
  GlobalMemory& memory_ = Device::instance().memory();
};

TEST_F(Slack, IsBehindASmallAllocation) {
  const Allocation four(4);
  EXPECT_EQ(memory_.translate(four.address() + 4, 4), nullptr);
  EXPECT_NE(reach(four.address() + 4), nullptr);
  EXPECT_NE(reach(four.address() + mebibyte), nullptr);
  EXPECT_EQ(reach(four.address() + 1024 * mebibyte), nullptr);
}

TEST_F(Slack, ContinuesTheAllocationThatAnAccessBeginsIn) {
  const Allocation four(4);
  EXPECT_EQ(reach(four.address(), 16), memory_.translate(four.address(), 4));
}

TEST_F(Slack, KeepsWhatIsWrittenThere) {
  const Allocation four(4);
  const std::uint64_t there = four.address() + mebibyte + 4096;
  *reach(there) = std::byte{7};
  EXPECT_EQ(*reach(there), std::byte{7});
}

TEST_F(Slack, IsNoMoreWhereItIsAllocated) {
  Allocation first(3 * mebibyte - 4096);  // of a size that nobody has freed
  const std::uint64_t next = first.address() + 4 * mebibyte;
  const Allocation second(3 * mebibyte - 4096);
  ASSERT_EQ(second.address(), next);
  std::byte* const tail = reach(next + 3 * mebibyte);
  ASSERT_NE(tail, nullptr);
  *tail = std::byte{7};
  first.free();
  std::byte* const freed = reach(next - 2 * mebibyte);
  ASSERT_NE(freed, nullptr);
  *freed = std::byte{7};
  const Allocation again(3 * mebibyte - 4096, GlobalMemory::Contents::zero);
  ASSERT_EQ(again.address() + 4 * mebibyte, next);
  EXPECT_EQ(*memory_.translate(next - 2 * mebibyte, 1), std::byte{0});
}

TEST_F(Slack, EndsWithTheLastPageOfALargeAllocation) {
  const Allocation large(5 * mebibyte - 8192);
  EXPECT_NE(reach(large.address() + 5 * mebibyte), nullptr);
  EXPECT_EQ(reach(large.address() + 6 * mebibyte), nullptr);
  EXPECT_EQ(reach(large.address() + 6 * mebibyte - 4, 8), nullptr);
}

TEST_F(Slack, IsBetweenTwoLargeAllocationsWhichTouchOnAGpu) {
  Allocation first(14 * mebibyte);
  Allocation second(14 * mebibyte);
  ASSERT_GT(second.address(), first.address() + 14 * mebibyte);
  EXPECT_NE(reach(first.address() + 14 * mebibyte), nullptr);
  second.free();
  EXPECT_EQ(reach(first.address() + 14 * mebibyte), nullptr);
}

TEST_F(Slack, RemainsOfASmallAllocationThatWasFreed) {
  Allocation four(4);
  const std::uint64_t there = four.address();
  four.free();
  EXPECT_EQ(memory_.translate(there, 4), nullptr);
  EXPECT_NE(reach(there), nullptr);
}

TEST_F(Slack, IsNowhereElse) {
  EXPECT_EQ(reach(0), nullptr);
  EXPECT_EQ(reach(std::uint64_t{1} << 40), nullptr);
  const int on_the_stack = 0;
  EXPECT_EQ(reach(reinterpret_cast<std::uint64_t>(&on_the_stack)), nullptr);
}

// --- Kernels ---

KernelRun checked(const std::string& body) {
  KernelRun run;
  run.threads = 1;
  run.checked = true;
  run.body = body;
  return run;
}

const std::string reads_what_it_has_written_behind =
    "st.global.u32 [%out+4], 5;\nld.global.u32 %a, [%out+4];\nst.global.u32 [%out], %a;\n";

TEST(AccessBesideAnAllocation, GoesOnAndIsAFinding) {
  const KernelResult result = run_kernel(checked(reads_what_it_has_written_behind));
  EXPECT_FALSE(result.fault);
  EXPECT_EQ(result.output.front(), 5u);
  EXPECT_EQ(result.findings, (std::vector<std::string>{"out-of-bounds", "out-of-bounds"}));
}

TEST(AccessBesideAnAllocation, IsNothingThatAGpuReports) {
  KernelRun run = checked(reads_what_it_has_written_behind);
  run.checked = false;
  const KernelResult result = run_kernel(run);
  EXPECT_EQ(result.output.front(), 5u);
  EXPECT_TRUE(result.findings.empty());
}

TEST(AccessBesideAnAllocation, IsAFaultWhereNothingIsMapped) {
  const KernelResult result = run_kernel(checked("st.global.u32 [%out+1073741824], 5;"));
  ASSERT_TRUE(result.fault);
  EXPECT_EQ(result.fault->code().name, "illegal-address");
}

TEST(AccessBesideAnAllocation, ByTheEngineGoesOn) {
  for (const auto policy : {TimingPolicy::Kind::early, TimingPolicy::Kind::late}) {
    KernelRun run = checked(
        "mbarrier.init.shared.b64 [%bar], 1;\nfence.proxy.async;\n"
        "mbarrier.arrive.expect_tx.shared.b64 _, [%bar], 32;\n"
        "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%tile], [%in+4080], "
        "32, "
        "[%bar];\n"
        "wait:\nmbarrier.try_wait.parity.shared.b64 %p, [%bar], 0;\n@!%p bra wait;\n"
        "ld.shared.u32 %a, [%tile+16];\nst.global.u32 [%out], %a;\n");
    run.policy.kind = policy;
    const KernelResult result = run_kernel(run);
    EXPECT_FALSE(result.fault);
    EXPECT_EQ(result.output.front(), 0u);
    EXPECT_EQ(result.findings, (std::vector<std::string>{"out-of-bounds"}));
  }
}

// The kernel has 4096 + 8 bytes of shared memory, and the kilobyte in front of them.
TEST(AccessBesideSharedMemory, GoesOnInTheUnitsThatAnSmGives) {
  KernelRun run = checked(
      "add.u32 %b, %tile, 4112;\nst.shared.u32 [%b], 6;\nld.shared.u32 %a, [%b];\n"
      "st.global.u32 [%out], %a;\n");
  const KernelResult result = run_kernel(run);
  EXPECT_FALSE(result.fault);
  EXPECT_EQ(result.output.front(), 6u);
  EXPECT_EQ(result.findings.front(), "out-of-bounds");
}

TEST(AccessBesideSharedMemory, IsAFaultBehindThem) {
  const KernelResult result =
      run_kernel(checked("add.u32 %b, %tile, 4224;\nld.shared.u32 %a, [%b];\n"));
  ASSERT_TRUE(result.fault);
  EXPECT_EQ(result.fault->code().name, "illegal-address");
}

// An H100 takes the address for one of another CTA.
TEST(AccessBesideSharedMemory, IsAnIllegalInstructionInFrontOfThem) {
  const KernelResult before = run_kernel(checked("ld.shared.u32 %a, [%tile+-1024];\n"));
  EXPECT_FALSE(before.fault);
  const KernelResult far = run_kernel(checked("ld.shared.u32 %a, [%tile+-1028];\n"));
  ASSERT_TRUE(far.fault);
  EXPECT_EQ(far.fault->code().name, "illegal-instruction");
}

}  // namespace
}  // namespace tmaemu
