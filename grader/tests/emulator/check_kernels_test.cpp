// What the checker finds in kernels follows from order: it is the same whenever the TMA engine
// moves its bytes.
#include <gtest/gtest.h>

#include <array>
#include <string>
#include <vector>

#include "tests/emulator/kernel_run.h"

namespace tmaemu {
namespace {

using Codes = std::vector<std::string>;
using Policy = TimingPolicy::Kind;

class CheckedKernel : public testing::TestWithParam<Policy> {
 protected:
  static Codes found(const std::string& body, unsigned threads = 64) {
    KernelRun run;
    run.body = body;
    run.threads = threads;
    run.policy = {GetParam(), 3};
    run.checked = true;
    return run_kernel(run).findings;
  }
};

std::string name_of(const testing::TestParamInfo<Policy>& policy) {
  constexpr std::array names{"late", "early", "random"};
  return names[static_cast<std::size_t>(policy.param)];
}
INSTANTIATE_TEST_SUITE_P(Policies, CheckedKernel,
                         testing::Values(Policy::late, Policy::early, Policy::random), name_of);

// Each of the first 16 threads writes its word of the tile.
constexpr const char* write_tile =
    "setp.lt.u32 %p, %thread, 16;\nmad.lo.u32 %a, %thread, 4, %tile;\n"
    "@%p st.shared.u32 [%a], %thread;\n";
constexpr const char* fence = "fence.proxy.async.shared::cta;\n";
constexpr const char* sync = "bar.sync 0;\n";
// The leader stores the first 64 bytes of the tile over the input.
constexpr const char* store =
    "@%leader cp.async.bulk.global.shared::cta.bulk_group [%in], [%tile], 64;\n"
    "@%leader cp.async.bulk.commit_group;\n";
constexpr const char* wait_for_read = "@%leader cp.async.bulk.wait_group.read 0;\n";
constexpr const char* wait_for_store = "@%leader cp.async.bulk.wait_group 0;\n";
constexpr const char* init =
    "@%leader mbarrier.init.shared.b64 [%bar], 1;\n"
    "@%leader fence.mbarrier_init.release.cluster;\n";
constexpr const char* load =
    "@!%leader bra LOADED;\n"
    "mbarrier.arrive.expect_tx.shared.b64 %state, [%bar], 64;\n"
    "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%tile], [%in], 64, "
    "[%bar];\nLOADED:\n";
constexpr const char* wait_for_load =
    "WAIT: mbarrier.try_wait.parity.shared.b64 %p, [%bar], 0;\n@!%p bra WAIT;\n";
// Each thread reads a word of the tile.
constexpr const char* read_tile =
    "and.b32 %a, %thread, 15;\nmad.lo.u32 %a, %a, 4, %tile;\nld.shared.u32 %b, [%a];\n"
    "st.global.u32 [%out], %b;\n";

std::string lines(std::initializer_list<const char*> parts) {
  std::string text;
  for (const char* const part : parts) text += part;
  return text;
}

TEST_P(CheckedKernel, AFencedAndSynchronizedStoreIsRight) {
  EXPECT_EQ(found(lines({write_tile, fence, sync, store, wait_for_store})), Codes{});
}

TEST_P(CheckedKernel, AStoreNeedsAProxyFenceOfTheWriters) {
  EXPECT_EQ(found(lines({write_tile, sync, store, wait_for_store})), Codes{"missing-proxy-fence"});
}

TEST_P(CheckedKernel, AProxyFenceOfGlobalMemoryIsNoneOfSharedMemory) {
  EXPECT_EQ(found(lines({write_tile, "fence.proxy.async.global;\n", sync, store, wait_for_store})),
            Codes{"missing-proxy-fence"});
}

TEST_P(CheckedKernel, AFenceBehindTheBarrierIsAsGood) {
  EXPECT_EQ(found(lines({write_tile, sync, fence, store, wait_for_store})), Codes{});
}

TEST_P(CheckedKernel, AStoreNeedsABarrierBehindTheFences) {
  EXPECT_EQ(found(lines({write_tile, fence, store, wait_for_store})),
            Codes{"unsynchronized-tma-store"});
}

TEST_P(CheckedKernel, AStoresSourceMayNotBeWrittenBeforeItIsRead) {
  EXPECT_EQ(found(lines({write_tile, fence, sync, store, sync, write_tile, wait_for_store, sync})),
            Codes{"overwrite-before-read-done"});
}

TEST_P(CheckedKernel, AStoresSourceMayBeWrittenBehindAWaitForReads) {
  EXPECT_EQ(found(lines(
                {write_tile, fence, sync, store, wait_for_read, sync, write_tile, wait_for_store})),
            Codes{});
}

TEST_P(CheckedKernel, NoLoadMayLandInTheSourceOfAnUnreadStore) {
  EXPECT_EQ(
      found(lines({init, write_tile, fence, sync, store, load, wait_for_load, wait_for_store})),
      (Codes{"overwrite-before-read-done", "store-not-awaited"}));
}

TEST_P(CheckedKernel, ACtaMayNotEndBeforeItsStoreIsRead) {
  EXPECT_EQ(found(lines({write_tile, fence, sync, store})), Codes{"exit-during-bulk-copy"});
}

TEST_P(CheckedKernel, ACtaMayEndWhenItsStoreIsRead) {
  EXPECT_EQ(found(lines({write_tile, fence, sync, store, wait_for_read})), Codes{});
}

TEST_P(CheckedKernel, AWaitForAGroupThatWasNotCommittedIsTold) {
  EXPECT_EQ(
      found(lines({write_tile, fence, sync,
                   "@%leader cp.async.bulk.global.shared::cta.bulk_group [%in], [%tile], 64;\n",
                   wait_for_store})),
      Codes{"wait-without-commit"});
}

// Two threads have a tile each, and wait in front of their stores, when there is none yet.
TEST_P(CheckedKernel, AWaitInFrontOfAThreadsOwnStoresIsNotTakenForOneOfAnothersStore) {
  const char* const pick = "and.b32 %a, %thread, 31;\nsetp.eq.u32 %p, %a, 0;\n";
  const char* const place =
      "and.b32 %a, %thread, 32;\nadd.u32 %a, %a, %tile;\ncvt.u64.u32 %offset, %thread;\n"
      "add.u64 %offset, %offset, %in;\n";
  EXPECT_EQ(
      found(lines({write_tile, fence, sync, pick, "@%p cp.async.bulk.wait_group.read 0;\n", place,
                   "@%p cp.async.bulk.global.shared::cta.bulk_group [%offset], [%a], 32;\n"
                   "@%p cp.async.bulk.commit_group;\n"})),
      Codes{"exit-during-bulk-copy"});
}

TEST_P(CheckedKernel, AnAwaitedLoadIsRight) {
  EXPECT_EQ(found(lines({init, sync, load, wait_for_load, read_tile})), Codes{});
}

// The rest of a copy that is no multiple of 16 bytes may be nothing.
TEST_P(CheckedKernel, NobodyHasToWaitForALoadOfNoBytes) {
  EXPECT_EQ(
      found(lines({init, sync,
                   "@%leader cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes "
                   "[%tile], [%in], 0, [%bar];\n"})),
      Codes{});
}

TEST_P(CheckedKernel, ALoadsBytesMayNotBeReadBeforeTheWait) {
  EXPECT_EQ(found(lines({init, sync, load, read_tile, wait_for_load})), Codes{"read-before-wait"});
}

TEST_P(CheckedKernel, ALoadsTargetMayNotBeWrittenWhileItIsInFlight) {
  EXPECT_EQ(found(lines({init, sync, load, sync, write_tile, wait_for_load})),
            Codes{"write-during-load"});
}

TEST_P(CheckedKernel, ALoadOverWritesNeedsAProxyFence) {
  EXPECT_EQ(found(lines({init, write_tile, sync, load, wait_for_load})),
            Codes{"missing-proxy-fence"});
}

TEST_P(CheckedKernel, ThreadsMayNotReadWhatOthersWriteWithoutABarrier) {
  // The tile is written by the first warp and read by the second, too.
  EXPECT_EQ(found(lines({write_tile, read_tile})), Codes{"data-race"});
}

TEST_P(CheckedKernel, WhatNobodyWroteMayNotBeRead) {
  EXPECT_EQ(found(read_tile), Codes{"uninitialized-read"});
}

// It is how one sets a lock or a counter: PTX has no red.exch.
TEST_P(CheckedKernel, WhatNobodyWroteMayBeExchangedWhereNobodyLooksAtTheAnswer) {
  EXPECT_EQ(found("@%leader atom.shared.exch.b32 %b, [%tile], 0;\n"), Codes{});
  EXPECT_EQ(found("@%leader atom.shared.exch.b32 _, [%tile], 0;\n"), Codes{});
}

TEST_P(CheckedKernel, WhatAnExchangeFindsMustHaveBeenWrittenWhereItIsUsed) {
  EXPECT_EQ(found("@!%leader bra DONE;\natom.shared.exch.b32 %b, [%tile], 0;\n"
                  "st.global.u32 [%out], %b;\nDONE:\n"),
            Codes{"uninitialized-read"});
}

TEST_P(CheckedKernel, WhatNobodyWroteMayNotBeAddedToByAThread) {
  EXPECT_EQ(found("@%leader atom.shared.add.u32 %b, [%tile], 1;\n"), Codes{"uninitialized-read"});
}

// PTX ISA, "cp.reduce.async.bulk": it reads what it adds to.
TEST_P(CheckedKernel, WhatNobodyWroteMayNotBeAddedTo) {
  const std::string add_to_tile =
      "@!%leader bra ADDED;\n"
      "mbarrier.arrive.expect_tx.shared.b64 %state, [%bar], 16;\n"
      "add.u32 %a, %tile, 256;\n"
      "cp.reduce.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes.add.u32 "
      "[%a], [%tile], 16, [%bar];\nADDED:\n";
  const std::string zeros =
      "add.u32 %a, %tile, 256;\n@%leader st.shared.v4.u32 [%a], {0, 0, 0, 0};\n";
  const std::string begin = std::string(init) + write_tile;
  const std::string end = std::string(fence) + sync + add_to_tile + wait_for_load;
  EXPECT_EQ(found(begin + end), Codes{"uninitialized-read"});
  EXPECT_EQ(found(begin + zeros + end), Codes{});
}

// PTX ISA, "mbarrier.init": it writes the object.
TEST_P(CheckedKernel, AnMbarrierIsMadeOfBytesThatNobodyUses) {
  const std::string make = "@%leader mbarrier.init.shared.b64 [%tile], 1;\n";
  const std::string read = std::string(write_tile) + sync + read_tile;
  EXPECT_EQ(found(read + make), Codes{"data-race"});
  EXPECT_EQ(found(read + sync + make), Codes{});
  const std::string loads = std::string(init) + sync + load;
  EXPECT_EQ(found(loads + make + wait_for_load), Codes{"write-during-load"});
  EXPECT_EQ(found(loads + wait_for_load + make), Codes{});
}

// PTX ISA, "ld.global.nc": the cache is not coherent.
TEST_P(CheckedKernel, WhatIsReadThroughTheReadOnlyCacheHasNotBeenWritten) {
  const std::string read = "ld.global.nc.u32 %b, [%in];\n";
  const std::string write = "@%leader st.global.u32 [%in], %thread;\n";
  EXPECT_EQ(found(read + read), Codes{});
  EXPECT_EQ(found(write + sync + read), Codes{"data-race"});
  EXPECT_EQ(found(read + sync + write), Codes{});
}

// PTX ISA, "barrier.cluster": a cluster has one barrier.
TEST_P(CheckedKernel, AThreadWaitsAtTheClustersBarrierBeforeItArrivesThereAgain) {
  const std::string arrive = "barrier.cluster.arrive;\n";
  const std::string wait = "barrier.cluster.wait;\n";
  EXPECT_EQ(found(arrive + wait + arrive + wait), Codes{});
  EXPECT_EQ(found(arrive + arrive + wait), Codes{"divergent-barrier"});
}

// One warp sets the flag to 0 and raises it; the other polls it.
TEST_P(CheckedKernel, ARaisedFlagDoesNotHideThatItsZeroRacesWithThePolls) {
  const auto polled_flag = [](const char* between) {
    return found(lines({"setp.ge.u32 %p, %thread, 32;\n@%leader st.shared.u32 [%tile], 0;\n",
                        between, "@%p bra POLL;\n@%leader st.relaxed.cta.shared.u32 [%tile], 1;\n",
                        "bra DONE;\nPOLL: ld.relaxed.cta.shared.u32 %a, [%tile];\n",
                        "setp.eq.u32 %p, %a, 0;\n@%p bra POLL;\nDONE:\n"}));
  };
  EXPECT_EQ(polled_flag(""), Codes{"data-race"});
  EXPECT_EQ(polled_flag(sync), Codes{});
}

// Early, the phase is over before the second load is issued, and its bytes count in the next one.
TEST_P(CheckedKernel, BytesThatNobodyAnnouncedAreNotWhatAWaitIsTooEarlyFor) {
  constexpr const char* load_more =
      "add.u32 %a, %tile, 64;\n"
      "@%leader cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%a], [%in], 64, "
      "[%bar];\n";
  constexpr const char* wait_again =
      "AGAIN: mbarrier.try_wait.parity.shared.b64 %p, [%bar], 0;\n@!%p bra AGAIN;\n";
  constexpr const char* read_more = "ld.shared.u32 %b, [%tile + 64];\nst.global.u32 [%out], %b;\n";
  EXPECT_EQ(found(lines({init, sync, load, load_more, wait_for_load, wait_again, read_more})),
            Codes{"expect-too-few"});
}

}  // namespace
}  // namespace tmaemu
