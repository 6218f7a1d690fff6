// How many bytes of imported memory went through the TMA engine: what a judge asks for, and what a
// kernel that only looks busy has not moved.
#include "emulator/memory/coverage.h"

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <latch>
#include <mutex>
#include <span>
#include <string>
#include <thread>

#include "emulator/device/device.h"
#include "emulator/memory/global_memory.h"
#include "emulator/tma/tensor_map.h"
#include "tests/emulator/isa_test_support.h"

namespace tmaemu {
namespace {

using Access = Coverage::Access;

TEST(Coverage, CountsBytesThatAreReadAgainOnce) {
  Coverage coverage(4096);
  coverage.add(Access::read, 64, 128);
  coverage.add(Access::read, 128, 128);
  EXPECT_EQ(coverage.bytes(), 192u);
}

TEST(Coverage, CountsBytesThatAreReadAndWrittenTwice) {
  Coverage coverage(4096);
  coverage.add(Access::read, 64, 128);
  coverage.add(Access::write, 64, 128);
  EXPECT_EQ(coverage.bytes(), 256u);
}

TEST(Coverage, HasEveryByteOfPiecesOfAnySize) {
  for (std::size_t offset = 0; offset < 3072; offset += 16) {
    for (const std::size_t size : {16, 1008, 1024, 1040, 4096}) {
      Coverage coverage(8192);
      coverage.add(Access::read, offset, size);
      EXPECT_EQ(coverage.bytes(), size) << offset;
    }
  }
}

TEST(Coverage, CountsTheRestOfTheSixteenBytesInWhichARowEnds) {
  Coverage coverage(100);
  coverage.add(Access::read, 80, 20);
  EXPECT_EQ(coverage.bytes(), 32u);
}

TEST(Coverage, BeginsAtZeroWhenCleared) {
  Coverage coverage(4096);
  coverage.add(Access::read, 0, 4096);
  coverage.add(Access::write, 0, 4096);
  coverage.clear();
  EXPECT_EQ(coverage.bytes(), 0u);
}

TEST(Coverage, LosesNothingBetweenHostThreads) {
  constexpr std::size_t size = 16 << 20;
  Coverage coverage(size);
  std::latch both(2);
  const auto add_every_second = [&](std::size_t first) {
    both.arrive_and_wait();
    for (std::size_t at = first; at < size; at += 32) coverage.add(Access::write, at, 16);
  };
  {
    const std::jthread other(add_every_second, 16);
    add_every_second(0);
  }
  EXPECT_EQ(coverage.bytes(), size);
}

// Memory of another process, as the judge's buffers are.
class ImportedBuffer {
 public:
  static constexpr std::size_t bytes = 4096;
  ImportedBuffer()
      : file_(memfd_create("coverage-test", MFD_CLOEXEC)), memory_(Device::instance().memory()) {
    EXPECT_EQ(ftruncate(file_, bytes), 0);
    address_ = *memory_.open_file(file_, 0, bytes);
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
void launch(const std::string& parameter, std::span<const std::byte> value,
            const std::string& body) {
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

// What a kernel moves that has the address of the memory in %g.
std::uint64_t moved(std::uint64_t address, const std::string& body) {
  GlobalMemory& memory = Device::instance().memory();
  memory.forget_tma_bytes();
  launch(".param .u64 p", std::as_bytes(std::span(&address, 1)), "ld.param.u64 %g, [p];\n" + body);
  return memory.tma_bytes();
}

TEST(TmaBytes, TheSameTileLoadedAgainCountsOnce) {
  const ImportedBuffer buffer;
  EXPECT_EQ(moved(buffer.address(), init + load_to(0) + load_to(64) + load_to(128) + landed(192)),
            64u);
}

TEST(TmaBytes, ATileThatComesInAndGoesOutCountsTwice) {
  const ImportedBuffer buffer;
  EXPECT_EQ(
      moved(buffer.address(), init + load_to(0) + landed(64) +
                                  "cp.async.bulk.global.shared::cta.bulk_group [%g], [%t], 64;\n" +
                                  wait_for_stores),
      128u);
}

TEST(TmaBytes, AReductionWrites) {
  const ImportedBuffer buffer;
  EXPECT_EQ(
      moved(buffer.address(),
            init + load_to(0) + landed(64) +
                "cp.reduce.async.bulk.global.shared::cta.bulk_group.add.u32 [%g], [%t], 64;\n" +
                wait_for_stores),
      128u);
}

TEST(TmaBytes, MemoryOfTheProgramsOwnCountsNothing) {
  const testing::DeviceBuffer buffer(64);
  EXPECT_EQ(moved(buffer.address(), init + load_to(0) + landed(64)), 0u);
}

TEST(TmaBytes, OfABoxThatOverhangsItsTensorTheInsideCounts) {
  const ImportedBuffer buffer;
  tma::TensorMap map;  // 8 columns, 2 rows
  map.type = tma::DataType::u32;
  map.rank = 2;
  map.global_address = buffer.address();
  map.global_size = {8, 2};
  map.global_stride = {32};
  map.box_size = {8, 4};
  map.element_stride = {1, 1};
  GlobalMemory& memory = Device::instance().memory();
  memory.forget_tma_bytes();
  launch(".param .align 128 .b8 map[128]", tma::encode(map),
         std::string("mov.b64 %g, map;\ncvta.param.u64 %g, %g;\n.reg .b32 %x, %y;\n"
                     "mov.u32 %x, 4;\nmov.u32 %y, -1;\n") +
             init +
             "cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [%t], "
             "[%g, {%x, %y}], [%b];\n" +
             landed(128));
  EXPECT_EQ(memory.tma_bytes(), 2 * 16u);
}

}  // namespace
}  // namespace tmaemu
