// Which way a kernel does its work with imported memory: what a judge asks for, and what a kernel
// that only looks busy has not done.
#include "contract/protocol/measures.h"

#include <gtest/gtest.h>

#include <array>
#include <span>
#include <string>

#include "tests/emulator/isa_test_support.h"
#include "tests/emulator/measured_kernel.h"

namespace tmaemu {
namespace {

TEST(Measures, TheSameTileLoadedAgainCountsOnce) {
  const ImportedBuffer buffer;
  EXPECT_EQ(moved(buffer.address(), init + load_to(0) + load_to(64) + load_to(128) + landed(192)),
            64u);
}

TEST(Measures, ATileThatComesInAndGoesOutCountsTwice) {
  const ImportedBuffer buffer;
  EXPECT_EQ(
      moved(buffer.address(), init + load_to(0) + landed(64) +
                                  "cp.async.bulk.global.shared::cta.bulk_group [%g], [%t], 64;\n" +
                                  wait_for_stores),
      128u);
}

TEST(Measures, AReductionWrites) {
  const ImportedBuffer buffer;
  EXPECT_EQ(
      moved(buffer.address(),
            init + load_to(0) + landed(64) +
                "cp.reduce.async.bulk.global.shared::cta.bulk_group.add.u32 [%g], [%t], 64;\n" +
                wait_for_stores),
      128u);
}

TEST(Measures, MemoryOfTheProgramsOwnCountsNothing) {
  const testing::DeviceBuffer buffer(64);
  EXPECT_EQ(moved(buffer.address(), init + load_to(0) + landed(64)), 0u);
}

TEST(Measures, ABulkStoreIsNoReduction) {
  const ImportedBuffer buffer;
  const std::string store =
      std::string("cp.async.bulk.global.shared::cta.bulk_group [%g], [%t], 64;\n") +
      wait_for_stores;
  EXPECT_EQ(measured(Measure::bulk_stores, buffer.address(), store), 64u);
  EXPECT_EQ(measured(Measure::bulk_reductions, buffer.address(), store), 0u);
  EXPECT_EQ(measured(Measure::bulk_loads, buffer.address(), store), 0u);
}

TEST(Measures, ABulkLoadWithoutATensorMapIsNoTensorLoad) {
  const ImportedBuffer buffer;
  EXPECT_EQ(measured(Measure::tensor_loads, buffer.address(), init + load_to(0) + landed(64)), 0u);
}

TEST(Measures, CountAnAsyncCopy) {
  const ImportedBuffer buffer;
  EXPECT_EQ(measured(Measure::cp_async, buffer.address(),
                     "cp.async.cg.shared.global [%t], [%g], 16;\ncp.async.wait_all;\n"),
            16u);
}

TEST(Measures, OfAnAsyncCopyWhatItReadsCounts) {
  const ImportedBuffer buffer;
  const std::string copies =
      ".reg .b32 %n;\n.reg .pred %ignored;\nmov.u32 %n, 0;\nsetp.eq.u32 %ignored, %n, 0;\n"
      "cp.async.cg.shared.global [%t], [%g], 16, %n;\n"
      "cp.async.cg.shared.global [%t+16], [%g+16], 16, %ignored;\n"
      "cp.async.cg.shared.global [%t+32], [%g+32], 16, !%ignored;\ncp.async.wait_all;\n";
  EXPECT_EQ(measured(Measure::cp_async, buffer.address(), copies), 16u);
}

constexpr const char* plain_load = ".reg .b32 %v;\nld.global.u32 %v, [%g];\n";
constexpr const char* plain_store = "st.global.u32 [%g], 7;\n";
constexpr const char* bulk_store =
    "cp.async.bulk.global.shared::cta.bulk_group [%g], [%t], 64;\n"
    "cp.async.bulk.commit_group;\ncp.async.bulk.wait_group 0;\n";

TEST(Measures, WhatAPlainLoadReadsTooWasLoadedForShow) {
  const ImportedBuffer buffer;
  EXPECT_EQ(
      measured(Measure::bulk_loads, buffer.address(), init + load_to(0) + landed(64) + plain_load),
      48u);
}

TEST(Measures, WhatIsReadOfAnInputCountsOnceInWhateverWay) {
  const ImportedBuffer buffer;
  const auto read = [&](const std::string& body) {
    return measured(Measure::inputs_read, buffer.address(), body);
  };
  EXPECT_EQ(read(init + load_to(0) + landed(64) + plain_load), 64u);
  EXPECT_EQ(read(init + load_to(0) + landed(64) + ".reg .b32 %v;\nld.global.u32 %v, [%g+64];\n"),
            80u);
  EXPECT_EQ(read(std::string(plain_store) + plain_load), 0u);
}

TEST(Measures, WhatAKernelHasWrittenIsNoInput) {
  const ImportedBuffer buffer;
  const std::string body =
      std::string(plain_store) + "fence.proxy.async;\n" + init + load_to(0) + landed(64);
  EXPECT_EQ(measured(Measure::bulk_loads, buffer.address(), body), 48u);
}

TEST(Measures, AnArrayThatHoldsNoInputHasNothingToLoad) {
  const ImportedBuffer buffer;
  Device::instance().memory().describe_shared(buffer.address(), {0, buffer.bytes, false});
  EXPECT_EQ(measured(Measure::bulk_loads, buffer.address(), init + load_to(0) + landed(64)), 0u);
}

TEST(Measures, AStoreOverWhatPlainStoresHaveWrittenIsForShow) {
  const ImportedBuffer buffer;
  EXPECT_EQ(measured(Measure::bulk_stores, buffer.address(), std::string(plain_store) + bulk_store),
            48u);
}

TEST(Measures, AStoreThatIsOverwrittenUnreadIsForShow) {
  const ImportedBuffer buffer;
  EXPECT_EQ(measured(Measure::bulk_stores, buffer.address(), std::string(bulk_store) + plain_store),
            48u);
}

TEST(Measures, AStoreThatIsOverwrittenPlainlyIsForShowWhoeverHasReadIt) {
  const ImportedBuffer buffer;
  EXPECT_EQ(measured(Measure::bulk_stores, buffer.address(),
                     std::string(bulk_store) + plain_load + plain_store),
            48u);
}

TEST(Measures, WhatThreadsReadWhereBulkStoresHavePutItIsOfThoseStores) {
  const ImportedBuffer buffer;
  const auto read = [&](const std::string& body) {
    return measured(Measure::stores_read, buffer.address(), body);
  };
  EXPECT_EQ(read(std::string(bulk_store) + plain_load), 16u);
  EXPECT_EQ(read(std::string(plain_store) + plain_load), 0u);
  EXPECT_EQ(read(std::string(bulk_store) + plain_store + plain_load), 0u);
}

TEST(Measures, WhatAThreadReadsWhereAKernelHasWrittenItIsReadBackOnce) {
  const ImportedBuffer buffer;
  const auto read = [&](const std::string& body) {
    return measured(Measure::read_back, buffer.address(), body);
  };
  const std::string load = "ld.global.u32 %v, [%g];\n";
  EXPECT_EQ(read(plain_load), 0u);
  EXPECT_EQ(read(std::string(bulk_store) + plain_load + load), 16u);
  EXPECT_EQ(read(std::string(plain_store) + plain_load + plain_store + load), 32u);
}

TEST(Measures, WhatTheEngineLoadsWhereThreadsHaveWrittenItIsReadBackOnce) {
  const ImportedBuffer buffer;
  const auto read = [&](const std::string& body) {
    return measured(Measure::read_back, buffer.address(), body);
  };
  const std::string bulk_load = init + load_to(0) + landed(64);
  EXPECT_EQ(read(plain_store + bulk_load), 16u);
  EXPECT_EQ(read(bulk_store + bulk_load), 0u);
  EXPECT_EQ(read(std::string(plain_store) + bulk_store + bulk_load), 0u);
  EXPECT_EQ(read(plain_store + bulk_load + plain_load), 16u);
}

constexpr const char* reduction =
    "cp.reduce.async.bulk.global.shared::cta.bulk_group.add.u32 [%g], [%t], 64;\n"
    "cp.async.bulk.commit_group;\ncp.async.bulk.wait_group 0;\n";

TEST(Measures, WhatAPlainStoreWritesBeforeOrAfterAReductionIsNotItsWork) {
  const ImportedBuffer buffer;
  const std::string body =
      std::string(plain_store) + reduction +
      ".reg .b32 %v;\nld.global.u32 %v, [%g+16];\nst.global.u32 [%g+16], %v;\n";
  EXPECT_EQ(measured(Measure::bulk_reductions, buffer.address(), body), 32u);
}

TEST(Measures, AReductionOntoWhatWasWrittenMovesBytesThroughTheEngine) {
  const ImportedBuffer buffer;
  EXPECT_EQ(moved(buffer.address(), std::string(plain_store) + reduction), 64u);
}

TEST(Measures, WhatAnAsyncCopyReadsTooWasLoadedForShow) {
  const ImportedBuffer buffer;
  const std::string body = init + load_to(0) + landed(64) +
                           "cp.async.cg.shared.global [%t], [%g], 16;\ncp.async.wait_all;\n";
  EXPECT_EQ(measured(Measure::bulk_loads, buffer.address(), body), 48u);
  EXPECT_EQ(measured(Measure::cp_async, buffer.address(), body), 0u);
}

TEST(Measures, WhatOneCtaLoadsForItselfTooWasMulticastForShow) {
  const ImportedBuffer buffer;
  const std::string multicast =
      ".reg .b16 %m;\nmov.u16 %m, 3;\n"
      "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster "
      "[%t+128], [%g+32], 64, [%b], %m;\n";
  const std::string both =
      init + multicast + load_to(0) + landed(192) + ".reg .b32 %v;\nld.shared.u32 %v, [%t+128];\n";
  const std::array<std::uint64_t, 1> parameter{buffer.address()};
  Device::instance().start_measuring();
  launch(".param .u64 p", std::as_bytes(std::span(parameter)), "ld.param.u64 %g, [p];\n" + both,
         {2, 1, 1});
  EXPECT_EQ(Device::instance().measured()[index_of(Measure::multicast)], 32u);
}

TEST(Measures, AMulticastOfWhichOneCtaReadsWhatItBringsIsForShow) {
  const ImportedBuffer buffer;
  const std::string load =
      ".reg .b16 %m;\n.reg .b32 %r, %v;\nmov.u16 %m, 3;\nmov.u32 %r, %cluster_ctarank;\n"
      ".reg .pred %q;\nsetp.ne.u32 %q, %r, 0;\n" +
      std::string(init) +
      "barrier.cluster.arrive;\nbarrier.cluster.wait;\n"
      "@!%q cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster "
      "[%t], [%g], 64, [%b], %m;\n" +
      landed(64);
  const auto multicast = [&](const std::string& use) {
    return measured(Measure::multicast, buffer.address(),
                    load + use + "barrier.cluster.arrive;\nbarrier.cluster.wait;\n", {2, 1, 1});
  };
  EXPECT_EQ(multicast(""), 0u);
  EXPECT_EQ(multicast("@!%q ld.shared.u32 %v, [%t];\n"), 0u);
  EXPECT_EQ(multicast("ld.shared.u32 %v, [%t];\n"), 64u);
}

TEST(Measures, AStoreThatAnotherWayOfTheEngineChangesIsForShow) {
  const ImportedBuffer buffer;
  const std::string reduced_over = std::string(bulk_store) + plain_load + reduction;
  EXPECT_EQ(measured(Measure::bulk_stores, buffer.address(), reduced_over), 0u);
  const std::string stored_over = std::string(reduction) + bulk_store;
  EXPECT_EQ(measured(Measure::bulk_reductions, buffer.address(), stored_over), 0u);
}

TEST(Measures, AReductionOntoWhatTheEngineHasStoredIsForShow) {
  const ImportedBuffer buffer;
  EXPECT_EQ(
      measured(Measure::bulk_reductions, buffer.address(), std::string(bulk_store) + reduction),
      0u);
}

TEST(Measures, BesideItsArrayAKernelHasNoBusiness) {
  const ImportedBuffer buffer;
  GlobalMemory& memory = Device::instance().memory();
  memory.describe_shared(buffer.address(), {32, 1024, true});
  EXPECT_EQ(memory.translate(buffer.address() + 31, 1), nullptr);
  EXPECT_NE(memory.translate(buffer.address() + 32, 1024), nullptr);
  EXPECT_EQ(memory.translate(buffer.address() + 32, 1025), nullptr);
  EXPECT_EQ(memory.describe(buffer.address() + 31), "1 byte before an allocation of 1024 bytes");
  EXPECT_EQ(memory.describe(buffer.address() + 1056),
            "just after the end of an allocation of 1024 bytes");
}

TEST(Measures, WhatAKernelWritesIsByKernelsHoweverItDoes) {
  const ImportedBuffer buffer;
  EXPECT_EQ(measured(Measure::by_kernels, buffer.address(), std::string(plain_store)), 16u);
  EXPECT_EQ(measured(Measure::by_kernels, buffer.address(), bulk_store), 64u);
}

TEST(Measures, AStoreIsWideThatWritesAVectorAtATime) {
  const ImportedBuffer buffer;
  const std::string wide = "st.global.v4.u32 [%g], {1, 2, 3, 4};\n";
  const std::string narrow = "st.global.v2.u32 [%g], {1, 2};\nst.global.v2.u32 [%g+8], {3, 4};\n";
  EXPECT_EQ(measured(Measure::wide_stores, buffer.address(), wide), 16u);
  EXPECT_EQ(measured(Measure::wide_stores, buffer.address(), narrow), 0u);
  EXPECT_EQ(measured(Measure::wide_stores, buffer.address(), wide + narrow), 0u);
  EXPECT_EQ(measured(Measure::wide_stores, buffer.address(), bulk_store), 64u);
}

TEST(Measures, WhatACopyWritesIsNotByKernels) {
  const ImportedBuffer buffer;
  Device::instance().start_measuring();
  launch(".param .u64 p",
         std::as_bytes(std::span<const std::uint64_t>(std::array{buffer.address()})),
         "ld.param.u64 %g, [p];\n" + std::string(bulk_store));
  const StreamedBytes copied{buffer.address(), 32, StreamedBytes::Use::written};
  Device::instance().measure_copy({&copied, 1});
  EXPECT_EQ(Device::instance().measured()[index_of(Measure::by_kernels)], 32u);
}

TEST(Measures, WhatACopyHasWrittenBeforeIsNotByKernels) {
  const ImportedBuffer buffer;
  Device::instance().start_measuring();
  const StreamedBytes copied{buffer.address(), 32, StreamedBytes::Use::written};
  Device::instance().measure_copy({&copied, 1});
  const std::array<std::uint64_t, 1> parameter{buffer.address()};
  launch(".param .u64 p", std::as_bytes(std::span(parameter)),
         "ld.param.u64 %g, [p];\n" + std::string(bulk_store));
  EXPECT_EQ(Device::instance().measured()[index_of(Measure::by_kernels)], 32u);
}

TEST(Measures, AWideStoreOverWhatACopyHasWrittenMayPutBackWhatIsThere) {
  const ImportedBuffer buffer;
  Device::instance().start_measuring();
  const StreamedBytes copied{buffer.address(), 32, StreamedBytes::Use::written};
  Device::instance().measure_copy({&copied, 1});
  const std::array<std::uint64_t, 1> parameter{buffer.address()};
  launch(".param .u64 p", std::as_bytes(std::span(parameter)),
         "ld.param.u64 %g, [p];\nst.global.v4.u32 [%g+16], {1, 2, 3, 4};\n"
         "st.global.v4.u32 [%g+32], {1, 2, 3, 4};\n");
  EXPECT_EQ(Device::instance().measured()[index_of(Measure::wide_stores)], 16u);
}

TEST(Measures, AMulticastToOneCtaIsNone) {
  const ImportedBuffer buffer;
  const std::string load =
      ".reg .b16 %m;\nmov.u16 %m, 1;\n"
      "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster [%t], "
      "[%g], 64, [%b], %m;\n";
  EXPECT_EQ(measured(Measure::multicast, buffer.address(), init + load + landed(64)), 0u);
  EXPECT_EQ(measured(Measure::bulk_loads, buffer.address(), init + load + landed(64)), 64u);
}

TEST(Measures, APlainLoadIsNoAsyncCopy) {
  const ImportedBuffer buffer;
  EXPECT_EQ(
      measured(Measure::cp_async, buffer.address(), ".reg .u32 %v;\nld.global.u32 %v, [%g];\n"),
      0u);
}

}  // namespace
}  // namespace tmaemu
