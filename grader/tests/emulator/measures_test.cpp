// Which way a kernel does its work with imported memory: what a judge asks for, and what a kernel
// that only looks busy has not done.
#include "emulator/model/measures.h"

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <array>
#include <mutex>
#include <span>
#include <string>

#include "emulator/device/device.h"
#include "emulator/memory/global_memory.h"
#include "emulator/tma/tensor_map.h"
#include "tests/emulator/isa_test_support.h"

namespace tmaemu {
namespace {

// Memory of another process, as the judge's buffers are.
class ImportedBuffer {
 public:
  static constexpr std::size_t bytes = 4096;
  ImportedBuffer()
      : file_(memfd_create("measures-test", MFD_CLOEXEC)), memory_(Device::instance().memory()) {
    EXPECT_EQ(ftruncate(file_, bytes), 0);
    address_ = *memory_.open_file({file_}, bytes);
  }
  ~ImportedBuffer() {
    memory_.close_shared(address_);
    close(file_);
  }
  ImportedBuffer(const ImportedBuffer&) = delete;
  ImportedBuffer& operator=(const ImportedBuffer&) = delete;
  std::uint64_t address() const { return address_; }

 private:
  int file_;
  GlobalMemory& memory_;
  std::uint64_t address_ = 0;
};

// A kernel of one thread that has these parameters. %t is its tile in shared memory, %b an
// mbarrier.
void launch(const std::string& parameter, std::span<const std::byte> value, const std::string& body,
            Dimensions cluster = {1, 1, 1}, Dimensions block = {1, 1, 1}, unsigned clusters = 1) {
  const std::lock_guard lock(Device::instance().mutex());
  Device& device = Device::instance();
  auto module = device.load(
      ".version 9.0\n.target sm_90a\n.address_size 64\n"
      ".shared .align 128 .b8 tile[1024];\n.shared .align 8 .b64 barrier;\n"
      ".visible .entry k(" +
      parameter +
      ")\n{\n.reg .b64 %g, %s;\n.reg .b32 %t, %b;\n.reg .pred %p;\n"
      "mov.u32 %t, tile;\nmov.u32 %b, barrier;\n" +
      body + "ret;\n}\n");
  ASSERT_TRUE(module) << module.error().message;
  LaunchRequest request;
  request.parameters = value;
  request.grid = request.cluster = cluster;
  request.grid.x *= clusters;
  request.explicit_cluster = true;
  request.block = block;
  EXPECT_EQ(device.launch(*device.find_kernel(*module, "k"), request), LaunchOutcome::completed);
  device.unload(*module);
}

// Waits for a load of so many bytes that has been issued.
std::string landed(int bytes) {
  return "mbarrier.arrive.expect_tx.shared.b64 %s, [%b], " + std::to_string(bytes) +
         ";\nWAIT: mbarrier.try_wait.parity.shared.b64 %p, [%b], 0;\n@!%p bra WAIT;\n";
}

constexpr const char* init = "mbarrier.init.shared.b64 [%b], 1;\nfence.proxy.async;\n";
constexpr const char* wait_for_stores =
    "cp.async.bulk.commit_group;\ncp.async.bulk.wait_group 0;\n";

// Loads the first 64 bytes of the memory to this place in the tile.
std::string load_to(int place) {
  return "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%t+" +
         std::to_string(place) + "], [%g], 64, [%b];\n";
}

// What is measured of a kernel that has the address of the memory in %g.
std::uint64_t measured(Measure measure, std::uint64_t address, const std::string& body,
                       Dimensions cluster = {1, 1, 1}, Dimensions block = {1, 1, 1},
                       unsigned clusters = 1) {
  Device::instance().start_measuring();
  launch(".param .u64 p", std::as_bytes(std::span(&address, 1)), "ld.param.u64 %g, [p];\n" + body,
         cluster, block, clusters);
  return Device::instance().measured()[index_of(measure)];
}
std::uint64_t moved(std::uint64_t address, const std::string& body) {
  return measured(Measure::through_tma, address, body);
}

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

TEST(Measures, OfABoxThatOverhangsItsTensorTheInsideCounts) {
  const ImportedBuffer buffer;
  tma::TensorMap map;  // 8 columns, 2 rows
  map.type = tma::DataType::u32;
  map.rank = 2;
  map.global_address = buffer.address();
  map.global_size = {8, 2};
  map.global_stride = {32};
  map.box_size = {8, 4};
  map.element_stride = {1, 1};
  Device::instance().start_measuring();
  launch(".param .align 128 .b8 map[128]", tma::encode(map),
         std::string("mov.b64 %g, map;\ncvta.param.u64 %g, %g;\n.reg .b32 %x, %y;\n"
                     "mov.u32 %x, 4;\nmov.u32 %y, -1;\n") +
             init +
             "cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [%t], "
             "[%g, {%x, %y}], [%b];\n" +
             landed(128));
  EXPECT_EQ(Device::instance().measured()[index_of(Measure::through_tma)], 2 * 16u);
}

// A map of rows of 64 bytes, of which a tile has so many.
tma::TensorMap rows_map(const ImportedBuffer& buffer, std::uint32_t rows) {
  tma::TensorMap map;
  map.type = tma::DataType::u32;
  map.rank = 2;
  map.global_address = buffer.address();
  map.global_size = {16, 8};
  map.global_stride = {64};
  map.box_size = {16, rows};
  map.element_stride = {1, 1};
  return map;
}

// How many bytes count for the measure if a tile of this map is loaded to this place.
std::uint64_t loaded(Measure measure, const tma::TensorMap& map, int place = 0) {
  Device::instance().start_measuring();
  launch(".param .align 128 .b8 map[128]", tma::encode(map),
         std::string("mov.b64 %g, map;\ncvta.param.u64 %g, %g;\n.reg .b32 %x;\n"
                     "mov.u32 %x, 0;\n") +
             init +
             "cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [%t+" +
             std::to_string(place) + "], [%g, {%x, %x}], [%b];\n" +
             landed(static_cast<int>(map.transfer_bytes())));
  return Device::instance().measured()[index_of(measure)];
}

TEST(Measures, ATileOfWhichASwizzleMovesNothingIsSwizzledForShow) {
  const ImportedBuffer buffer;
  const auto swizzled = [&](std::uint32_t rows, int place) {
    tma::TensorMap map = rows_map(buffer, rows);
    map.swizzle = Swizzle::bytes64;
    return loaded(Measure::swizzle_64, map, place);
  };
  EXPECT_EQ(swizzled(2, 0), 0u);  // the first line of four stays as it is
  EXPECT_EQ(swizzled(2, 128), 128u);
  EXPECT_EQ(swizzled(2, 512), 0u);
  EXPECT_EQ(swizzled(4, 0), 256u);
}

TEST(Measures, ASwizzleOnBothSidesOfATileIsNone) {
  const ImportedBuffer buffer;
  tma::TensorMap map = rows_map(buffer, 4);
  map.swizzle = Swizzle::bytes64;
  Device::instance().start_measuring();
  launch(".param .align 128 .b8 map[128]", tma::encode(map),
         std::string("mov.b64 %g, map;\ncvta.param.u64 %g, %g;\n.reg .b32 %x, %y;\n"
                     "mov.u32 %x, 0;\nmov.u32 %y, 4;\n") +
             init +
             "cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [%t], "
             "[%g, {%x, %x}], [%b];\n" +
             landed(256) +
             "cp.async.bulk.tensor.2d.global.shared::cta.bulk_group [%g, {%x, %y}], [%t];\n" +
             wait_for_stores);
  EXPECT_EQ(Device::instance().measured()[index_of(Measure::swizzle_64)], 0u);
}

TEST(Measures, ATileOfTwoDimensionsHasNoThird) {
  const ImportedBuffer buffer;
  EXPECT_EQ(loaded(Measure::rank_2, rows_map(buffer, 4)), 256u);
  EXPECT_EQ(loaded(Measure::rank_3, rows_map(buffer, 4)), 0u);
}

TEST(Measures, WhatAMapWithElementStridesPicksIsPickedByIt) {
  const ImportedBuffer buffer;
  tma::TensorMap map = rows_map(buffer, 4);
  EXPECT_EQ(loaded(Measure::element_strides, map), 0u);
  map.element_stride = {1, 2};
  EXPECT_EQ(loaded(Measure::element_strides, map), 128u);
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

TEST(Measures, WhatIsReadFromTheProgramsOwnMemoryWhereItWasWrittenHasMadeADetour) {
  const testing::DeviceBuffer own(64);
  const auto detoured = [&](const std::string& body) {
    return measured(Measure::detoured, own.address(), body);
  };
  const std::string bulk_load = init + load_to(0) + landed(64);
  EXPECT_EQ(detoured(bulk_load), 0u);
  EXPECT_EQ(detoured(std::string(bulk_store) + bulk_load), 64u);
  EXPECT_EQ(detoured(std::string(plain_store) + plain_load), 16u);
  EXPECT_EQ(detoured(std::string(plain_store) + plain_load + "ld.global.u32 %v, [%g];\n"), 16u);
}

TEST(Measures, ACounterFromWhichManyThreadsDrawIsADetourOfSixteenBytes) {
  const testing::DeviceBuffer own(64);
  const auto detoured = [&](const std::string& body) {
    return measured(Measure::detoured, own.address(), ".reg .b32 %v;\n" + body, {1, 1, 1},
                    {32, 1, 1}, 8);
  };
  const std::string draw = "atom.global.add.u32 %v, [%g], 1;\n";
  EXPECT_EQ(detoured(draw + draw), 16u);
  // What atomics write to many places, and loads read there, may be a tile.
  const std::string own_place =
      "mov.u32 %v, %ctaid.x;\nmul.wide.u32 %s, %v, 16;\nadd.u64 %g, %g, %s;\n";
  EXPECT_EQ(measured(Measure::detoured, own.address(),
                     ".reg .b32 %v;\n" + own_place + "atom.global.exch.b32 %v, [%g], 7;\n" +
                         "ld.global.u32 %v, [%g];\n",
                     {1, 1, 1}, {1, 1, 1}, 4),
            64u);
}

TEST(Measures, WhatStaysInTheJudgesArraysMakesNoDetour) {
  const ImportedBuffer buffer;
  EXPECT_EQ(measured(Measure::detoured, buffer.address(), std::string(plain_store) + plain_load),
            0u);
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
  const std::string both = init + multicast + load_to(0) + landed(192);
  const std::array<std::uint64_t, 1> parameter{buffer.address()};
  Device::instance().start_measuring();
  launch(".param .u64 p", std::as_bytes(std::span(parameter)), "ld.param.u64 %g, [p];\n" + both,
         {2, 1, 1});
  EXPECT_EQ(Device::instance().measured()[index_of(Measure::multicast)], 32u);
}

TEST(Measures, AStoreThatAnotherWayOfTheEngineChangesIsForShow) {
  const ImportedBuffer buffer;
  const std::string reduced_over = std::string(bulk_store) + plain_load + reduction;
  EXPECT_EQ(measured(Measure::bulk_stores, buffer.address(), reduced_over), 0u);
  const std::string stored_over = std::string(reduction) + bulk_store;
  EXPECT_EQ(measured(Measure::bulk_reductions, buffer.address(), stored_over), 0u);
}

TEST(Measures, WhatIsReadFromSharedMemoryOverlapsALoadUntilItIsWaitedFor) {
  const ImportedBuffer buffer;
  const std::string read = "ld.shared.u32 %v, [%t+512];\n";
  const std::string start = ".reg .b32 %v;\nst.shared.u32 [%t+512], 7;\n" + (init + load_to(0));
  EXPECT_EQ(measured(Measure::overlapped, buffer.address(), start + read + landed(64) + read), 4u);
}

TEST(Measures, WhatIsReadFromSharedMemoryOverlapsCopiesUntilTheirGroupIsWaitedFor) {
  const ImportedBuffer buffer;
  const std::string read = "ld.shared.u32 %v, [%t+512];\n";
  EXPECT_EQ(measured(Measure::overlapped, buffer.address(),
                     ".reg .b32 %v;\nst.shared.u32 [%t+512], 7;\n"
                     "cp.async.cg.shared.global [%t], [%g], 16;\ncp.async.commit_group;\n" +
                         read + "cp.async.wait_group 0;\n" + read),
            4u);
}

TEST(Measures, ALoadOfWhatWasAskedForBeforeOverlapsNothing) {
  const ImportedBuffer buffer;
  const std::string body =
      ".reg .b32 %v;\nst.shared.u32 [%t+512], 7;\n"
      "cp.async.cg.shared.global [%t], [%g], 16;\ncp.async.wait_all;\n"
      "cp.async.cg.shared.global [%t+16], [%g], 16;\ncp.async.commit_group;\n"
      "ld.shared.u32 %v, [%t+512];\ncp.async.wait_group 0;\n";
  EXPECT_EQ(measured(Measure::overlapped, buffer.address(), body), 0u);
}

TEST(Measures, NoMoreIsReadBesideALoadThanItBrings) {
  const ImportedBuffer buffer;
  const std::string read = "ld.shared.v4.u32 {%v, %w, %x, %y}, [%t+512];\n";
  const std::string body =
      ".reg .b32 %v, %w, %x, %y;\nmov.u32 %v, 7;\n"
      "st.shared.v4.u32 [%t+512], {%v, %v, %v, %v};\n"
      "cp.async.cg.shared.global [%t], [%g], 16;\ncp.async.commit_group;\n" +
      read + read + "cp.async.wait_group 0;\n";
  EXPECT_EQ(measured(Measure::overlapped, buffer.address(), body), 16u);
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

constexpr const char* shared_load = ".reg .b32 %v;\nld.shared.u32 %v, [%t];\n";

TEST(Measures, APhaseBehindWhichNobodyReadsWhatItHandedOverIsForShow) {
  const ImportedBuffer buffer;
  const std::string waits = init + load_to(0) + landed(64);
  EXPECT_EQ(measured(Measure::split_phases, buffer.address(), waits), 0u);
  EXPECT_EQ(
      measured(Measure::split_phases, buffer.address(), waits + "bar.sync 0;\n" + shared_load), 0u);
}

constexpr Dimensions two_warps{64, 1, 1};
// %x: the thread. Warp 0 writes to the tile and arrives; warp 1 waits, and has in %v what it reads.
std::string hands_over(const std::string& between = "") {
  return ".reg .b32 %x, %v, %c;\n.reg .pred %q, %w;\nmov.u32 %x, %tid.x;\n"
         "setp.lt.u32 %q, %x, 32;\nsetp.eq.u32 %w, %x, 0;\n"
         "@%w mbarrier.init.shared.b64 [%b], 32;\nbar.sync 0;\n"
         "and.b32 %c, %x, 31;\nshl.b32 %c, %c, 2;\nadd.u32 %t, %t, %c;\n"
         "@%q st.shared.u32 [%t], %x;\n@%q mbarrier.arrive.shared.b64 %s, [%b];\n" +
         between +
         "@%q bra END;\n"
         "WAIT: mbarrier.try_wait.parity.shared.b64 %p, [%b], 0;\n@!%p bra WAIT;\n"
         "ld.shared.u32 %v, [%t];\nmul.wide.u32 %s, %c, 1;\nadd.u64 %g, %g, %s;\n";
}
constexpr const char* store_it = "st.global.u32 [%g], %v;\nEND:\n";

TEST(Measures, APhaseThatIsWaitedForCountsOnceHoweverOftenOneAsks) {
  const ImportedBuffer buffer;
  EXPECT_EQ(measured(Measure::split_phases, buffer.address(),
                     hands_over() + "mbarrier.try_wait.parity.shared.b64 %p, [%b], 0;\n"
                                    "ld.shared.u32 %v, [%t];\nEND:\n",
                     {1, 1, 1}, two_warps),
            1u);
}

TEST(Measures, TheFirstPhaseOfAnMbarrierIsNoLaterOne) {
  const ImportedBuffer buffer;
  const std::string read = "ld.shared.u32 %v, [%t];\nEND:\n";
  EXPECT_EQ(
      measured(Measure::later_phases, buffer.address(), hands_over() + read, {1, 1, 1}, two_warps),
      0u);
}

TEST(Measures, AQuestionCountsIfAWarpPutsSomethingIntoSharedMemoryBeforeTheNext) {
  const ImportedBuffer buffer;
  const std::string ask = "mbarrier.test_wait.parity.shared.b64 %p, [%b], 0;\n";
  const std::string work = "st.shared.u32 [%t], 7;\n";
  const auto asked = [&](const std::string& body) {
    return measured(Measure::questions, buffer.address(), init + body);
  };
  EXPECT_EQ(asked(ask + ask + work + work), 1u);
  EXPECT_EQ(asked(ask + work + ask + work), 2u);
  EXPECT_EQ(asked(work + ask), 0u);
  const std::string over = "mbarrier.arrive.shared.b64 %s, [%b];\n";
  EXPECT_EQ(asked(over + ask + work), 1u);
  EXPECT_EQ(asked(over + "mbarrier.try_wait.parity.shared.b64 %p, [%b], 0;\n" + work), 0u);
}

TEST(Measures, WhatDependsOnWhatAPhaseHandedFromWarpToWarpIsHandedOver) {
  const ImportedBuffer buffer;
  const std::uint64_t to = buffer.address();
  const auto handed = [&](const std::string& body) {
    return measured(Measure::handed_over, to, body, {1, 1, 1}, two_warps);
  };
  EXPECT_EQ(handed(hands_over() + "add.u32 %v, %v, 1;\n" + store_it), 128u);
  EXPECT_EQ(handed(hands_over() + "mov.u32 %v, %x;\n" + store_it), 0u);
  EXPECT_EQ(handed(hands_over("bar.sync 0;\n") + store_it), 0u);
  EXPECT_EQ(handed(hands_over() + "shfl.sync.bfly.b32 %v, %v, 1, 31, -1;\n" + store_it), 128u);
  EXPECT_EQ(handed(hands_over() + "st.global.u32 [%g], %v;\nst.global.u32 [%g], 7;\nEND:\n"), 0u);
}

// %x: the thread. Warp 0 loads 64 bytes and `storer` stores them, behind a wait for them.
std::string passes_on(const std::string& storer) {
  return ".reg .b32 %x;\n.reg .pred %q, %w;\nmov.u32 %x, %tid.x;\nsetp.eq.u32 %q, %x, 0;\n"
         "setp.eq.u32 %w, %x, " +
         storer +
         ";\n@%q mbarrier.init.shared.b64 [%b], 1;\nfence.proxy.async.shared::cta;\nbar.sync 0;\n"
         "@%q mbarrier.arrive.expect_tx.shared.b64 %s, [%b], 64;\n@%q " +
         "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%t], [%g], 64, [%b];\n"
         "@!%w bra END;\nWAIT: mbarrier.try_wait.parity.shared.b64 %p, [%b], 0;\n@!%p bra WAIT;\n"
         "cp.async.bulk.global.shared::cta.bulk_group [%g+128], [%t], 64;\n"
         "cp.async.bulk.commit_group;\ncp.async.bulk.wait_group 0;\nEND:\n";
}

TEST(Measures, AStoreIsOfAnotherWarpIfAPhaseHandedItTheTile) {
  const ImportedBuffer buffer;
  const auto handed = [&](Measure measure, const std::string& body) {
    return measured(measure, buffer.address(), body, {1, 1, 1}, two_warps);
  };
  EXPECT_EQ(handed(Measure::handed_to_stores, passes_on("32")), 64u);
  EXPECT_EQ(handed(Measure::handed_to_stores, passes_on("0")), 0u);
  EXPECT_EQ(handed(Measure::handed_over, passes_on("0")), 0u);
}

TEST(Measures, WhatComesOutOfAProductOfAWarpgroupIsFollowedToWhereItIsWritten) {
  const ImportedBuffer buffer;
  const auto multiplied = [&](const std::string& after) {
    return measured(Measure::by_wgmma, buffer.address(),
                    ".reg .b32 %x, %v, %w, %y, %z;\n.reg .b64 %d;\n"
                    "mov.u32 %x, %tid.x;\nmul.wide.u32 %s, %x, 4;\nadd.u64 %g, %g, %s;\n"
                    "shr.u32 %y, %t, 4;\ncvt.u64.u32 %d, %y;\nmov.u32 %v, 0;\nmov.u32 %w, 0;\n"
                    "wgmma.fence.sync.aligned;\n"
                    "wgmma.mma_async.sync.aligned.m64n8k16.f16.f16.f16 {%v, %w}, %d, %d, 1, 1, 1, "
                    "0, 0;\n"
                    "wgmma.commit_group.sync.aligned;\nwgmma.wait_group.sync.aligned 0;\n" +
                        after,
                    {1, 1, 1}, {128, 1, 1});
  };
  EXPECT_EQ(multiplied("st.global.u32 [%g], %v;\n"), 512u);
  EXPECT_EQ(multiplied("st.global.u32 [%g], %x;\n"), 0u);
  EXPECT_EQ(multiplied("st.shared.u32 [%t], %w;\nld.shared.u32 %z, [%t];\n"
                       "add.u32 %z, %z, 1;\nst.global.u32 [%g], %z;\n"),
            512u);
  EXPECT_EQ(multiplied("st.global.u32 [%g], %v;\nst.global.u32 [%g], 7;\n"), 0u);
}

TEST(Measures, AProductIsOfAChainIfItsFactorInRegistersCameOutOfAnother) {
  const ImportedBuffer buffer;
  const std::string first =
      "wgmma.mma_async.sync.aligned.m64n8k16.f16.f16.f16 {%v, %w}, %d, %d, 1, 1, 1, 0, 0;\n";
  const auto from = [](const std::string& registers) {
    return "wgmma.mma_async.sync.aligned.m64n8k16.f16.f16.f16 {%y, %z}, {" + registers +
           "}, %d, 1, 1, 1, 0;\n";
  };
  const auto chained = [&](const std::string& second, const std::string& result) {
    const std::string fence = "wgmma.fence.sync.aligned;\n";
    const std::string done = "wgmma.commit_group.sync.aligned;\nwgmma.wait_group.sync.aligned 0;\n";
    return measured(Measure::wgmma_chains, buffer.address(),
                    ".reg .b32 %x, %v, %w, %y, %z;\n.reg .b64 %d;\n"
                    "mov.u32 %x, %tid.x;\nmul.wide.u32 %s, %x, 4;\nadd.u64 %g, %g, %s;\n"
                    "shr.u32 %y, %t, 4;\ncvt.u64.u32 %d, %y;\nmov.u32 %v, 0;\nmov.u32 %w, 0;\n"
                    "mov.u32 %y, 0;\nmov.u32 %z, 0;\n" +
                        fence + first + done + "add.u32 %w, %w, 1;\n" + fence + second + done +
                        "st.global.u32 [%g], " + result + ";\n",
                    {1, 1, 1}, {128, 1, 1});
  };
  EXPECT_EQ(chained(from("%v, %w, %v, %w"), "%z"), 512u);
  EXPECT_EQ(chained(from("%x, %x, %w, %x"), "%z"), 512u);
  EXPECT_EQ(chained(from("%x, %x, %x, %x"), "%z"), 0u);
  EXPECT_EQ(chained(first, "%v"), 0u) << "one product after the other, both from shared memory";
  EXPECT_EQ(chained(from("%v, %w, %v, %w"), "%v"), 0u) << "the first one's";
}

TEST(Measures, AProductReadsWhatAPhaseHandedOver) {
  const ImportedBuffer buffer;
  const auto handed = [&](const std::string& wait) {
    return measured(
        Measure::handed_over, buffer.address(),
        ".reg .b32 %x, %v, %w, %y;\n.reg .b64 %d;\n.reg .pred %q;\n"
        "mov.u32 %x, %tid.x;\nshr.u32 %y, %t, 4;\ncvt.u64.u32 %d, %y;\n"
        "setp.eq.u32 %q, %x, 0;\n@%q mbarrier.init.shared.b64 [%b], 1;\n"
        "fence.proxy.async.shared::cta;\nbar.sync 0;\n"
        "@%q mbarrier.arrive.expect_tx.shared.b64 %s, [%b], 512;\n"
        "@%q cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%t], [%g], 512, "
        "[%b];\n"
        "WAIT: mbarrier.try_wait.parity.shared.b64 %p, [%b], 0;\n@!%p bra WAIT;\n" +
            wait +
            "mov.u32 %v, 0;\nmov.u32 %w, 0;\nwgmma.fence.sync.aligned;\n"
            "wgmma.mma_async.sync.aligned.m64n8k16.f16.f16.f16 {%v, %w}, %d, %d, 1, 1, 1, 0, 0;\n"
            "wgmma.commit_group.sync.aligned;\nwgmma.wait_group.sync.aligned 0;\n"
            "mul.wide.u32 %s, %x, 4;\nadd.u64 %g, %g, %s;\nst.global.u32 [%g+1024], %v;\n",
        {1, 1, 1}, {128, 1, 1});
  };
  EXPECT_EQ(handed(""), 384u);  // of the three warps that did not load it
  EXPECT_EQ(handed("bar.sync 0;\n"), 0u);
}

TEST(Measures, AValueOfAnotherCtaIsFollowedToWhereItIsWrittenUnlessTheOwnCtaHasOneToo) {
  const ImportedBuffer buffer;
  const std::string meet = "barrier.cluster.arrive.aligned;\nbarrier.cluster.wait.aligned;\n";
  const auto remote = [&](const std::string& between) {
    return measured(Measure::distributed_shared_memory, buffer.address(),
                    ".reg .b32 %r, %o, %a, %v, %w;\nmov.u32 %r, %cluster_ctarank;\n"
                    "xor.b32 %o, %r, 1;\nst.shared.u32 [%t], %r;\n" +
                        meet +
                        "mapa.shared::cluster.u32 %a, %t, %o;\nld.shared::cluster.u32 %v, [%a];\n"
                        "mul.wide.u32 %s, %r, 16;\nadd.u64 %g, %g, %s;\n" +
                        between + "st.global.u32 [%g], %v;\n" + meet,
                    {2, 1, 1});
  };
  EXPECT_EQ(remote(""), 32u);
  EXPECT_EQ(remote("st.shared.u32 [%t+64], %v;\nld.shared.u32 %v, [%t+64];\n"), 32u);
  EXPECT_EQ(remote("mov.u32 %v, %r;\n"), 0u);
  EXPECT_EQ(remote("ld.global.u32 %v, [%g];\n"), 0u);
  EXPECT_EQ(remote("ld.global.u32 %w, [%g];\nadd.u32 %v, %v, %w;\n"), 0u);
}

TEST(Measures, ATileThatWasSentFromCtaToCtaIsStoredAsSuch) {
  const ImportedBuffer buffer;
  const std::string meet = "barrier.cluster.arrive.aligned;\nbarrier.cluster.wait.aligned;\n";
  const auto stored = [&](int from) {
    return measured(
        Measure::distributed_shared_memory, buffer.address(),
        ".reg .b32 %r, %o, %a, %m;\nmov.u32 %r, %cluster_ctarank;\nxor.b32 %o, %r, 1;\n" +
            std::string(init) + "mbarrier.arrive.expect_tx.shared.b64 %s, [%b], 64;\n" +
            "fence.mbarrier_init.release.cluster;\n" + meet +
            "mapa.shared::cluster.u32 %a, %t, %o;\nmapa.shared::cluster.u32 %m, %b, %o;\n"
            "cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes [%a+128], "
            "[%t], 64, [%m];\n"
            "WAIT: mbarrier.try_wait.parity.shared.b64 %p, [%b], 0;\n@!%p bra WAIT;\n"
            "mul.wide.u32 %s, %r, 64;\nadd.u64 %g, %g, %s;\n"
            "cp.async.bulk.global.shared::cta.bulk_group [%g], [%t+" +
            std::to_string(from) + "], 64;\n" + wait_for_stores + meet,
        {2, 1, 1});
  };
  EXPECT_EQ(stored(128), 128u);
  EXPECT_EQ(stored(96), 64u);
  EXPECT_EQ(stored(0), 0u);
}

// What warps of one warpgroup multiply, which a phase has handed to three of them.
TEST(Measures, AWarpgroupHasGrownIfItTookRegistersBeforeItMultipliedWhatItWasHanded) {
  const ImportedBuffer buffer;
  const auto grown = [&](const std::string& before, const std::string& wait) {
    return measured(
        Measure::grown_warpgroups, buffer.address(),
        ".reg .b32 %x, %v, %w, %y;\n.reg .b64 %d;\n.reg .pred %q;\n"
        "mov.u32 %x, %tid.x;\nshr.u32 %y, %t, 4;\ncvt.u64.u32 %d, %y;\n"
        "setp.eq.u32 %q, %x, 0;\n@%q mbarrier.init.shared.b64 [%b], 1;\n"
        "fence.proxy.async.shared::cta;\nbar.sync 0;\n"
        "@%q mbarrier.arrive.expect_tx.shared.b64 %s, [%b], 512;\n"
        "@%q cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%t], [%g], 512, "
        "[%b];\n"
        "WAIT: mbarrier.try_wait.parity.shared.b64 %p, [%b], 0;\n@!%p bra WAIT;\n" +
            wait + before +
            "mov.u32 %v, 0;\nmov.u32 %w, 0;\nwgmma.fence.sync.aligned;\n"
            "wgmma.mma_async.sync.aligned.m64n8k16.f16.f16.f16 {%v, %w}, %d, %d, 1, 1, 1, 0, 0;\n"
            "wgmma.commit_group.sync.aligned;\nwgmma.wait_group.sync.aligned 0;\n",
        {1, 1, 1}, {128, 1, 1});
  };
  EXPECT_EQ(grown("setmaxnreg.inc.sync.aligned.u32 232;\n", ""), 1u);
  EXPECT_EQ(grown("setmaxnreg.dec.sync.aligned.u32 40;\n", ""), 0u);
  EXPECT_EQ(grown("", ""), 0u);
  EXPECT_EQ(grown("setmaxnreg.inc.sync.aligned.u32 232;\n", "bar.sync 0;\n"), 0u);
}

TEST(Measures, WhatKernelsWriteWhoseCtasDoNotFitOnTheGpuTogetherIsNotOfResidentOnes) {
  const ImportedBuffer buffer;
  const auto written = [&](unsigned clusters, const std::string& more = "") {
    return measured(Measure::by_resident_ctas, buffer.address(), "st.global.u32 [%g], 1;\n" + more,
                    {1, 1, 1}, {1024, 1, 1}, clusters);
  };
  constexpr unsigned two_on_each_sm = 2 * 132;
  EXPECT_EQ(written(two_on_each_sm), 16u);
  EXPECT_EQ(written(two_on_each_sm + 1), 0u);
  EXPECT_EQ(written(1, "st.global.u32 [%g+16], 1;\n"), 32u);
}

TEST(Measures, AClusterIsAsLargeAsTheLargest) {
  const ImportedBuffer buffer;
  EXPECT_EQ(measured(Measure::cluster_ctas, buffer.address(), ""), 1u);
}

}  // namespace
}  // namespace tmaemu
